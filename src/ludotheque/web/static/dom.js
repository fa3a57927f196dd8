// Making elements, in few words.

/** An element: `make("button", {type: "button", class: "quiet", onclick: f}, "Undo")`. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

export function button(label, onclick, attributes = {}) {
  return make("button", { type: "button", onclick, ...attributes }, label);
}

/** The element of a page that scripts know by this part name: `<div data-part="log">`. */
export function part(name) {
  return document.querySelector(`[data-part="${name}"]`);
}
