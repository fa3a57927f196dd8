// @ts-check
// Sentences as they are set.

/**
 * Keep a number and its sign on one line: "40 %", "± 3".
 * @param {string} sentence
 */
export function unbroken(sentence) {
  return sentence.replaceAll("± ", "±\u00a0").replaceAll(" %", "\u00a0%");
}
