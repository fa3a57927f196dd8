// @ts-check
// Short sounds: a piece is laid, cards are drawn, something is finished, an event is told by a card, points are scored, it
// is your turn, the end, and a win. A game says which sound a piece makes, by what it is made of. They are on from the
// first press in the page; a switch beside the board turns them off.

import { isFinished } from "../board/piece.js";
import { part } from "../lib/dom.js";
import { scoresOf } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {Pick<View, "scene" | "over" | "to_move" | "mine" | "ply" | "cards" | "result">} Heard */
/** @typedef {Record<string, string>} Matters the sounds of pieces by the first part of their ids */

const VOLUME = 0.5;
const GAP = 0.16; // seconds between two sounds

export class Sounds {
  #switch = part("sound", HTMLButtonElement);
  #isOn = localStorage.getItem("sound") !== "off";
  /** @type {Matters} */
  #matters = JSON.parse(part("play-area").dataset.sounds ?? "{}");
  /** @type {AudioContext | null} none before the first press: browsers allow no sound */
  #audio = null;
  /** @type {Map<string, Promise<AudioBuffer>>} */
  #samples = new Map();
  /** @type {View | null} */
  #view = null;

  constructor() {
    this.#switch.addEventListener("click", () => this.#set(!this.#isOn));
    for (const press of ["pointerup", "click", "keydown"])
      addEventListener(press, () => this.#wake(), { capture: true });
    this.#show();
  }

  /** Browsers allow sound from a press on; a call or a locked screen stops it again. */
  #wake() {
    this.#audio ??= new AudioContext();
    if (this.#audio.state !== "running") this.#audio.resume();
  }

  /** @param {boolean} isOn */
  #set(isOn) {
    this.#isOn = isOn;
    localStorage.setItem("sound", isOn ? "on" : "off");
    this.#show();
    if (isOn) this.play("bell");
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
    for (const [place, sound] of soundsOf(before, view, this.#matters).entries()) this.play(sound, place * GAP);
  }

  /**
   * @param {string} sound
   * @param {number} [delay] in seconds
   */
  async play(sound, delay = 0) {
    const audio = this.#audio;
    if (!this.#isOn || !audio) return;
    const start = audio.currentTime + delay;
    const [source, volume] = [audio.createBufferSource(), audio.createGain()];
    source.buffer = await this.#sample(audio, sound);
    volume.gain.value = VOLUME;
    source.connect(volume).connect(audio.destination);
    source.start(start);
  }

  /**
   * @param {AudioContext} audio
   * @param {string} sound
   */
  #sample(audio, sound) {
    const known = this.#samples.get(sound) ?? load(audio, sound);
    this.#samples.set(sound, known);
    known.catch(() => this.#samples.delete(sound)); // the next time may have better luck
    return known;
  }
}

/**
 * @param {AudioContext} audio
 * @param {string} sound
 */
async function load(audio, sound) {
  const answer = await fetch(`/static/sounds/${sound}.wav`);
  return audio.decodeAudioData(await answer.arrayBuffer());
}

/**
 * The sounds between two views of a table.
 * @param {Heard} before
 * @param {Heard} view
 * @param {Matters} matters
 * @returns {string[]}
 */
export function soundsOf(before, view, matters = {}) {
  if (view.over) return before.over ? [] : [hasWon(view) ? "win" : "end"];
  const known = new Set(before.scene.pieces.map(placeOf));
  const fresh = view.scene.pieces.filter(
    (piece) => piece.symbol && !known.has(placeOf(piece)) && !/\b(spot|last|group|ground)\b/.test(piece.classes ?? ""),
  );
  const laid = fresh.filter(({ in_tray }) => !in_tray).flatMap(({ id }) => soundOf(id, matters));
  const sounds =
    laid.length > 0 ? [...new Set(laid)].slice(0, 2) : [fresh.some(({ in_tray }) => in_tray) ? "shuffle" : "tap"];
  if (view.cards.some(({ ply }) => ply > before.ply)) sounds.push("gong");
  else if (hasFinished(before, view)) sounds.push("chime");
  if (String(scoresOf(before)) !== String(scoresOf(view))) sounds.push("coin");
  if (view.mine.includes(view.to_move) && before.to_move !== view.to_move) sounds.push("bell");
  return sounds;
}

/** @param {Heard} view */
function hasWon({ mine, result }) {
  return mine.some((seat) => (result?.returns[seat] ?? 0) > 0);
}

/**
 * Whether a piece of the board is finished now, such as a line or a town.
 * @param {Heard} before
 * @param {Heard} view
 */
function hasFinished(before, view) {
  const known = new Set(before.scene.pieces.filter(isFinished).map(({ id }) => id));
  return view.scene.pieces.some((piece) => isFinished(piece) && !known.has(piece.id));
}

/**
 * A piece and whether it is in the tray: one that goes from there to the board is laid.
 * @param {View["scene"]["pieces"][number]} piece
 */
function placeOf({ id, in_tray }) {
  return `${id} ${Boolean(in_tray)}`;
}

/**
 * The sound of a piece; none of one that its game does not name, if it names any.
 * @param {string} id
 * @param {Matters} matters
 */
function soundOf(id, matters) {
  const sound = matters[id.split(":")[0] ?? ""];
  return sound ? [sound] : Object.keys(matters).length > 0 ? [] : ["tile"];
}
