// @ts-check
// The dialog that sets up a table: how many play, who sits where, the game's options.

import { field, make, part } from "../lib/dom.js";
import { hasWon } from "../lib/first_win.js";
import { matchLevel } from "../lib/match_level.js";
import { rememberedName, rememberName } from "../lib/my_name.js";
import { messageOf } from "../lib/toast.js";
import { _ } from "../lib/translate.js";
import { openTable, rememberSetup } from "./opening.js";
import { chosenOptions, optionFields } from "./options.js";

/** @typedef {import("../wire").GameCard} Game */
/** @typedef {import("../wire").LevelCard} Level */
/** @typedef {import("../wire").NewSeat} NewSeat */
/** @typedef {import("../wire").VariantCard} Variant */

const NAME_LENGTH = 40;
const GENTLEST = "1"; // the beginner; the random bot does not play a game

export class SetupDialog {
  #dialog = part("setup", HTMLDialogElement);
  #form = part("setup-form", HTMLFormElement);
  #players = field(this.#form, "players", HTMLSelectElement);
  #seats = part("setup-seats");
  #options = part("setup-options");
  #company = part("setup-company");
  #hints = field(this.#form, "hints");
  #watchable = field(this.#form, "watchable");
  #clock = field(this.#form, "clock", HTMLSelectElement);
  #start = part("setup-start", HTMLButtonElement);
  #error = part("setup-error");
  /** @type {Game | null} */
  #game = null;
  /** @type {Level[]} */
  #levels = [];
  /** @type {Variant["settings"]} */
  #preset = {};

  constructor() {
    this.#form.addEventListener("submit", (event) => this.#submit(event));
    this.#form.addEventListener("change", () => this.#showCompany());
    this.#players.addEventListener("change", () => this.#setSeats(Number(this.#players.value)));
    part("setup-cancel").addEventListener("click", () => this.#dialog.close());
  }

  /**
   * @param {Game} game
   * @param {Level[]} levels
   * @param {Variant} [variant] whose settings are not asked for
   */
  open(game, levels, variant) {
    this.#game = game;
    this.#preset = variant?.settings ?? {};
    this.#levels = levels;
    part("setup-title").textContent = (variant ?? game).title;
    const counts = range(game.min_players, game.max_players);
    this.#players.replaceChildren(...counts.map((count) => make("option", { value: count }, count)));
    part("setup-players").hidden = counts.length === 1;
    this.#seats.replaceChildren();
    this.#setSeats(game.min_players);
    this.#options.replaceChildren(...optionFields(game.options, this.#preset));
    part("setup-more").hidden = this.#options.children.length === 0;
    this.#error.hidden = true;
    this.#showCompany();
    this.#dialog.showModal();
    this.#start.focus();
  }

  /** What people agree on is asked only where people play against people. */
  #showCompany() {
    const people = [...this.#seats.children].map(chosenSeat).filter(({ who }) => who !== "bot");
    this.#company.hidden = people.length < 2;
    part("setup-reminders").hidden = !this.#clock.value.startsWith("days");
  }

  /**
   * Add or remove seats; those that stay keep what was chosen.
   * @param {number} count
   */
  #setSeats(count) {
    while (this.#seats.children.length > count) this.#seats.lastChild?.remove();
    while (this.#seats.children.length < count) this.#seats.append(this.#seatRow(this.#seats.children.length));
  }

  /** @param {number} seat */
  #seatRow(seat) {
    const number = seat + 1;
    const who = this.#whoField(seat);
    const name = make("input", {
      maxlength: NAME_LENGTH,
      autocomplete: "off",
      placeholder: seat === 0 ? _("Your name") : _("Name"),
      "aria-label": _("Name at seat {number}", { number }),
    });
    if (seat === 0) name.value = rememberedName();
    const style = this.#styleField(number);
    const fit = () => {
      name.hidden = who.value !== "me" && who.value !== "link";
      style.hidden = !this.#hasStyles(who.value);
    };
    who.addEventListener("change", fit);
    fit();
    return make("li", {}, who, name, style);
  }

  /**
   * The style of a bot, with a line that describes it.
   * @param {number} number
   */
  #styleField(number) {
    const styles = this.#game?.styles ?? [];
    const choice = make(
      "select",
      { "aria-label": _("Style of the bot at seat {number}", { number }) },
      make("option", { value: "" }, _("No particular style")),
      ...styles.map(({ style, name }) => make("option", { value: style }, name)),
    );
    const about = make("small", { class: "dim", "aria-live": "polite" });
    choice.addEventListener("change", () => {
      about.textContent = styles.find(({ style }) => style === choice.value)?.about ?? "";
    });
    return make("div", { class: "style" }, choice, about);
  }

  /**
   * Whether the bot that a field names can be played in a style.
   * @param {string} who
   */
  #hasStyles(who) {
    const level = this.#levels.find((each) => `bot ${each.level}` === who);
    return Boolean(level?.has_styles && this.#game?.styles?.length);
  }

  /** @param {number} seat */
  #whoField(seat) {
    const bots = this.#levels.map(({ level, name }) =>
      make("option", { value: `bot ${level}` }, _("Bot: {name}", { name })),
    );
    const who = make(
      "select",
      { "aria-label": _("Player at seat {number}", { number: seat + 1 }) },
      make("option", { value: "me" }, _("Me, on this screen")),
      make("option", { value: "link" }, _("A friend, by link")),
      make("option", { value: "open" }, _("Anyone")),
      this.#matchOption(),
      ...bots,
    );
    who.value = seat === 0 ? "me" : `bot ${this.#suggestedLevel()}`;
    return who;
  }

  /** The bot that adapts to the player. */
  #matchOption() {
    const level = matchLevel(this.#game?.name ?? "");
    return make("option", { value: `bot ${level}`, "data-match": true }, _("Bot: match me (level {level})", { level }));
  }

  /** The gentlest bot until the first win, then one in the middle. */
  #suggestedLevel() {
    const middle = this.#levels[Math.floor(this.#levels.length / 2)]?.level;
    return hasWon() ? middle : (this.#levels.find(({ level }) => level === GENTLEST)?.level ?? middle);
  }

  /** @param {SubmitEvent} event */
  async #submit(event) {
    event.preventDefault();
    const seats = [...this.#seats.children].map(chosenSeat);
    const [first] = seats;
    if (first?.who === "me") rememberName(first.name ?? "");
    this.#start.disabled = true;
    try {
      location.assign(await this.#openTable(seats));
    } catch (error) {
      this.#error.textContent = messageOf(error);
      this.#error.hidden = false;
    } finally {
      this.#start.disabled = false;
    }
  }

  /**
   * Open the table, and remember how it was set up.
   * @param {NewSeat[]} seats
   */
  async #openTable(seats) {
    const setup = {
      game: this.#game?.name ?? "",
      options: chosenOptions(this.#form, this.#game?.options ?? [], this.#preset),
      seats,
      hints: this.#hints.checked,
      watchable: !this.#company.hidden && this.#watchable.checked,
      clock: chosenClock(this.#company.hidden ? "" : this.#clock.value),
    };
    const address = await openTable(setup);
    rememberSetup(part("setup-title").textContent ?? "", setup);
    return address;
  }
}

/**
 * The rule of a clock that a field names: kind, seconds, increment.
 * @param {string} value
 * @returns {import("../wire").ClockRule | null}
 */
function chosenClock(value) {
  const [kind, seconds, increment] = value.split(" ");
  return kind === "move" || kind === "game" || kind === "days"
    ? { kind, seconds: Number(seconds), increment: Number(increment) }
    : null;
}

/**
 * @param {Element} row
 * @returns {NewSeat}
 */
function chosenSeat(row) {
  const who = row.querySelector("select")?.value ?? "";
  const name = row.querySelector("input")?.value.trim() ?? "";
  if (who.startsWith("bot ")) return { who: "bot", level: who.slice(4) + chosenStyle(row) };
  if (who !== "me" && who !== "link") return { who: "open" };
  return name ? { who, name } : { who };
}

/**
 * The style of a bot, as a level has it: "-patient".
 * @param {Element} row
 */
function chosenStyle(row) {
  const style = row.querySelector("div.style:not([hidden]) select");
  return style instanceof HTMLSelectElement && style.value ? `-${style.value}` : "";
}

/**
 * @param {number} from
 * @param {number} to
 */
function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_unused, place) => from + place);
}
