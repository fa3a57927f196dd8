// A sentence at the edge of the page, for a while.

import { make, part } from "./dom.js";

const SECONDS = 6;

export function toast(sentence) {
  const note = make("p", { class: "toast" }, sentence);
  part("toasts").append(note);
  setTimeout(() => note.remove(), SECONDS * 1000);
}
