// @ts-check
// Requests to the JSON API. A failed one throws a `RequestError`, whose message can be shown to a person.

import { _ } from "./translate.js";

export class RequestError extends Error {
  /**
   * @param {number} status the HTTP status; 0 without an answer
   * @param {string} error the error's code
   * @param {string} sentence for people
   */
  constructor(status, error, sentence) {
    super(sentence);
    this.status = status;
    this.error = error;
  }
}

/**
 * @param {string} url
 * @returns {Promise<any>} the body of the answer: annotate what receives it
 */
export function get(url) {
  return request(url, {});
}

/**
 * @param {string} url
 * @param {object} [body]
 * @returns {Promise<any>} the body of the answer: annotate what receives it
 */
export function post(url, body = {}) {
  return request(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

/**
 * @param {string} url
 * @param {RequestInit} options
 * @returns {Promise<any>} the body of the answer: annotate what receives it
 */
export async function request(url, options) {
  let response;
  try {
    response = await fetch(url, options);
  } catch {
    throw new RequestError(0, "unreachable", _("The server does not answer."));
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new RequestError(response.status, answer.error ?? "", answer.sentence ?? _("That did not work."));
}
