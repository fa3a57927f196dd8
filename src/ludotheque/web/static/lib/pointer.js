// @ts-check
// Whether the pointer points: where something new appears under a mouse that rests since it last clicked, nobody has
// pointed at it.

const pressed = { x: Number.NaN, y: Number.NaN };

globalThis.addEventListener?.(
  "pointerdown",
  ({ clientX, clientY }) => {
    pressed.x = clientX;
    pressed.y = clientY;
  },
  { capture: true },
);

/** @param {MouseEvent} event */
export function hasMoved({ clientX, clientY }) {
  return clientX !== pressed.x || clientY !== pressed.y;
}
