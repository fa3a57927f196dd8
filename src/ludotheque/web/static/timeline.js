// The whole game so far: a slider over its moments, and the log, each line a way to its moment.

import { get } from "./api.js";
import { button, make, part } from "./dom.js";
import { toast } from "./toast.js";
import { _ } from "./words.js";

export class Timeline extends EventTarget {
  constructor(table) {
    super();
    this.url = `/api/tables/${table}`;
    this.at = null; // the ply looked at; null: now
    this.lines = [];
    this.slider = part("time");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    part("time-back").addEventListener("click", () => this.go(Number(this.slider.value) - 1));
    part("time-on").addEventListener("click", () => this.go(Number(this.slider.value) + 1));
    part("time-now").addEventListener("click", () => this.go(Infinity));
  }

  /** Follow the present. */
  follow(view) {
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
    for (const line of part("log").children) line.classList.toggle("later", Number(line.dataset.ply) > at);
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
      const past = await get(`${this.url}?as=${this.view.viewer}&at=${at}`);
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
