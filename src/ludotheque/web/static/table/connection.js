// @ts-check
// The socket of a table: joins, listens, sends, and connects again by itself when the connection was lost.
//
// Events: "view" (complete: changes are put together here), "seats", "chat", and "state" with "open", "lost", "gone" (there is
// no such table) or "unplayable" (the server does not have its version of the game).

import { patchScene } from "../board/scene.js";
import { RequestError } from "../lib/api.js";
import { Emitter } from "../lib/emitter.js";
import { _ } from "../lib/translate.js";

/** @typedef {import("../wire").ToClient} ToClient */
/** @typedef {import("../wire").FromClient} FromClient */
/** @typedef {import("./view.js").View} View */
/** @typedef {"open" | "lost" | "gone" | "unplayable"} State */
/** @typedef {{resolve: (answer: ToClient) => void, reject: (error: RequestError) => void}} Waiting */

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
const RESTARTS = 1012; // the close code of a server that is stopped, for all its sockets at once
const RESTART_SPREAD = 5_000;
const ANSWER_TIMEOUT_MS = 15_000; // for the answer to a message
const PING_EVERY = 25_000;
/** @type {Record<number, State>} the states after which it does not connect again, by close code */
const FINAL = { 4403: "gone", 4404: "gone", 4409: "unplayable" };

/**
 * @extends {Emitter<{
 *   view: View, seats: import("../wire").SeatsMessage, chat: import("../wire").ChatLinesMessage, state: State
 * }>}
 */
export class Connection extends Emitter {
  /** @type {number | null} the seat whose view was asked for */
  viewer = null;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {View | null} */
  #view = null;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #wait = FIRST_WAIT;
  #timer = 0;
  #count = 0;

  /** @param {string} table */
  constructor(table) {
    super();
    this.table = table;
    addEventListener("online", () => this.#reconnectNow());
    document.addEventListener("visibilitychange", () => document.hidden || this.#reconnectNow());
    setInterval(() => this.isOpen && this.send({ type: "ping" }).catch(() => this.#socket?.close()), PING_EVERY);
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = new URLSearchParams({ lang: document.documentElement.lang });
    if (this.viewer !== null) query.set("viewer", String(this.viewer));
    const socket = new WebSocket(`${scheme}://${location.host}/ws/tables/${this.table}?${query}`);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      this.emit("state", "open");
    });
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => this.#lose(event.code));
  }

  /** @param {number} code */
  #lose(code) {
    for (const { reject } of this.#waiting.values()) reject(connectionLost());
    this.#waiting.clear();
    this.emit("state", FINAL[code] ?? "lost");
    if (code in FINAL) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), reconnectDelay(this.#wait, code));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  /** Connect again at once: the network or the reader is back. */
  #reconnectNow() {
    if (this.#socket?.readyState !== WebSocket.CLOSED || !this.#timer) return;
    clearTimeout(this.#timer);
    this.open();
  }

  /**
   * Send a message; resolve when the server has carried it out.
   * @param {FromClient} message
   * @returns {Promise<ToClient>}
   */
  send(message) {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) {
        reject(connectionLost());
        return;
      }
      this.#count += 1;
      const id = this.#count;
      this.#waiting.set(id, { resolve, reject });
      const noAnswer = new RequestError(0, "lost", _("The server does not answer."));
      setTimeout(() => this.#take(id)?.reject(noAnswer), ANSWER_TIMEOUT_MS);
      this.#socket?.send(JSON.stringify({ ...message, id }));
    });
  }

  /** @param {number | null} id */
  #take(id) {
    const waiting = this.#waiting.get(id ?? 0);
    this.#waiting.delete(id ?? 0);
    return waiting;
  }

  /** @param {ToClient} message */
  #receive(message) {
    if (message.type === "view") this.emit("view", this.#complete(message));
    else if (message.type === "seats") this.emit("seats", message);
    else if (message.type === "chat") this.emit("chat", message);
    else if (message.type === "error") {
      this.#take(message.reply_to)?.reject(new RequestError(0, message.error, message.sentence));
    } else this.#take(message.reply_to)?.resolve(message);
  }

  /**
   * The view with all its pieces and all its log.
   * @param {View} view
   */
  #complete(view) {
    const log = [...(this.#view?.log ?? []).slice(0, view.log_from), ...view.log];
    this.#view = { ...view, log, scene: patchScene(this.#view?.scene ?? null, view.scene) };
    return this.#view;
  }
}

/**
 * The time to wait before connecting again, different for each page: all at once would keep the server busy.
 * @param {number} wait about how long
 * @param {number} code the close code of the connection that was lost
 */
export function reconnectDelay(wait, code) {
  return wait / 2 + Math.random() * (code === RESTARTS ? RESTART_SPREAD : wait);
}

function connectionLost() {
  return new RequestError(0, "lost", _("The connection was lost."));
}
