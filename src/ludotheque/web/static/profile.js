// @ts-check
// The page of one's profile: name and visibility, other browsers, deletion.

import "./preferences.js";
import { post, RequestError } from "./lib/api.js";
import { ask } from "./lib/dialog.js";
import { field, make, part } from "./lib/dom.js";
import { showLink } from "./lib/link_dialog.js";
import { rememberedName, rememberName } from "./lib/my_name.js";
import { pageHere } from "./lib/page_here.js";
import { addPasskey, canUsePasskeys, signWithPasskey } from "./lib/passkeys.js";
import { forgetPush, renewPush } from "./lib/push.js";
import { followRestrictions } from "./lib/restrictions.js";
import { attempt } from "./lib/toast.js";
import { _ } from "./lib/translate.js";
import { joinProfile } from "./study/solving.js";

const form = part("profile", HTMLFormElement);
const name = field(form, "name");
const hasProfile = "hasProfile" in form.dataset;
if (!hasProfile) name.value = rememberedName();

form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const visibility = field(form, "visible_to", HTMLSelectElement).value;
    await post("/api/profile", { name: name.value.trim(), visible_to: visibility });
    rememberName(name.value.trim());
    await joinProfile();
    const next = pageHere(new URLSearchParams(location.search).get("next"), location.origin);
    if (next) location.assign(next);
    else location.reload();
  });
});

async function makeLink() {
  /** @type {import("./wire").ProfileLink} */
  const link = await post("/api/profile/link");
  await showLink(
    link.url,
    _(
      "Open this link on the other device. It works once, within an hour; both then share your profile and your seats.",
    ),
  );
}

async function renew() {
  const sure = await ask(
    _("Sign out all other browsers"),
    make("p", {}, _("All other browsers and all passkeys lose your profile and your seats. This browser keeps them.")),
  );
  if (!sure) return;
  await post("/api/profile/renew");
  await renewPush();
  location.reload();
}

async function forget() {
  const sure = await ask(
    _("Delete everything about me"),
    make(
      "p",
      {},
      _(
        "You resign your rated and tournament games. Your profile, your name at all tables, your messages and your seats are deleted. This cannot be undone.",
      ),
    ),
  );
  if (!sure) return;
  await post("/api/profile/delete");
  await forgetPush();
  localStorage.clear();
  location.assign("/");
}

if (hasProfile) {
  followRestrictions(document.body);
  part("profile-link").addEventListener("click", () => attempt(makeLink));
  part("profile-renew").addEventListener("click", () => attempt(renew));
  part("profile-delete").addEventListener("click", () => attempt(forget));
}

/** @type {HTMLElement | null} missing where the site has no passkeys, or there is no profile yet */
const passkeys = document.querySelector("[data-part=passkeys]");
if (passkeys) {
  passkeys.hidden = !canUsePasskeys(passkeys.dataset.host);
  part("passkey-add").addEventListener("click", () =>
    attempt(async () => {
      await addPasskey();
      location.reload();
    }),
  );
  for (const button of passkeys.querySelectorAll("button")) {
    const { passkey: id } = button.dataset;
    if (id) button.addEventListener("click", () => attempt(() => removePasskey(id)));
  }
}

/** @param {string} id */
async function removePasskey(id) {
  await post("/api/passkeys/remove", { id });
  location.reload();
}

/** @type {HTMLElement | null} missing where the site has no passkeys, or there is a profile already */
const passkeyButton = document.querySelector("[data-part=passkey-use]");
if (passkeyButton) {
  passkeyButton.hidden = !canUsePasskeys(passkeyButton.dataset.host);
  passkeyButton.addEventListener("click", () => attempt(signIn));
}

/** Continue as the owner of a passkey; tables of this browser join that profile if the person agrees. */
async function signIn() {
  const signed = await signWithPasskey();
  try {
    await post("/api/passkeys/use", signed);
  } catch (error) {
    if (!(error instanceof RequestError) || error.error !== "has-seats") throw error;
    const sentence = _("The tables of this browser join the profile of the passkey.");
    if (!(await ask(_("Sign in with a passkey"), make("p", {}, sentence)))) return;
    await post("/api/passkeys/use", { ...signed, merge: true });
  }
  await joinProfile();
  location.assign("/me");
}

/** @param {string} secret */
async function offerToContinue(secret) {
  /** @type {import("./wire").LinkedProfile} */
  const found = await post("/api/profile/link/look", { secret });
  const words = [_("This link adds this browser to {name}'s profile.", { name: found.name })];
  if (found.tables) words.push(_("Tables of this browser that join that profile: {count}.", { count: found.tables }));
  part("carry-words").textContent = words.join(" ");
  part("carry").hidden = false;
  form.hidden = true;
  part("carry-use").addEventListener("click", () =>
    attempt(async () => {
      await post("/api/profile/link/use", { secret, merge: found.tables > 0 });
      rememberName(found.name);
      await joinProfile();
      location.assign("/me");
    }),
  );
}

const secret = location.hash.slice(1);
if (secret && !hasProfile) {
  history.replaceState(null, "", location.pathname + location.search);
  attempt(() => offerToContinue(secret));
}
