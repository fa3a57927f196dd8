// @ts-check
// Where a page goes on to if its address says so: only to pages of this site.

/**
 * The page of this site that an address names; null without one, and for another site, however it is written: browsers
 * read `/\` as `//`, and leave tabs out.
 * @param {string | null} address
 * @param {string} origin
 */
export function pageHere(address, origin) {
  if (!address || !URL.canParse(address, origin)) return null;
  const page = new URL(address, origin);
  return page.origin === origin ? page.href : null;
}
