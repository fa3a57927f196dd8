// @ts-check
// Times as the reader's clock shows them.

/**
 * A date and a time of day. English is British, as in all our pages: no day can be taken for a month.
 * @param {string} time
 * @param {string} [lang]
 */
export function dateAndTime(time, lang = document.documentElement.lang) {
  const dates = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { dateStyle: "medium", timeStyle: "short" });
  return dates.format(new Date(time));
}
