// @ts-check
// Tells a player who looks elsewhere that it is their turn: by the page's title and, if chosen, a sound or a note.

import { part } from "../lib/dom.js";
import { _ } from "../lib/translate.js";

export class Notifications {
  #sound = part("sound", HTMLInputElement);
  #notify = part("notify", HTMLInputElement);
  /** @type {boolean | null} */
  #wasMyTurn = null;

  /** @param {string} title */
  constructor(title) {
    this.title = title;
    this.#remember(this.#sound, "sound");
    this.#remember(this.#notify, "notify");
  }

  /**
   * @param {HTMLInputElement} box
   * @param {"sound" | "notify"} name
   */
  #remember(box, name) {
    box.checked = localStorage.getItem(name) === "on";
    box.addEventListener("change", async () => {
      if (name === "notify" && box.checked) box.checked = await mayNotify();
      localStorage.setItem(name, box.checked ? "on" : "off");
    });
  }

  /** @param {boolean} isMine */
  showTurn(isMine) {
    document.title = isMine ? `● ${_("Your turn")} – ${this.title}` : `${this.title} – Ludotheque`;
    if (isMine && this.#wasMyTurn === false) this.#call();
    this.#wasMyTurn = isMine;
  }

  #call() {
    if (this.#sound.checked) beep();
    if (this.#notify.checked && document.hidden) new Notification(this.title, { body: _("It is your turn.") });
  }
}

async function mayNotify() {
  return (await globalThis.Notification?.requestPermission()) === "granted";
}

function beep() {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.15, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.4);
  tone.onended = () => audio.close();
}
