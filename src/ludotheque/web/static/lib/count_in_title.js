// @ts-check
// The number of tables that wait for this person, in the title of the page, also while it is in the background.

import { WaitingTables } from "./waiting_tables.js";

export function countInTitle() {
  const title = document.title;
  const tables = new WaitingTables();
  tables.on("change", ({ length }) => {
    document.title = length > 0 ? `(${length}) ${title}` : title;
  });
  tables.refresh();
}
