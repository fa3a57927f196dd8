// The whole game so far: a slider over its moments, and the log, each line a way to its moment.

import { get } from "./api.js";
import { button, make, part } from "./dom.js";
import { toast } from "./toast.js";
import { _ } from "./words.js";

const ROOM = { wide: 130, narrow: 95 }; // so many letters of news fit beside the board

export class Timeline extends EventTarget {
  constructor(table) {
    super();
    this.url = `/api/tables/${table}`;
    this.at = null; // the ply looked at; null: now
    this.lines = [];
    this.turns = new Map(); // seat at this screen -> the ply with which its last turn ended
    this.slider = part("time");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    part("time-back").addEventListener("click", () => this.go(Number(this.slider.value) - 1));
    part("time-on").addEventListener("click", () => this.go(Number(this.slider.value) + 1));
    part("time-now").addEventListener("click", () => this.go(Infinity));
  }

  /** Follow the present. */
  follow(view) {
    const before = this.view;
    if (before?.mine.includes(before.to_move) && before.to_move !== view.to_move) this.turns.set(before.to_move, before.last_ply + 1);
    this.view = view;
    if (this.at !== null && this.at > view.last_ply) this.at = null;
    this.slider.max = view.last_ply;
    this.tell(view.log);
    this.show();
  }

  show() {
    const now = this.view.last_ply;
    const at = this.at ?? now;
    this.slider.value = at;
    const told = _("{at} of {now}", { at, now });
    this.slider.setAttribute("aria-valuetext", told);
    part("time-told").textContent = told;
    part("time-now").hidden = this.at === null;
    part("time-back").disabled = at === 0;
    part("time-on").disabled = at === now;
    const news = this.news(at);
    for (const line of part("log").children) {
      line.classList.toggle("later", Number(line.dataset.ply) > at);
      line.classList.toggle("fresh", Number(line.dataset.ply) >= (news[0]?.ply ?? Infinity) && Number(line.dataset.ply) <= at);
    }
    part("news").textContent = inShort(news.map((line) => line.text));
    if (this.at !== null) showLine(part("log").querySelector(".fresh"));
  }

  /** What the log tells of the moment one looks at; of the present, all that came after one's own last turn. */
  news(at) {
    const told = this.lines.filter((line) => line.ply <= at);
    const mine = this.at === null ? this.turns.get(this.view.viewer) : undefined;
    const since = told.filter((line) => line.ply > mine);
    return since.length > 0 ? since : told.filter((line) => line.ply === told.at(-1).ply);
  }

  /** Look at a moment; at the last one, come back to now. */
  async go(ply) {
    const at = Math.max(0, ply);
    this.at = at >= this.view.last_ply ? null : at;
    this.show();
    if (this.at === null) {
      this.dispatchEvent(new CustomEvent("now"));
      return;
    }
    try {
      const past = await get(`${this.url}?viewer=${this.view.viewer}&at=${at}`);
      if (this.at === at) this.dispatchEvent(new CustomEvent("past", { detail: past }));
    } catch (error) {
      toast(error.message);
    }
  }

  /** Bring the log up to date; what was told already stays. */
  tell(lines) {
    const list = part("log");
    let same = 0;
    while (same < this.lines.length && same < lines.length && this.lines[same].ply === lines[same].ply
      && this.lines[same].text === lines[same].text) same += 1;
    while (list.children.length > same) list.lastChild.remove();
    for (const line of lines.slice(same)) {
      list.append(make("li", { "data-ply": line.ply }, button(line.text, () => this.go(line.ply))));
    }
    if (this.lines.length !== lines.length) list.scrollTop = list.scrollHeight;
    if (this.lines.length > 0) part("spoken").replaceChildren(...lines.slice(same).map((line) => make("p", {}, line.text)));
    this.lines = lines;
  }
}

/** Scroll the log, and only the log, until a line is in sight. */
function showLine(line) {
  const list = line?.parentElement;
  const above = line ? line.offsetTop - list.offsetTop - list.scrollTop : 0;
  if (above < 0 || above + (line?.offsetHeight ?? 0) > (list?.clientHeight ?? 0)) list.scrollTop += above - list.clientHeight / 2;
}

/** As many of the latest sentences as there is room for. */
function inShort(sentences) {
  const room = matchMedia("(max-width: 899px)").matches ? ROOM.narrow : ROOM.wide;
  let first = sentences.length - 1;
  while (first > 0 && sentences.slice(first - 1).join(" ").length <= room) first -= 1;
  return `${first > 0 ? "… " : ""}${sentences.slice(Math.max(0, first)).join(" ")}`;
}
