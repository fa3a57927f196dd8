// @ts-check
// The page of a table: creates its modules and connects them. Each module owns its elements; a view goes to all of
// them, and what a module reports is passed on here and nowhere else.

import { Board } from "./board/board.js";
import { RequestError } from "./lib/api.js";
import { button, make, part } from "./lib/dom.js";
import { choosePace } from "./lib/motion.js";
import { attempt, messageOf, toast } from "./lib/toast.js";
import { _ } from "./lib/translate.js";
import { PieceLabel } from "./play/piece_label.js";
import { Prompt } from "./play/prompt.js";
import { isTurn } from "./play/rotation.js";
import { Scores } from "./play/scores.js";
import { Sheet } from "./play/sheet.js";
import "./preferences.js";
import { Result } from "./table/after/result.js";
import { Review } from "./table/after/review.js";
import { Banner } from "./table/banner.js";
import { Connection } from "./table/connection.js";
import { DiceNote } from "./table/dice/dice_note.js";
import { Keys } from "./table/keys.js";
import { BotDelay } from "./table/people/bot_delay.js";
import { Chat } from "./table/people/chat.js";
import { Clocks } from "./table/people/clocks.js";
import { EndGame } from "./table/people/end_game.js";
import { EndOffer } from "./table/people/end_offer.js";
import { HandOver } from "./table/people/hand_over.js";
import { Invite } from "./table/people/invite.js";
import { enter, join } from "./table/people/joining.js";
import { Manage } from "./table/people/manage.js";
import { NextTable } from "./table/people/next_table.js";
import { Notifications } from "./table/people/notifications.js";
import { Players } from "./table/people/players.js";
import { PushSwitch } from "./table/people/push_switch.js";
import { Rematch } from "./table/people/rematch.js";
import { Reminder } from "./table/people/reminder.js";
import { Watching } from "./table/people/watching.js";
import { Sounds } from "./table/sounds.js";
import { TABLE, Tabs } from "./table/tabs.js";
import { TextDescription } from "./table/text_description.js";
import { Branches } from "./table/time/branches.js";
import { EventCards } from "./table/time/event_cards.js";
import { Log } from "./table/time/log.js";
import { News } from "./table/time/news.js";
import { Played } from "./table/time/played.js";
import { Position } from "./table/time/position.js";
import { Timeline } from "./table/time/timeline.js";
import { Ahead } from "./table/turn/ahead.js";
import { ConfirmMoves } from "./table/turn/confirm_moves.js";
import { Draft } from "./table/turn/draft.js";
import { ForcedMoves } from "./table/turn/forced.js";
import { Gained } from "./table/turn/gained.js";
import { Gains } from "./table/turn/gains.js";
import { Hint } from "./table/turn/hint.js";
import { Overlay } from "./table/turn/overlay.js";
import { Preview } from "./table/turn/preview.js";
import { TypedMove } from "./table/turn/typed_move.js";
import { Undo } from "./table/turn/undo.js";
import { Vibration } from "./table/vibration.js";
import { secretOf } from "./table/view.js";

/** @typedef {import("./table/view.js").View} View */
/** @typedef {{version: number, state: "drafting" | "waiting"}} Sent */
/** @typedef {{follow: (view: View) => void}} Follower a module that every view goes to */

const SLOW = 1000; // milliseconds after which a move that is not answered is told of

class TablePage {
  #playArea = part("play-area");
  #hasDeclined = false;
  /** @type {View | null} */
  #view = null;
  /** @type {Sent | null} what is on its way to the server, and for what */
  #sent = null;
  #slow = 0; // the timer that tells of a move that is not answered
  /** @type {Promise<void> | null} the backdrop being loaded, or loaded */
  #backdrop = null;
  /** @type {Follower[]} */
  #followers;
  /** @type {Follower[]} those that follow news of the seats alone */
  #seatFollowers;

  constructor() {
    const { table = "", title = "" } = this.#playArea.dataset;
    this.board = new Board(part("board"));
    this.connection = new Connection(table);
    this.timeline = new Timeline();
    this.log = new Log(this.board);
    this.news = new News(this.board);
    this.confirmMoves = new ConfirmMoves();
    this.draft = new Draft();
    this.forcedMoves = new ForcedMoves();
    this.prompt = new Prompt(this.board, () => this.confirmMoves.isOn);
    this.preview = new Preview(this.board);
    this.played = new Played(this.board);
    this.hint = new Hint(this.board);
    this.banner = new Banner();
    this.sheet = new Sheet();
    this.overlay = new Overlay(this.board);
    this.description = new TextDescription();
    this.ahead = new Ahead();
    this.clocks = new Clocks();
    this.scores = new Scores((seat) => this.clocks.element(seat));
    this.invite = new Invite();
    this.players = new Players(this.clocks, (seat) => this.invite.open(seat));
    this.botDelay = new BotDelay();
    this.chat = new Chat(table, (seat) => Boolean(this.#view?.mine.includes(seat)));
    this.tabs = new Tabs();
    this.undo = new Undo(this.connection);
    this.typedMove = new TypedMove(this.connection);
    this.handOver = new HandOver(this.connection);
    this.position = new Position(this.timeline);
    this.branches = new Branches(this.timeline);
    this.diceNote = new DiceNote();
    this.manage = new Manage();
    this.endGame = new EndGame();
    this.endOffer = new EndOffer();
    this.result = new Result();
    this.watching = new Watching();
    this.rematch = new Rematch(() => this.nextTable.url);
    this.review = new Review(this.timeline, this.board);
    this.sounds = new Sounds();
    this.vibration = new Vibration();
    this.gains = new Gains(this.board);
    this.gained = new Gained();
    this.eventCards = new EventCards(this.board);
    choosePace(part("speed", HTMLSelectElement));
    this.notifications = new Notifications(title);
    this.nextTable = new NextTable(table);
    this.pushSwitch = new PushSwitch();
    this.reminder = new Reminder();
    this.pieceLabel = new PieceLabel(this.board);
    this.board.gestures.listenToButtons();
    this.keys = new Keys();
    listenToKey();
    this.#followers = this.#listFollowers();
    this.#seatFollowers = [
      this.draft,
      this.clocks,
      this.invite,
      this.players,
      this.botDelay,
      this.diceNote,
      this.manage,
      this.watching,
    ];
    this.#connectModules();
  }

  #connectModules() {
    this.connection.on("view", (view) => this.#show(view));
    this.connection.on("seats", (message) => this.#showSeats(message));
    this.connection.on("chat", ({ messages }) => this.chat.add(messages));
    this.connection.on("state", (state) => this.#showConnection(state));
    this.tabs.on("select", () => this.#showTab());
    this.eventCards.on("done", () => this.#refreshLive());
    this.clocks.on("up", () => this.#view && this.players.follow(this.#view));
    this.timeline.on("at", (ply) => this.log.mark(ply, this.timeline.isLive));
    this.timeline.on("line", (line) => this.log.followLine(line));
    this.timeline.on("past", (past) => this.#showPast(past));
    this.timeline.on("live", () => this.#refreshLive());
    this.log.on("go", (ply) => this.timeline.visit(ply));
    this.log.on("look", (ply) => this.played.look(ply === null ? null : { since: ply - 1, until: ply }));
    this.log.on("news", (lines) => this.news.tell(lines));
    this.news.on("look", (plies) => this.played.look(plies));
    this.news.on("again", (ply) => this.timeline.play(ply));
    this.played.on("shown", (shown) => this.news.illustrate(shown));
    this.prompt.on("decide", (move) => this.#decide(move));
    this.prompt.on("move", (move) => this.#play(move));
    this.prompt.on("picked", () => this.tabs.select(TABLE)); // where the button is that plays
    this.prompt.on("back", (place) => this.#takeBack(place));
    this.prompt.on("consider", (move) => this.#consider(move));
    this.prompt.on("asking", (left) => this.#view && this.banner.showFollowUp(this.draft.view ?? this.#view, left));
    this.prompt.on("refuse", () => this.vibration.refuse());
    this.prompt.on("refuse", ({ steps, after }) => this.preview.refuse(steps, [...this.draft.actions, ...after]));
    this.forcedMoves.on("announce", (move) => this.banner.showForced(move));
    this.forcedMoves.on("play", (move) => this.#play(move));
    this.hint.on("look", (action) => this.preview.show(action));
  }

  async begin() {
    addEventListener("hashchange", () => secretOf(location.hash) && location.reload()); // a new link to this table
    await this.#connect();
    if (this.#playArea.dataset.admits) this.#loadBackdrop(); // otherwise with the first view
    this.nextTable.on("count", (count) => {
      this.notifications.countOthers(count);
      this.#refreshLive();
    });
  }

  /** Join by the link's secret, if it has one, and connect; the address keeps a secret that has not been used. */
  async #connect() {
    const { table } = this.connection;
    const secret = secretOf(location.hash);
    if (secret) {
      const coming = await attempt(() => join(table, secret));
      this.#hasDeclined = coming === "declined";
      if (coming === "joined") history.replaceState(null, "", location.pathname + location.search);
    } else if (this.#playArea.dataset.locked) await attempt(() => enter(table));
    this.connection.open();
  }

  /** Load the backdrop, once; if that fails, the next view tries again. */
  #loadBackdrop() {
    const { backdrop = "", styles = "" } = this.#playArea.dataset;
    this.#backdrop ??= this.board.load(backdrop, styles).catch((error) => {
      this.#backdrop = null;
      toast(messageOf(error));
    });
  }

  // Showing.

  /** @param {View} view */
  #show(view) {
    this.#view = view;
    clearTimeout(this.#slow);
    this.#loadBackdrop();
    if (this.timeline.isLive) this.board.rememberTray();
    for (const follower of this.#followers) follower.follow(view);
  }

  /**
   * All that follow a view, in this order: those that the board depends on, the board, and what is around it.
   * @returns {Follower[]}
   */
  #listFollowers() {
    return [
      this.draft,
      this.sounds,
      this.vibration,
      this.preview,
      this.hint,
      this.typedMove,
      this.pieceLabel,
      this.news,
      this.log,
      this.timeline,
      this.gained,
      this.clocks,
      { follow: (view) => this.#showBoard(view) },
      { follow: (view) => this.eventCards.follow(view, this.timeline.isLive) },
      { follow: (view) => this.#showGains(view) },
      { follow: (view) => this.#followEnd(view) },
      this.ahead,
      this.invite,
      this.players,
      this.botDelay,
      this.position,
      this.branches,
      this.undo,
      this.handOver,
      this.notifications,
      this.nextTable,
      this.pushSwitch,
      this.reminder,
      this.diceNote,
      this.manage,
      this.endGame,
      this.endOffer,
      this.watching,
      this.tabs,
    ];
  }

  /** @param {View} view */
  #showBoard(view) {
    if (this.timeline.line) this.log.followLine(this.timeline.line);
    if (this.timeline.isLive) this.#showLive(view);
    else this.#showPastBanner(view, this.timeline.ply);
  }

  /** @param {View} view */
  #showLive(view) {
    if (this.draft.isBegun && this.draft.view) {
      this.#showDraft(this.draft.view);
      return;
    }
    this.#showPosition(view);
    if (!view.over) this.banner.show(view);
    this.#ask(view);
  }

  /**
   * Show the result, or that there is none yet; not before the cards of the last events have been read.
   * @param {View} view
   */
  #followEnd(view) {
    if (this.#areCardsRead) this.forcedMoves.stop();
    if (view.over && this.timeline.isLive) this.#showEndBanner(view);
    if (view.over && this.eventCards.isShowing) return;
    if (view.over && !this.#playArea.classList.contains("ended")) this.board.framing.fit();
    this.#playArea.classList.toggle("ended", view.over); // also while an earlier position is shown
    for (const follower of [this.result, this.rematch, this.review]) follower.follow(view);
  }

  /** Whether someone reads cards; for one who looks elsewhere they wait, but the game does not. */
  get #areCardsRead() {
    return this.eventCards.isShowing && !document.hidden;
  }

  /** @param {View} view */
  #showEndBanner(view) {
    if (this.eventCards.isShowing) this.banner.showEnding();
    else this.banner.show(view);
  }

  /** Show the present anew; while someone looks at an earlier position, the result alone. */
  #refreshLive() {
    if (!this.#view) return;
    if (this.timeline.isLive) this.#showLive(this.#view);
    this.#showGains(this.#view);
    this.#followEnd(this.#view);
  }

  /** @param {View} view */
  #showGains(view) {
    if (this.timeline.isLive && !this.draft.isBegun) this.gains.follow(view, this.eventCards.isShowing);
  }

  /**
   * The position as the decisions so far would make it, without moving the board under the pointer.
   * @param {View} view
   */
  #showDraft(view) {
    this.board.show(view.scene, true);
    this.#showFrame();
    this.scores.show(view, this.gained.texts);
    this.sheet.show(view);
    this.description.show(view);
    this.banner.show(view);
    this.#ask(view, this.draft);
  }

  /**
   * Ask what to do in a position, unless that is decided and on its way to the server.
   * @param {View} view
   * @param {Draft | null} [draft] the decisions of this turn before it
   */
  #ask(view, draft = null) {
    this.#showState(view);
    if (view.version === this.#sent?.version) return;
    this.prompt.ask(view.choices, view.scene.continues, draft);
    if (draft || this.#areCardsRead) this.forcedMoves.stop();
    else this.forcedMoves.ask(view);
    this.hint.offer(!draft && view.choices.length > 0 && view.hints);
  }

  /** @param {View} past */
  #showPast(past) {
    this.eventCards.end(); // one may be about to show the board that it tells of
    this.prompt.ask([]);
    this.forcedMoves.stop();
    this.hint.offer(false);
    this.#showPosition(past);
    if (!this.#view) return;
    this.#showPastBanner(this.#view, past.ply);
    this.#showState(this.#view);
  }

  /**
   * @param {View} view the present
   * @param {number} at the ply on the board
   */
  #showPastBanner(view, at) {
    const { line } = this.timeline;
    if (line) this.banner.showLine(line, at);
    else this.banner.showPast(view, at);
  }

  /** @param {View} view */
  #showPosition(view) {
    const { viewer, to_move } = view;
    this.board.showAsWaiting(viewer >= 0 && to_move >= 0 && viewer !== to_move);
    this.board.show(view.scene);
    this.overlay.show(view);
    this.played.show(view, this.timeline.isLive);
    this.#showFrame();
    this.scores.show(view, this.timeline.isLive ? this.gained.texts : []);
    this.sheet.show(view);
    this.description.show(view);
  }

  /** The frame around an earlier position. */
  #showFrame() {
    this.#playArea.classList.toggle("past", !this.timeline.isLive);
  }

  /**
   * The page's state, for styles and tests: `asking`, `drafting` (a decision of a turn is tried), `waiting`, `past` or
   * `over`; `gone` where there is no table.
   * @param {View} view
   */
  #showState(view) {
    const sent = view.version === this.#sent?.version ? this.#sent.state : null;
    const live = view.over ? "over" : (sent ?? (view.choices.length > 0 ? "asking" : "waiting"));
    this.#playArea.dataset.state = this.timeline.isLive ? live : "past";
    this.#playArea.dataset.version = String(view.version);
  }

  /** @param {import("./wire").SeatsMessage} message */
  #showSeats({ seats, watchers, pace, clock }) {
    if (!this.#view) return;
    const view = { ...this.#view, seats, watchers, pace, clock };
    this.#view = view;
    for (const follower of this.#seatFollowers) follower.follow(view);
    if (!this.timeline.isLive) return;
    if (view.over) this.#showEndBanner(view);
    else this.banner.show(this.draft.view ?? view);
  }

  /** @param {import("./table/connection.js").State} state */
  #showConnection(state) {
    const host = part("lost");
    host.hidden = state === "open";
    if (state === "lost") host.textContent = _("The connection was lost; trying again…");
    if (state === "gone") this.#showGone(host);
    if (state === "unplayable") this.#showUnplayable(host);
  }

  /** @param {HTMLElement} host */
  #showGone(host) {
    const join = secretOf(location.hash) ? this.#joinButton() : null;
    const sentence = this.#hasDeclined
      ? _("You have declined, and the host can see it. If you change your mind, the link still works.")
      : _("There is no such table, or you need a link to it.");
    host.classList.toggle("declined", this.#hasDeclined);
    this.#showInstead(host, sentence, join);
  }

  /** @param {HTMLElement} host */
  #showUnplayable(host) {
    const reload = button(_("Why?"), () => location.reload());
    this.#showInstead(host, _("The server cannot show this table any more."), reload);
  }

  /**
   * Show a sentence instead of the table.
   * @param {HTMLElement} host
   * @param {string} sentence
   * @param {HTMLElement | null} offer
   */
  #showInstead(host, sentence, offer) {
    this.#playArea.dataset.state = "gone";
    const lobby = make("a", { class: "button", href: "/" }, _("Back to lobby"));
    host.replaceChildren(make("p", {}, sentence), make("p", { class: "row" }, offer, lobby));
  }

  #joinButton() {
    const join = button(_("Join the table"), () => {
      join.disabled = true;
      this.#connect();
    });
    return join;
  }

  #showTab() {
    this.chat.showUnread();
    this.log.scrollToEnd();
  }

  // Playing.

  /** @param {import("./play/prompt.js").Actions | null} move */
  #consider(move) {
    this.preview.show(move ? move.action : null, [...this.draft.actions, ...(move?.before ?? [])]);
  }

  /**
   * Decisions after which the turn may go on: ask the next one, or play the whole turn.
   * @param {import("./play/prompt.js").Actions & {label: string}} decision
   */
  async #decide({ action, before, label }) {
    if (!this.#view) return;
    const sent = this.#send(this.#view, "drafting");
    const turn = await attempt(() => this.#add([...before, action], label));
    this.#forget(sent);
    if (turn === "is over") {
      this.#showState(this.#view);
      this.prompt.finish();
      return;
    }
    if (turn === null) this.prompt.askAgain();
    this.#refreshLive();
  }

  /**
   * Add decisions to the turn; what fits in several ways is laid the first way round, and can be turned there.
   * @param {number[]} actions
   * @param {string} label
   */
  async #add(actions, label) {
    const turn = await this.draft.add(actions, label);
    const ways = turn === "goes on" ? (this.draft.view?.choices ?? []) : [];
    const [way] = ways.every(isTurn) ? ways : [];
    if (way?.action != null) await this.draft.add([way.action], way.label); // unless the turn would be over with it
    return turn;
  }

  /** @param {number} place of the decision to take back, with those after it */
  #takeBack(place) {
    this.draft.dropFrom(place);
    this.#refreshLive();
  }

  /** @param {import("./play/prompt.js").Actions} move the last decisions of the turn */
  async #play({ action, before }) {
    if (!this.#view) return;
    const { version, viewer: seat } = this.#view;
    const [first = action, ...then] = [...this.draft.actions, ...before, action];
    const sent = this.#send(this.#view, "waiting");
    clearTimeout(this.#slow);
    this.#slow = setTimeout(() => this.timeline.isLive && this.banner.showSending(), navigator.onLine ? SLOW : 0);
    try {
      await this.connection.send({ type: "move", seat, version, action: first, then });
    } catch (error) {
      toast(messageOf(error));
      this.#forget(sent);
      this.#refused(error, version);
    }
  }

  /**
   * @param {View} view that the decision is for
   * @param {"drafting" | "waiting"} state
   */
  #send(view, state) {
    const sent = { version: view.version, state };
    this.#sent = sent;
    this.#showState(view);
    return sent;
  }

  /**
   * The server has answered; by now something else may be on its way.
   * @param {Sent} sent
   */
  #forget(sent) {
    if (this.#sent !== sent) return;
    this.#sent = null;
    clearTimeout(this.#slow);
  }

  /**
   * A move was refused: fetch the position that it came too late for, or ask again.
   * @param {unknown} error
   * @param {number} version
   */
  #refused(error, version) {
    if (error instanceof RequestError && error.error === "stale-version") {
      attempt(() => this.connection.send({ type: "refresh" }));
    } else if (this.#view?.version === version) {
      this.draft.dropFrom(0);
      this.prompt.askAgain();
      this.#refreshLive();
    }
  }
}

/** The button that opens the key to the board; a game may have none. */
function listenToKey() {
  const opener = document.querySelector("[data-part=key-open]");
  opener?.addEventListener("click", () => part("key", HTMLDialogElement).showModal());
}

attempt(() => new TablePage().begin());
