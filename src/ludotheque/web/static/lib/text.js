// @ts-check
// Words and sentences as they are set.

/**
 * Words at the beginning of a line or a button.
 * @param {string} words
 */
export function capitalized(words) {
  const [first = ""] = words;
  return first.toUpperCase() + words.slice(first.length);
}

/**
 * What texts begin with that differ by their last word alone: "piece of length " of "piece of length 2" and "piece of
 * length 4"; "" of others.
 * @param {string[]} texts
 */
export function commonBeginning(texts) {
  const beginnings = new Set(texts.map((text) => text.replace(/\S+$/u, "")));
  const [beginning = ""] = beginnings;
  return texts.length > 1 && beginnings.size === 1 ? beginning : "";
}

/**
 * Keep a number and its sign, a product with what it is of, and a French word and its mark, on one line: "40 %", "± 3",
 * "29 $", "PRR 2 × $5", "Continuez !".
 * @param {string} sentence
 */
export function unbroken(sentence) {
  return sentence.replaceAll(/ (?=[%$:;!?»×])/g, "\u00a0").replaceAll(/([±«×]) | (?=\d+\u00a0×)/g, "$1\u00a0");
}
