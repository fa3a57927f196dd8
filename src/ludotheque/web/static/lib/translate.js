// @ts-check
// The scripts' sentences in the reader's language. The page carries the catalogue as data; the English sentence is the
// key, and translators' tools look for _("...").

/** @type {Record<string, string>} */
const catalogue = JSON.parse(globalThis.document?.getElementById("page-words")?.textContent || "{}");

/**
 * Translate a sentence and fill its {gaps}.
 * @param {string} sentence
 * @param {Record<string, string | number>} [values]
 */
export function _(sentence, values = {}) {
  const text = catalogue[sentence] ?? sentence;
  return text.replace(/\{(\w+)\}/g, (gap, name) => String(values[name] ?? gap));
}
