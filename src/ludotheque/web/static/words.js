// The words of the scripts in the reader's language. The page carries the catalogue as data; the English sentence is
// the key, and tools for translators look for _("...").

const catalogue = JSON.parse(document.getElementById("page-words")?.textContent || "{}");

/** A sentence in the reader's language, its {gaps} filled. */
export function _(sentence, fillings = {}) {
  const text = catalogue[sentence] ?? sentence;
  return text.replace(/\{(\w+)\}/g, (gap, name) => fillings[name] ?? gap);
}
