// @ts-check
// The speed of motion: as chosen, and not at all for those who asked their system for less motion.

const KEY = "speed";

/** The factor by which motions take longer than usual; 0: nothing moves. */
export function pace() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return 0;
  const chosen = Number(localStorage.getItem(KEY) ?? "1");
  return Number.isFinite(chosen) && chosen >= 0 ? chosen : 1;
}

/** Whether nothing moves: as chosen, or because nobody looks and all of it would move at once when someone does. */
export function isStill() {
  return document.hidden || pace() === 0;
}

/**
 * Let a field choose the pace.
 * @param {HTMLSelectElement} field
 */
export function choosePace(field) {
  field.value = localStorage.getItem(KEY) ?? "1";
  field.addEventListener("change", () => {
    localStorage.setItem(KEY, field.value);
    applyPace();
  });
  applyPace();
}

/** Let the styles glide at the pace too. */
function applyPace() {
  document.documentElement.style.setProperty("--pace", String(pace()));
}
