// A sentence at the edge of the page, for a while.

import { make, part } from "./dom.js";

const SECONDS = 6;

export function toast(sentence) {
  for (const shown of part("toasts").children) if (shown.textContent === sentence) shown.remove();
  const note = make("p", { class: "toast" }, sentence);
  part("toasts").append(note);
  setTimeout(() => note.remove(), SECONDS * 1000);
}
