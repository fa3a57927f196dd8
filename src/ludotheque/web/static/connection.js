// The socket of a table: joins, listens, sends, and comes back by itself when it was lost.
//
// Events: "view" (complete, scenes sent as changes are put together here), "seats", "chat", and "state" with
// "open", "lost" or "gone" (no such table).

import { Refused } from "./api.js";
import { _ } from "./words.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
const PATIENCE = 15_000; // for the answer to a message
const PING_EVERY = 25_000;
const GONE = [4404, 4403];

export class Connection extends EventTarget {
  constructor(table) {
    super();
    this.table = table;
    this.wait = FIRST_WAIT;
    this.count = 0;
    this.waiting = new Map(); // id -> {resolve, reject}
    this.looking = null; // the seat whose eyes we asked for
    this.pieces = new Map();
    this.log = [];
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    setInterval(() => this.isOpen && this.send({ type: "ping" }).catch(() => this.socket.close()), PING_EVERY);
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = new URLSearchParams({ lang: document.documentElement.lang });
    if (this.looking !== null) query.set("viewer", this.looking);
    this.socket = new WebSocket(`${scheme}://${location.host}/ws/tables/${this.table}?${query}`);
    this.socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.tell("state", "open");
    });
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", (event) => this.lose(event.code));
  }

  lose(code) {
    for (const { reject } of this.waiting.values()) reject(new Refused(0, "lost", _("The connection was lost.")));
    this.waiting.clear();
    if (GONE.includes(code)) return this.tell("state", "gone");
    this.tell("state", "lost");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    return undefined;
  }

  /** Come back at once: the network or the reader has returned. */
  hurry() {
    if (this.socket?.readyState !== WebSocket.CLOSED || !this.timer) return;
    clearTimeout(this.timer);
    this.open();
  }

  /** Send a message; the promise is kept when the server has done it. */
  send(message) {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) {
        reject(new Refused(0, "lost", _("The connection was lost.")));
        return;
      }
      this.count += 1;
      const id = this.count;
      this.waiting.set(id, { resolve, reject });
      setTimeout(() => this.settle(id, "reject", new Refused(0, "lost", _("The server does not answer."))), PATIENCE);
      this.socket.send(JSON.stringify({ ...message, id }));
    });
  }

  settle(id, how, what) {
    this.waiting.get(id)?.[how](what);
    this.waiting.delete(id);
  }

  receive(message) {
    if (message.type === "view") this.tell("view", this.whole(message));
    else if (message.type === "seats" || message.type === "chat") this.tell(message.type, message);
    else if (message.type === "error") {
      this.settle(message.reply_to, "reject", new Refused(0, message.error, message.sentence));
    } else this.settle(message.reply_to, "resolve", message);
  }

  /** The view with all its pieces and all its log. */
  whole(view) {
    this.log = [...this.log.slice(0, view.log_from), ...view.log];
    const { scene } = view;
    if (scene.base === null) this.pieces.clear();
    for (const id of scene.gone ?? []) this.pieces.delete(id);
    for (const piece of scene.pieces) this.pieces.set(piece.id, piece);
    if (scene.order) this.pieces = new Map(scene.order.map((id) => [id, this.pieces.get(id)]));
    return { ...view, log: this.log, scene: { ...scene, pieces: [...this.pieces.values()] } };
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
