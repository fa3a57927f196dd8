// @ts-check
// Sentences with small pictures of the art in place of some words, which are their alternative text.

import { make } from "../lib/dom.js";
import { unbroken } from "../lib/text.js";
import { fit, pictureOfSymbol, showPicture } from "./picture.js";

/** @typedef {Partial<Pick<import("../wire").RenderedLine, "drawn">> & {text: string}} Line */
/** @typedef {import("../wire").RenderedPicture} Picture */

export class Sentences {
  /** @type {WeakMap<Element, Picture>} pictures that nobody has seen yet */
  #undrawn = new WeakMap();
  #watch = new IntersectionObserver((seen) => this.#draw(seen));

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
  }

  /**
   * The content of a line. A picture is drawn when it comes into view: a long log has many.
   * @param {Line} line
   * @returns {Array<Node | string>}
   */
  contentOf({ text, drawn = [] }) {
    if (drawn.length === 0) return [unbroken(text)];
    return drawn.map((part) => (typeof part === "string" ? unbroken(part) : this.#picture(part)));
  }

  /** @param {Picture} picture */
  #picture(picture) {
    const host = make("span", { class: "inline-picture", role: "img", "aria-label": picture.words });
    this.#undrawn.set(host, picture);
    this.#watch.observe(host);
    return host;
  }

  /** @param {Element} host */
  #shown(host) {
    const picture = this.#undrawn.get(host);
    if (!picture || !(host instanceof HTMLElement)) return null;
    const drawing = pictureOfSymbol(this.board, picture);
    showPicture(host, this.board, drawing);
    return drawing;
  }

  /**
   * Draw what has come into view, a frame later: the move that brought it is painted first.
   * @param {IntersectionObserverEntry[]} entries
   */
  async #draw(entries) {
    const hosts = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
    for (const host of hosts) this.#watch.unobserve(host);
    await this.board.ready;
    requestAnimationFrame(() => {
      const drawings = hosts.flatMap((host) => this.#shown(host) ?? []);
      for (const drawing of drawings) fit(drawing); // measured once all of them are there
    });
  }
}
