// @ts-check
// The page of one's clubs: the form that founds one.

import "./preferences.js";
import { post } from "./lib/api.js";
import { field, part } from "./lib/dom.js";
import { keepSecret } from "./lib/kept_secret.js";
import { attempt } from "./lib/toast.js";

const form = part("club", HTMLFormElement);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    /** @type {import("./wire").NewClubView} */
    const made = await post("/api/clubs", { name: field(form, "name").value.trim() });
    keepSecret("club", made.id, made.url.split("#")[1] ?? "");
    location.assign(`/clubs/${made.id}`);
  });
});
