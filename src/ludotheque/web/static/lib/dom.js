// @ts-check
// Finding and making elements.

/**
 * Make an element: `make("button", {type: "button", class: "quiet", onclick: f}, "Undo")`.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes] `on...` adds a listener; true sets an empty attribute; false and null none
 * @param {...(Node | string | number | null | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  for (const child of children) if (child != null) element.append(typeof child === "number" ? String(child) : child);
  return element;
}

/**
 * @param {string} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Record<string, any>} [attributes]
 */
export function button(label, onclick, attributes = {}) {
  return make("button", { type: "button", onclick, ...attributes }, label);
}

/**
 * The element that the page marks with this name: `<div data-part="log">`.
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} name
 * @param {new () => Kind} [kind] the class it must have
 * @returns {Kind}
 */
export function part(name, kind) {
  const element = document.querySelector(`[data-part="${name}"]`);
  if (!(element instanceof (kind ?? HTMLElement))) throw new Error(`The page has no such part: ${name}`);
  return /** @type {Kind} */ (element);
}

/**
 * A field of a form by its name.
 * @template {HTMLElement} [Kind=HTMLInputElement]
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {new () => Kind} [kind] the class it must have
 * @returns {Kind}
 */
export function field(form, name, kind) {
  const element = form.elements.namedItem(name);
  if (!(element instanceof (kind ?? HTMLInputElement))) throw new Error(`The form has no such field: ${name}`);
  return /** @type {Kind} */ (element);
}

/**
 * The nearest element around an event's target that matches.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | SVGElement | null}
 */
export function closest(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/**
 * Whether something within an element that matches has the focus.
 * @param {string} selector
 */
export function isFocused(selector) {
  return document.activeElement !== null && document.activeElement.closest(selector) !== null;
}

/**
 * Replace what an element holds. If the focus was within it, it goes to the new element with the same `data-key`.
 * @param {HTMLElement} host
 * @param {...Node} children
 */
export function replaceContent(host, ...children) {
  keepFocus(host, () => host.replaceChildren(...children));
}

/**
 * Change what an element holds; if the focus was within it and is lost, it goes to the element with the same `data-key`.
 * @param {HTMLElement} host
 * @param {() => void} change
 */
function keepFocus(host, change) {
  const { activeElement } = document;
  const key = host.contains(activeElement) ? activeElement?.getAttribute("data-key") : null;
  change();
  if (!key || host.contains(activeElement)) return;
  /** @type {HTMLElement | null} */
  const again = host.querySelector(`[data-key="${CSS.escape(key)}"]`);
  again?.focus({ preventScroll: true });
}

/**
 * Let an element hold other content, and keep of it what looks the same: only what has changed is laid out again. What has
 * a `data-key` is compared with what had the same one. For content whose listeners do not depend on what it shows.
 * @param {HTMLElement} host
 * @param {...Node} children
 */
export function updateContent(host, ...children) {
  keepFocus(host, () => update(host, children));
}

/**
 * @param {Element} host
 * @param {Node[]} children
 */
function update(host, children) {
  const wanted = new Set(children.map(keyOf));
  for (const old of [...host.children]) if (!wanted.has(keyOf(old))) old.remove();
  children.forEach((child, place) => {
    const old = host.childNodes[place];
    const isFor = old && keyOf(old) === keyOf(child);
    if (!old || (!isFor && keyOf(old)))
      host.insertBefore(child, old ?? null); // before what comes later
    else if (isFor && isAlike(old, child)) update(/** @type {Element} */ (old), [...child.childNodes]);
    else if (!old.isEqualNode(child)) old.replaceWith(child);
  });
  while (host.childNodes.length > children.length) host.lastChild?.remove();
}

/**
 * The key of an element; "" for none.
 * @param {Node} node
 */
function keyOf(node) {
  return node instanceof Element ? (node.getAttribute("data-key") ?? "") : "";
}

/**
 * Whether two nodes are elements that are equal but for what they hold.
 * @param {Node} one
 * @param {Node} other
 */
function isAlike(one, other) {
  return one instanceof Element && one.cloneNode(false).isEqualNode(other.cloneNode(false));
}
