// Telling somebody who is elsewhere that it is their turn: by the title, and if they wish by a sound or a note.

import { part } from "./dom.js";
import { _ } from "./words.js";

export class Attention {
  constructor(title) {
    this.title = title;
    this.wasMyTurn = null;
    for (const name of ["sound", "notify"]) {
      const box = part(name);
      box.checked = localStorage.getItem(name) === "on";
      box.addEventListener("change", () => this.wish(name, box));
    }
  }

  async wish(name, box) {
    if (name === "notify" && box.checked && (await globalThis.Notification?.requestPermission()) !== "granted") {
      box.checked = false;
    }
    localStorage.setItem(name, box.checked ? "on" : "off");
  }

  turn(isMine) {
    document.title = isMine ? `● ${_("Your turn")} – ${this.title}` : `${this.title} – Ludotheque`;
    if (isMine && this.wasMyTurn === false) this.call();
    this.wasMyTurn = isMine;
  }

  call() {
    if (part("sound").checked) beep();
    if (part("notify").checked && document.hidden) new Notification(this.title, { body: _("It is your turn.") });
  }
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
