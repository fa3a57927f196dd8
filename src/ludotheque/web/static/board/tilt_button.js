// @ts-check
// The button that tilts the board; the choice is remembered in this browser.

const KEY = "tilted";

/** Whether boards that can be tilted are. */
export function isTilted() {
  return localStorage.getItem(KEY) === "yes";
}

export class TiltButton {
  #button = document.querySelector("[data-part=tilt]");

  /** @param {(isOn: boolean) => void} tilt */
  constructor(tilt) {
    this.#button?.addEventListener("click", () => {
      localStorage.setItem(KEY, isTilted() ? "no" : "yes");
      this.#show();
      tilt(isTilted());
    });
  }

  /** @param {boolean} isOffered */
  offer(isOffered) {
    this.#button?.toggleAttribute("hidden", !isOffered);
    this.#show();
  }

  #show() {
    this.#button?.setAttribute("aria-pressed", String(isTilted()));
  }
}
