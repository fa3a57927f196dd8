// The JSON API: what it answers, or an error whose message can be shown to a person.

import { _ } from "./words.js";

export class Refused extends Error {
  constructor(status, error, sentence) {
    super(sentence);
    this.status = status;
    this.error = error;
  }
}

export function get(url) {
  return ask(url, {});
}

export function post(url, body = {}) {
  return ask(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

async function ask(url, request) {
  let response;
  try {
    response = await fetch(url, request);
  } catch {
    throw new Refused(0, "unreachable", _("The server does not answer."));
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Refused(response.status, answer.error ?? "", answer.sentence ?? _("That did not work."));
}
