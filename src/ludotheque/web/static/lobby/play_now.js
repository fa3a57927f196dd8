// @ts-check
// The button that plays the last set-up again, in one press.

import { part } from "../lib/dom.js";
import { attempt } from "../lib/toast.js";
import { _ } from "../lib/translate.js";
import { lastSetup, openTable } from "./opening.js";

export function offerPlayNow() {
  const last = lastSetup();
  if (!last) return;
  const play = part("play-now", HTMLButtonElement);
  play.textContent = _("Play now: {game}", { game: last.title });
  play.hidden = false;
  part("learn-first").hidden = true;
  play.addEventListener("click", async () => {
    play.disabled = true;
    const address = await attempt(() => openTable(last.setup));
    play.disabled = false;
    if (address) location.assign(address);
  });
}
