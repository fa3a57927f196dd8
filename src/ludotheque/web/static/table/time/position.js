// @ts-check
// The position of the game that is shown: a link to it and a picture of it.

import { isTilted } from "../../board/tilt_button.js";
import { post } from "../../lib/api.js";
import { make, part } from "../../lib/dom.js";
import { showLink } from "../../lib/link_dialog.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { hasSay, SPECTATOR, tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */

const PNG_SCALE = 2;
const KEEP_PNG = 10_000; // milliseconds until a downloaded picture is forgotten

export class Position {
  #tools = part("moment");
  #link = part("moment-link");
  #svg = part("moment-svg", HTMLAnchorElement);
  #png = part("moment-png");
  /** @type {View | null} */
  #view = null;

  /** @param {import("./timeline.js").Timeline} timeline */
  constructor(timeline) {
    this.timeline = timeline;
    timeline.on("at", () => this.#offer());
    this.#svg.addEventListener("click", () => this.#offer()); // the board may have been tilted since
    this.#link.addEventListener("click", () => attempt(() => this.#makeLink()));
    this.#png.addEventListener("click", () => attempt(() => this.#savePng()));
  }

  /** @param {View} view */
  follow(view) {
    const isFirst = this.#view === null;
    this.#view = view;
    this.#offer();
    const at = new URLSearchParams(location.search).get("at") ?? "";
    if (isFirst && /^\d+$/.test(at)) this.timeline.go(Number(at));
  }

  #offer() {
    if (!this.#view) return;
    this.#tools.hidden = this.timeline.isLive && !this.#view.over;
    this.#svg.href = this.#picture(this.#view);
    for (const tool of [this.#link, this.#svg, this.#png]) tool.hidden = this.timeline.line !== null;
  }

  /** @param {View} view */
  #picture(view) {
    const query = new URLSearchParams({ viewer: String(view.viewer), at: String(this.timeline.ply) });
    if (isTilted()) query.set("tilted", "true");
    return `${tableUrl(view.table)}/picture.svg?${query}`;
  }

  async #makeLink() {
    const view = this.#view;
    if (!view) return;
    const { ply } = this.timeline;
    if (!hasSay(view)) {
      showLink(`/t/${view.table}?at=${ply}`, _("This link opens this position, for those who have joined the table."));
      return;
    }
    /** @type {import("../../wire").Link} */
    const link = await post(`${tableUrl(view.table)}/links`, { seat: SPECTATOR });
    const [path, secret] = link.url.split("#");
    showLink(`${path}?at=${ply}#${secret}`, _("Anyone with this link can watch, starting at this position."));
  }

  /** Draw the picture as PNG in this browser and download it. */
  async #savePng() {
    const view = this.#view;
    if (!view) return;
    const address = URL.createObjectURL(await toPng(this.#picture(view)));
    make("a", { href: address, download: `${view.game}-${view.table}-${this.timeline.ply}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(address), KEEP_PNG);
  }
}

/**
 * @param {string} url of an SVG
 * @returns {Promise<Blob>}
 */
async function toPng(url) {
  const failed = new Error(_("The picture could not be made."));
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => Promise.reject(failed));
  const canvas = make("canvas", { width: image.naturalWidth * PNG_SCALE, height: image.naturalHeight * PNG_SCALE });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  /** @type {Blob | null} */
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw failed;
  return blob;
}
