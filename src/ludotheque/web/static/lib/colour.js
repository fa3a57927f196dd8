// @ts-check
// Colours of players, as they come from the server.

const DARK = "#241c05";
const LIGHT = "#ffffff";
const BRIGHT = 0.3; // from this luminance on, dark letters are easier to read

/**
 * The colour of letters that can be read on a colour.
 * @param {string} colour `#rrggbb`
 */
export function inkOn(colour) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16)));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > BRIGHT ? DARK : LIGHT;
}

/** @param {number} value of a channel, 0 to 255 */
function linear(value) {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
