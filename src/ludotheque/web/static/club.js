// @ts-check
// The page of a club: join, invite, leave, lead. The server renders what changes.

import "./preferences.js";
import { post } from "./lib/api.js";
import { countInTitle } from "./lib/count_in_title.js";
import { ask } from "./lib/dialog.js";
import { make } from "./lib/dom.js";
import { LinkedPage } from "./lib/linked_page.js";
import { toast } from "./lib/toast.js";
import { _ } from "./lib/translate.js";

const club = new LinkedPage("club", "/clubs", { invite, link, leave, delete: remove, remove: removeMember, report });

/** @param {HTMLElement} button */
async function invite(button) {
  if (club.secret) return club.showLink(_("Everyone who has this link can join."));
  if ("leads" in button.dataset) return link();
  toast(_("Ask the leader of the club for its link."));
}

async function link() {
  const sure = await ask(
    _("Replace the link"),
    make("p", {}, _("This creates a new link; the old one stops working.")),
  );
  if (!sure) return;
  await club.renewLink();
  club.showLink(_("Everyone who has this link can join."));
}

async function leave() {
  const words = _("You will no longer see the club. If you lead it, the member who has been here longest takes over.");
  if (!(await ask(_("Leave"), make("p", {}, words)))) return;
  await post(`${club.path}/leave`);
  location.assign("/clubs");
}

async function remove() {
  const words = _("The club is deleted for everyone; its tables and tournaments stay.");
  if (!(await ask(_("Delete"), make("p", {}, words)))) return;
  await post(`${club.path}/delete`);
  location.assign("/clubs");
}

/** @param {HTMLElement} button */
async function removeMember(button) {
  const { profile, name = "" } = button.dataset;
  const words = _("{name} will no longer be a member. Replace the link too, or they can come back.", { name });
  if (await ask(_("Remove"), make("p", {}, words))) await club.send("remove", { profile });
}

async function report() {
  const text = make("textarea", { rows: 4, maxlength: 500, required: true });
  const label = make("label", { class: "stacked" }, make("span", {}, _("What should the operator know?")), text);
  if (!(await ask(_("Report to the operator"), label)) || !text.value.trim()) return;
  await club.send("report", { text: text.value.trim() });
  toast(_("Thank you. The operator can read it now."));
}

countInTitle();
