// @ts-check
// Short sounds, synthesised: a piece is laid, points are scored, somebody bids or chooses, it is your turn, the end.
// A switch beside the board turns them on; it is off at first.

import { part } from "../lib/dom.js";
import { scoresOf } from "./view.js";

/** @typedef {"lay" | "score" | "choose" | "turn" | "end"} Sound */
/** @typedef {import("./view.js").View} View */

/** @type {Record<Sound, {notes: number[], wave: OscillatorType, length: number}>} frequencies, one after the other */
const SOUNDS = {
  lay: { notes: [180], wave: "triangle", length: 0.12 },
  score: { notes: [660, 880], wave: "sine", length: 0.14 },
  choose: { notes: [420], wave: "sine", length: 0.08 },
  turn: { notes: [523, 659], wave: "sine", length: 0.2 },
  end: { notes: [523, 659, 784, 1047], wave: "triangle", length: 0.25 },
};
const VOLUME = 0.15;
const GAP = 0.18; // seconds between two sounds

export class Sounds {
  #switch = part("sound", HTMLButtonElement);
  #isOn = localStorage.getItem("sound") === "on";
  /** @type {AudioContext | null} */
  #audio = null;
  /** @type {View | null} */
  #view = null;

  constructor() {
    this.#switch.addEventListener("click", () => this.#set(!this.#isOn));
    this.#show();
  }

  /** @param {boolean} isOn */
  #set(isOn) {
    this.#isOn = isOn;
    localStorage.setItem("sound", isOn ? "on" : "off");
    this.#show();
    if (isOn) this.play("turn");
  }

  #show() {
    this.#switch.setAttribute("aria-pressed", String(this.#isOn));
  }

  /**
   * Sound what a new view brings.
   * @param {View} view
   */
  follow(view) {
    const before = this.#view;
    this.#view = view;
    if (!before || before.version === view.version) return;
    for (const [place, sound] of soundsOf(before, view).entries()) this.play(sound, place * GAP);
  }

  /**
   * @param {Sound} sound
   * @param {number} [delay] in seconds
   */
  play(sound, delay = 0) {
    if (!this.#isOn) return;
    this.#audio ??= new AudioContext();
    const { notes, wave, length } = SOUNDS[sound];
    const start = this.#audio.currentTime + delay;
    notes.forEach((frequency, place) => {
      if (this.#audio) tone(this.#audio, frequency, wave, start + place * length * 0.7, length);
    });
  }
}

/**
 * What is to be heard between two views of a table.
 * @param {Pick<View, "scene" | "over" | "to_move" | "mine">} before
 * @param {Pick<View, "scene" | "over" | "to_move" | "mine">} view
 * @returns {Sound[]}
 */
export function soundsOf(before, view) {
  if (view.over) return before.over ? [] : ["end"];
  const known = new Set(before.scene.pieces.map((piece) => piece.id));
  const isLaid = view.scene.pieces.some(
    ({ id, symbol, in_tray, classes = "" }) => symbol && !in_tray && !known.has(id) && !/\b(spot|last)\b/.test(classes),
  );
  /** @type {Sound[]} */
  const sounds = [isLaid ? "lay" : "choose"];
  if (String(scoresOf(before)) !== String(scoresOf(view))) sounds.push("score");
  if (view.mine.includes(view.to_move) && before.to_move !== view.to_move) sounds.push("turn");
  return sounds;
}

/**
 * One note that fades.
 * @param {AudioContext} audio
 * @param {number} frequency
 * @param {OscillatorType} wave
 * @param {number} start
 * @param {number} length in seconds
 */
function tone(audio, frequency, wave, start, length) {
  const note = audio.createOscillator();
  const volume = audio.createGain();
  note.type = wave;
  note.frequency.value = frequency;
  volume.gain.setValueAtTime(VOLUME, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  note.connect(volume).connect(audio.destination);
  note.start(start);
  note.stop(start + length);
}
