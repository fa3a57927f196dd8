// @ts-check
// The move that is previewed: the one that is settled, or one of a few that differ by the rotation of a piece.

/** @typedef {import("./choices.js").Move} Move */

const FEW = 4; // up to this many moves are previewed one after the other, such as the rotations of a tile

export class Rotation {
  #place = 0; // which of the few moves is previewed
  #looked = ""; // the step under the pointer

  /** @param {import("./question.js").Question} question */
  constructor(question) {
    this.question = question;
  }

  /** Whether only the rotation of the piece is still open. */
  get isOpen() {
    const { left, question, picked } = this.question.narrowing;
    const isRotation = question.every(isTurn);
    return picked.length > 0 && left.length > 1 && left.length === question.length && isRotation;
  }

  /** The move that has been narrowed down to, if there is one. */
  get move() {
    const { left, settled } = this.question.narrowing;
    return this.isOpen ? left[this.#place % left.length] : settled;
  }

  /** The move to preview: the one under the pointer, otherwise the one narrowed down to. */
  get lookedMove() {
    const few = this.#fewUnderPointer;
    return few.length > 0 ? few[this.#place % few.length] : this.move;
  }

  /** @param {string} step under the pointer, "" for none */
  look(step) {
    this.#looked = step;
  }

  /**
   * Pick a step; what lies under the pointer keeps the rotation that was seen there.
   * @param {string} step
   */
  pick(step) {
    if (step !== this.#looked) this.#place = 0;
    this.question.narrowing.pick(step);
    if (!this.isOpen) this.#place = 0;
  }

  /** Rotate the piece that is being placed, or the one that the pointer would place; return whether there is one. */
  turn() {
    const canTurn = this.question.isAsking && (this.isOpen || this.#fewUnderPointer.length > 1);
    if (canTurn) this.#place += 1;
    return canTurn;
  }

  /** Whether a piece is held that can be placed in more than one way, wherever it goes. */
  get isAhead() {
    const { picked, question } = this.question.narrowing;
    return picked.length > 0 && !this.isOpen && question.some(isTurn);
  }

  get #fewUnderPointer() {
    const { narrowing } = this.question;
    const left = this.#looked && narrowing.offers(this.#looked) ? narrowing.leftAfter(this.#looked) : [];
    return left.length <= FEW ? left : [];
  }
}

/** @param {{key: string}} step */
export function isTurn({ key }) {
  return key.startsWith("turn:");
}

/**
 * The step that says which way round a piece lies, "" where nothing does.
 * @param {Move | null} move
 */
export function turnOf(move) {
  return move?.path.find(isTurn)?.key ?? "";
}
