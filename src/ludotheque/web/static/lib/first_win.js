// @ts-check
// Whether the person at this browser has won a game: until then the lobby suggests the gentlest opponent.

const WON = "won";

export function hasWon() {
  return localStorage.getItem(WON) === "yes";
}

export function rememberWin() {
  localStorage.setItem(WON, "yes");
}
