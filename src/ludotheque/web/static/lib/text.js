// @ts-check
// Sentences as they are set.

/**
 * Keep a number and its sign, a product with what it is of, and a French word and its mark, on one line: "40 %", "± 3",
 * "29 $", "PRR 2 × $5", "Continuez !".
 * @param {string} sentence
 */
export function unbroken(sentence) {
  return sentence.replaceAll(/ (?=[%$:;!?»×])/g, "\u00a0").replaceAll(/([±«×]) | (?=\d+\u00a0×)/g, "$1\u00a0");
}
