// The moment one looks at: a link to it, a picture of it, and playing on from it at a table of one's own.

import { get, post } from "./api.js";
import { button, make, part } from "./dom.js";
import { showLink } from "./links.js";
import { toast } from "./toast.js";
import { _ } from "./words.js";

const SPECTATOR = -5;
const PNG_SCALE = 2;

export class Moment {
  constructor(table, timeline) {
    this.table = table;
    this.url = `/api/tables/${table}`;
    this.timeline = timeline;
    this.view = null;
    this.branches = { open: false, branched_from: null, branches: [] };
    for (const change of ["past", "now"]) timeline.addEventListener(change, () => this.offer());
    part("moment-play").addEventListener("click", () => this.attempt(() => this.askHow()));
    part("moment-link").addEventListener("click", () => this.attempt(() => this.link()));
    part("moment-png").addEventListener("click", () => this.attempt(() => this.png()));
  }

  /** The ply one looks at. */
  get ply() {
    return this.timeline.at ?? this.view.last_ply;
  }

  async attempt(work) {
    try {
      await work();
    } catch (error) {
      toast(error.message);
    }
  }

  show(view) {
    const first = this.view === null;
    const isNews = first || this.view.over !== view.over;
    this.view = view;
    this.offer();
    if (isNews) this.attempt(() => this.look());
    const at = new URLSearchParams(location.search).get("at");
    if (first && /^\d+$/.test(at ?? "")) this.timeline.go(Number(at));
  }

  /** What can be done with this moment. */
  offer() {
    const { view } = this;
    if (!view) return;
    part("moment").hidden = this.timeline.at === null && !view.over;
    part("moment-play").hidden = !this.branches.open || (view.over && this.ply === view.last_ply);
    part("moment-svg").href = this.picture();
  }

  picture() {
    return `${this.url}/picture.svg?${new URLSearchParams({ viewer: this.view.viewer, at: this.ply })}`;
  }

  // Links.

  async link() {
    const { ply, view } = this;
    if (view.mine.length === 0 && !view.host) {
      await showLink(`/t/${this.table}?at=${ply}`, _("This link opens the game at this moment, for those who have joined this table."));
      return;
    }
    const [path, secret] = (await post(`${this.url}/links`, { seat: SPECTATOR })).url.split("#");
    await showLink(`${path}?at=${ply}#${secret}`, _("Whoever opens this link can watch, and sees this moment first."));
  }

  // Pictures.

  /** The picture as PNG, painted here. */
  async png() {
    const image = new Image();
    image.src = this.picture();
    await image.decode().catch(() => Promise.reject(new Error(_("The picture could not be painted."))));
    const canvas = make("canvas", { width: image.naturalWidth * PNG_SCALE, height: image.naturalHeight * PNG_SCALE });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((painted) => { canvas.toBlob(painted, "image/png"); });
    if (!blob) throw new Error(_("The picture could not be painted."));
    const address = URL.createObjectURL(blob);
    make("a", { href: address, download: `${this.view.game}-${this.table}-${this.ply}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  // Playing on.

  /** Where this table comes from, and what came of it. */
  async look() {
    this.branches = await get(`${this.url}/branches`);
    this.offer();
    const { branched_from: origin, branches } = this.branches;
    const host = part("branches");
    host.hidden = !origin && branches.length === 0;
    host.replaceChildren();
    if (origin) {
      host.append(make("p", {}, _("This table plays on from moment {ply} of another.", { ply: origin.ply }), " ",
        make("a", { href: origin.url }, _("Back to the original"))));
    }
    if (branches.length > 0) {
      host.append(make("h2", {}, _("Played on from here")), make("ul", { class: "sides" }, ...branches.map((branch) =>
        make("li", {}, make("a", { href: branch.url }, _("From moment {ply}", { ply: branch.from_ply })), " ",
          make("span", { class: "dim" }, branch.over ? _("over") : _("running"))))));
    }
  }

  /** Which seat is mine, and how well the others play. */
  async askHow() {
    const levels = await get("/api/levels");
    const { ply, view } = this;
    const seat = make("select", {},
      ...view.seats.map(({ seat: number, name }) => make("option", { value: number, selected: number === (view.mine[0] ?? 0) }, name)),
      make("option", { value: SPECTATOR }, _("Nobody: I watch the bots")));
    const level = make("select", {}, ...levels.map(({ level: value, name }, place) =>
      make("option", { value, selected: place === Math.floor(levels.length / 2) }, name)));
    const dialog = make("dialog", { class: "setup", "aria-labelledby": "play-on-title" },
      make("h2", { id: "play-on-title" }, _("Play from here")),
      make("p", {}, _("A table of your own, from this moment on, against bots; its dice are new. This game stays as it is.")),
      make("label", { class: "line" }, make("span", {}, _("I play for")), seat),
      make("label", { class: "line" }, make("span", {}, _("The others")), level),
      make("div", { class: "row end" }, button(_("Cancel"), () => dialog.close(), { class: "quiet" }),
        button(_("Start"), () => this.attempt(() => this.playOn(ply, Number(seat.value), level.value)), { class: "main" })));
    document.body.append(dialog);
    dialog.addEventListener("close", () => dialog.remove());
    dialog.showModal();
  }

  async playOn(ply, seat, level) {
    location.assign((await post(`${this.url}/branch`, { ply, seat, level })).url);
  }
}
