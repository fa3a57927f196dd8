// @ts-check
// The dialog that sets up a table: how many play, who sits where, the game's options.

import { field, make, part } from "../lib/dom.js";
import { hasWon } from "../lib/first_win.js";
import { matchLevel } from "../lib/match_level.js";
import { rememberedName, rememberName } from "../lib/my_name.js";
import { messageOf } from "../lib/toast.js";
import { _ } from "../lib/translate.js";
import { openTable, rememberSetup } from "./opening.js";
import { chosenOptions, optionFields, optionValues, restoreOptions } from "./options.js";

/** @typedef {import("../wire").GameCard} Game */
/** @typedef {import("../wire").LevelCard} Level */
/** @typedef {import("../wire").NewSeat} NewSeat */
/** @typedef {import("../wire").PersonMet} Person */
/** @typedef {import("./opening.js").Setup} Setup */
/** @typedef {import("../wire").VariantCard} Variant */

/**
 * The elements from which a table can be set up.
 * @typedef {object} Choices
 * @property {Game[]} games
 * @property {Level[]} levels
 * @property {Person[]} people who can be challenged
 */

const NAME_LENGTH = 40;
const GENTLEST = "1"; // the beginner; the random bot does not play a game

export class SetupDialog {
  #dialog = part("setup", HTMLDialogElement);
  #form = part("setup-form", HTMLFormElement);
  #games = field(this.#form, "game", HTMLSelectElement);
  #players = field(this.#form, "players", HTMLSelectElement);
  #seats = part("setup-seats");
  #options = part("setup-options");
  #company = part("setup-company");
  #hints = field(this.#form, "hints");
  #watchable = field(this.#form, "watchable");
  #rated = field(this.#form, "rated");
  #whyUnrated = part("setup-unrated");
  #clock = field(this.#form, "clock", HTMLSelectElement);
  #start = part("setup-start", HTMLButtonElement);
  #error = part("setup-error");
  #whyName = make(
    "small",
    { id: "why-name", class: "dim", hidden: true },
    _("Your guests see this name on the invitation."),
  );
  /** @type {Game | null} */
  #game = null;
  /** @type {Level[]} */
  #levels = [];
  /** @type {Person[]} */
  #people = [];
  /** @type {Variant["settings"]} */
  #preset = {};
  /** @type {{choices: Choices, person: Person, last: Setup | undefined} | null} the challenge that is set up */
  #challenge = null;
  /** Whether no two people play: some things are asked of people alone. */
  #areBots = true;

  constructor() {
    this.#form.addEventListener("submit", (event) => this.#submit(event));
    this.#form.addEventListener("change", () => this.#showCompany());
    this.#players.addEventListener("change", () => this.#setSeats(Number(this.#players.value)));
    this.#form.addEventListener("change", () => this.#mergeLevels());
    this.#games.addEventListener("change", () => this.#setUpChallenge());
    part("setup-cancel").addEventListener("click", () => this.#dialog.close());
  }

  /**
   * @param {Choices} choices
   * @param {Game} game
   * @param {Variant} [variant] whose settings are not asked for
   */
  open(choices, game, variant) {
    this.#challenge = null;
    part("setup-game").hidden = true;
    this.#fill(choices, game, variant);
    this.#show((variant ?? game).title);
  }

  /**
   * Set up a table for someone who is challenged, as the last table of this browser was.
   * @param {Choices} choices
   * @param {Person} person
   * @param {Setup} [last]
   */
  challenge(choices, person, last) {
    this.#challenge = { choices, person, last };
    part("setup-game").hidden = false;
    this.#games.replaceChildren(...choices.games.flatMap(gameOptions));
    const played = choices.games.find(({ name }) => name === last?.game);
    const variant = played?.variants.find(({ settings }) => last && isPart(settings, last.options));
    if (played) this.#games.value = variant ? `${played.name}/${variant.name}` : played.name;
    this.#setUpChallenge();
    this.#show(_("Challenge {name}", { name: person.name }));
  }

  /** Ask how to play the chosen game against the person who is challenged. */
  #setUpChallenge() {
    const [name = "", variantName] = this.#games.value.split("/");
    const game = this.#challenge?.choices.games.find((known) => known.name === name);
    if (!this.#challenge || !game) return;
    const { choices, person, last } = this.#challenge;
    this.#fill(
      choices,
      game,
      game.variants.find((known) => known.name === variantName),
    );
    if (last?.game === name) this.#restore(last);
    const who = this.#seats.children[1]?.querySelector("select");
    if (who) who.value = `person ${person.profile}`;
    who?.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /**
   * @param {Choices} choices
   * @param {Game} game
   * @param {Variant} [variant]
   */
  #fill({ levels, people }, game, variant) {
    this.#game = game;
    this.#preset = variant?.settings ?? {};
    this.#levels = levels;
    this.#people = people;
    const counts = range(game.min_players, game.max_players);
    this.#players.replaceChildren(...counts.map((count) => make("option", { value: count }, count)));
    part("setup-players").hidden = counts.length === 1;
    this.#seats.replaceChildren();
    this.#setSeats(game.min_players);
    this.#options.replaceChildren(...optionFields(game.options, this.#preset));
    part("setup-more").hidden = this.#options.children.length === 0;
    this.#mergeLevels();
  }

  /** Offer no level that plays no better at this table than the next weaker one; choose that one instead. */
  #mergeLevels() {
    const merged = new Set(
      this.#fitting(this.#game?.merged ?? []).flatMap(({ levels }) => levels.map((level) => `bot ${level}`)),
    );
    for (const option of this.#seats.querySelectorAll("option")) {
      option.hidden = option.disabled = merged.has(option.value);
      const weaker = option.previousElementSibling;
      if (option.disabled && option.selected && weaker instanceof HTMLOptionElement) weaker.selected = true;
    }
  }

  /**
   * Those that apply to the table as it is set up.
   * @template {{seats: number[], settings: Variant["settings"]}} ForTables
   * @param {ForTables[]} known
   */
  #fitting(known) {
    const values = optionValues(this.#form, this.#game?.options ?? [], this.#preset);
    const count = this.#seats.children.length;
    return known.filter(
      ({ seats, settings }) => (seats.length === 0 || seats.includes(count)) && isPart(settings, values),
    );
  }

  /** @param {string} title */
  #show(title) {
    part("setup-title").textContent = title;
    this.#error.hidden = true;
    this.#showCompany();
    this.#dialog.showModal();
    this.#start.focus();
  }

  /**
   * Choose what was chosen last: how many play and which bots, the clock and the options.
   * @param {Setup} last
   */
  #restore(last) {
    this.#players.value = String(last.seats.length);
    this.#setSeats(last.seats.length);
    for (const [seat, { who, level = "" }] of last.seats.entries()) {
      const [select, style] = this.#seats.children[seat]?.querySelectorAll("select") ?? [];
      if (who !== "bot" || !select || !style) continue;
      [select.value, style.value] = [`bot ${level.split("-")[0]}`, level.split("-")[1] ?? ""];
      select.dispatchEvent(new Event("change", { bubbles: true }));
    }
    this.#clock.value = last.clock ? `${last.clock.kind} ${last.clock.seconds} ${last.clock.increment ?? 0}` : "";
    restoreOptions(this.#form, last.options);
    this.#mergeLevels();
  }

  /** Ask for agreements only where people play against people, or one may play a rated game against bots. */
  #showCompany() {
    const seats = [...this.#seats.children].map(chosenSeat);
    const ratings = this.#ratingsOfBots(seats);
    this.#areBots = seats.filter(({ who }) => who !== "bot").length < 2;
    this.#company.hidden = this.#areBots && ratings.length === 0;
    for (const among of [this.#hints, this.#watchable]) labelOf(among).hidden = this.#areBots;
    this.#whyName.hidden = !isNamelessHost(seats);
    part("setup-reminders").hidden = !this.#clock.value.startsWith("days");
    const reason = this.#reasonAgainstRating(seats);
    this.#whyUnrated.replaceChildren(...(reason.length > 0 ? reason : toldOfBots(ratings)));
    this.#rated.disabled = reason.length > 0;
    if (this.#rated.disabled) this.#rated.checked = false;
    this.#hints.disabled = this.#rated.checked;
    if (this.#rated.checked) this.#hints.checked = false;
  }

  /**
   * The ratings of the bots, if one person with a profile may play a rated game against them.
   * @param {NewSeat[]} seats
   */
  #ratingsOfBots(seats) {
    const bots = seats.filter(({ who }) => who === "bot");
    const isAlone = seats.filter(({ who }) => who === "me").length === 1 && bots.length === seats.length - 1;
    if (!isAlone || !this.#dialog.dataset.myName || labelOf(this.#rated).hidden) return [];
    const known = this.#fitting(this.#game?.fixed_points ?? [])[0]?.levels ?? [];
    const ratings = bots.flatMap((bot) => known.filter(({ level }) => level === bot.level));
    return ratings.length === bots.length ? ratings : [];
  }

  /**
   * Say why the result cannot change ratings; nothing if it can.
   * @param {NewSeat[]} seats
   * @returns {(string | Node)[]}
   */
  #reasonAgainstRating(seats) {
    if (!this.#dialog.dataset.myName) {
      const next = encodeURIComponent(`/?play=${this.#game?.name}`);
      return [_("A rated game needs a profile."), " ", make("a", { href: `/me?next=${next}` }, _("Create my profile"))];
    }
    const others = seats.filter(({ who }) => who !== "me");
    const bots = others.filter(({ who }) => who === "bot");
    if (others.length !== seats.length - 1 || (bots.length > 0 && this.#ratingsOfBots(seats).length === 0)) {
      return [_("In a rated game your opponents are either all people or all bots.")];
    }
    return this.#clock.value ? [] : [_("A rated game needs a clock.")];
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
    if (seat === 0) name.value = rememberedName() || (this.#dialog.dataset.myName ?? "");
    if (seat === 0) name.setAttribute("aria-describedby", this.#whyName.id);
    const style = this.#styleField(number);
    const fit = () => {
      name.hidden = who.value !== "me" && who.value !== "link";
      style.hidden = !this.#hasStyles(who.value);
    };
    who.addEventListener("change", fit);
    fit();
    return make("li", {}, who, name, seat === 0 ? this.#whyName : null, style);
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
    const met = this.#people.map(({ profile, name }) => make("option", { value: `person ${profile}` }, name));
    const bots = this.#levels.map(({ level, name }) =>
      make("option", { value: `bot ${level}` }, _("Bot: {name}", { name })),
    );
    const who = make(
      "select",
      { "aria-label": _("Player at seat {number}", { number: seat + 1 }) },
      make("option", { value: "me" }, _("Me, on this screen")),
      make("option", { value: "link" }, _("A friend, by link")),
      make("option", { value: "open" }, _("Anyone")),
      met.length > 0 ? make("optgroup", { label: _("People I met") }, ...met) : null,
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

  /** The title of the game, or of its variant. */
  get #title() {
    const chosen = this.#challenge ? this.#games.selectedOptions[0] : part("setup-title");
    return chosen?.textContent ?? "";
  }

  /**
   * Open the table, and remember how it was set up.
   * @param {NewSeat[]} seats
   */
  async #openTable(seats) {
    const isRated = !this.#company.hidden && this.#rated.checked;
    const setup = {
      game: this.#game?.name ?? "",
      options: chosenOptions(this.#form, this.#game?.options ?? [], this.#preset),
      seats,
      hints: this.#hints.checked,
      watchable: !this.#areBots && this.#watchable.checked,
      clock: chosenClock(this.#areBots && !isRated ? "" : this.#clock.value),
      rated: isRated,
    };
    const address = await openTable(setup);
    rememberSetup(this.#title, setup);
    return address;
  }
}

/**
 * The notice before a rated game against bots.
 * @param {import("../wire").BotRating[]} ratings
 */
function toldOfBots(ratings) {
  if (ratings.length === 0) return [];
  const told = ratings.map(({ rating, margin }) => (margin > 0 ? `${rating} ± ${margin}` : `${rating}`));
  return [
    _(
      "These bots are rated {ratings}. You can play one such game at a time; if you leave it, you lose when its clock runs out.",
      {
        ratings: [...new Set(told)].join(", "),
      },
    ),
  ];
}

/**
 * Whether someone invites others without saying who they are.
 * @param {NewSeat[]} seats
 */
function isNamelessHost([first, ...others]) {
  return first?.who === "me" && !first.name && others.some(({ who }) => who === "link" || who === "open");
}

/** @param {HTMLElement} input */
function labelOf(input) {
  return /** @type {HTMLElement} */ (input.closest("label"));
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
  if (who.startsWith("person ")) {
    const challenged = row.querySelector("option:checked")?.textContent ?? "";
    return { who: "link", profile: who.slice(7), name: challenged };
  }
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
 * A game and its variants, to choose from.
 * @param {Game} game
 */
function gameOptions({ name, title, variants }) {
  const more = variants.map((variant) => make("option", { value: `${name}/${variant.name}` }, variant.title));
  return [make("option", { value: name }, title), ...more];
}

/**
 * Whether all values of some settings are among others.
 * @param {Record<string, unknown>} some
 * @param {Record<string, unknown>} all
 */
function isPart(some, all) {
  return Object.entries(some).every(([name, value]) => all[name] === value);
}

/**
 * @param {number} from
 * @param {number} to
 */
function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_unused, place) => from + place);
}
