// @ts-check
// Events between modules, typed: `on("move", handler)`, `emit("move", action)`.

/**
 * The events of a module, for those that listen.
 * @template {object} Events the detail of each event, by the event's name
 */
export class Emitter {
  /** @type {Map<keyof Events, Array<(detail: any) => void>>} */
  #handlers = new Map();

  /**
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {(detail: Events[Name]) => void} handler
   */
  on(name, handler) {
    this.#handlers.set(name, [...(this.#handlers.get(name) ?? []), handler]);
  }

  /**
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {Events[Name]} detail
   */
  emit(name, detail) {
    for (const handler of this.#handlers.get(name) ?? []) handler(detail);
  }
}
