// @ts-check
// The name that this person gave last; suggested wherever a name is asked for.

const NAME = "name";

export function rememberedName() {
  return localStorage.getItem(NAME) ?? "";
}

/** @param {string} name */
export function rememberName(name) {
  if (name) localStorage.setItem(NAME, name);
}
