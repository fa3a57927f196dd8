// @ts-check
// The number of tables that wait for this person, in the title of the page.

import { WaitingTables } from "../lib/waiting_tables.js";

export function countInTitle() {
  const title = document.title;
  const tables = new WaitingTables();
  tables.on("change", ({ length }) => {
    document.title = length > 0 ? `(${length}) ${title}` : title;
  });
  tables.refresh();
}
