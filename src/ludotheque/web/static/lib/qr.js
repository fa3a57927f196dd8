// @ts-check
// QR codes (ISO/IEC 18004): text as bytes, error correction level M, versions 1 to 10, which hold 213 bytes.

const CHECK_BYTES = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26]; // per block, by version
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
const ALL_BYTES = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
const QUIET = 4; // modules of margin that readers need
const SVG = "http://www.w3.org/2000/svg";

/** @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/**
 * Draw the QR code of a text; null if the text is too long for one.
 * @param {string} text
 * @param {string} label for screen readers
 */
export function qrPicture(text, label) {
  const modules = qrModules(text);
  if (!modules) return null;
  const size = modules.length + 2 * QUIET;
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  const attributes = { viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": label };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  path.setAttribute("d", pathOf(modules));
  svg.append(path);
  return svg;
}

/** @param {boolean[][]} modules */
function pathOf(modules) {
  const squares = modules.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")),
  );
  return squares.join("");
}

/**
 * The dark modules of a text's code, row by row; null if the text is too long for one.
 * @param {string} text
 * @returns {boolean[][] | null}
 */
export function qrModules(text) {
  const bytes = new TextEncoder().encode(text);
  const version = ALL_BYTES.findIndex((_all, place) => bytes.length <= capacity(place + 1)) + 1;
  if (version === 0) return null;
  const grid = new Grid(version);
  grid.fill(withCheckBytes(dataBytes(bytes, version), version));
  const masked = MASKS.map((_mask, number) => grid.masked(number));
  const penalties = masked.map(penalty);
  return masked[penalties.indexOf(Math.min(...penalties))] ?? null;
}

// Bytes.

/** @param {number} version */
function dataLength(version) {
  return (ALL_BYTES[version - 1] ?? 0) - (CHECK_BYTES[version - 1] ?? 0) * (BLOCKS[version - 1] ?? 0);
}

/** @param {number} version */
const countBits = (version) => (version < 10 ? 8 : 16);

/** @param {number} version */
function capacity(version) {
  return dataLength(version) - Math.ceil((4 + countBits(version)) / 8);
}

/**
 * The data with its mode, its length, and padding.
 * @param {Uint8Array} bytes
 * @param {number} version
 */
function dataBytes(bytes, version) {
  const bits = [0, 1, 0, 0, ...bitsOf(bytes.length, countBits(version))];
  for (const byte of bytes) bits.push(...bitsOf(byte, 8));
  const room = 8 * dataLength(version);
  bits.push(...new Array(Math.min(4, room - bits.length)).fill(0));
  bits.push(...new Array((8 - (bits.length % 8)) % 8).fill(0));
  const packed = [];
  for (let start = 0; start < bits.length; start += 8)
    packed.push(Number.parseInt(bits.slice(start, start + 8).join(""), 2));
  for (let pad = 0xec; packed.length < room / 8; pad ^= 0xec ^ 0x11) packed.push(pad);
  return packed;
}

/**
 * @param {number} value
 * @param {number} length
 */
function bitsOf(value, length) {
  return Array.from({ length }, (_unused, place) => (value >> (length - 1 - place)) & 1);
}

/**
 * Divide data into blocks, add the check bytes of each, and interleave them.
 * @param {number[]} data
 * @param {number} version
 */
function withCheckBytes(data, version) {
  const [count, check] = [BLOCKS[version - 1] ?? 1, CHECK_BYTES[version - 1] ?? 0];
  const short = Math.floor(data.length / count);
  const longer = data.length % count; // the last blocks have one byte more
  const divisor = generator(check);
  const blocks = [];
  for (let block = 0, start = 0; block < count; block++) {
    const length = short + (block >= count - longer ? 1 : 0);
    blocks.push(data.slice(start, start + length));
    start += length;
  }
  return [...interleaved(blocks), ...interleaved(blocks.map((block) => remainder(block, divisor)))];
}

/** @param {number[][]} blocks */
function interleaved(blocks) {
  const longest = Math.max(...blocks.map((block) => block.length));
  return Array.from({ length: longest }, (_unused, place) =>
    blocks.flatMap((block) => block.slice(place, place + 1)),
  ).flat();
}

/**
 * Multiply in the field of 256 elements.
 * @param {number} one
 * @param {number} two
 */
function times(one, two) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((two >> bit) & 1) * one;
  }
  return product;
}

/**
 * The generator polynomial of a Reed-Solomon code, without its leading 1.
 * @param {number} degree
 */
function generator(degree) {
  const result = [...new Array(degree - 1).fill(0), 1];
  for (let count = 0, root = 1; count < degree; count++, root = times(root, 2)) {
    for (let place = 0; place < degree; place++) result[place] = times(result[place], root) ^ (result[place + 1] ?? 0);
  }
  return result;
}

/**
 * The check bytes of a block.
 * @param {number[]} data
 * @param {number[]} divisor
 */
function remainder(data, divisor) {
  const rest = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    for (const [place, value] of divisor.entries()) rest[place] = (rest[place] ?? 0) ^ times(value, factor);
  }
  return rest;
}

// Modules.

/** The square of modules: first the patterns that every code of a version has, then the bytes around them. */
class Grid {
  #size;
  #version;
  /** @type {boolean[][]} */
  #dark;
  /** @type {boolean[][]} whether a module belongs to a pattern */
  #isFixed;

  /** @param {number} version */
  constructor(version) {
    this.#version = version;
    this.#size = 17 + 4 * version;
    this.#dark = emptySquare(this.#size);
    this.#isFixed = emptySquare(this.#size);
    this.#drawTiming();
    this.#drawFinders();
    this.#drawAlignments();
    this.#drawFormat(this, 0);
    this.#drawVersion();
  }

  /**
   * @param {number} row
   * @param {number} column
   * @param {boolean} isDark
   */
  #fix(row, column, isDark) {
    set(this.#dark, row, column, isDark);
    set(this.#isFixed, row, column, true);
  }

  #drawTiming() {
    for (let place = 0; place < this.#size; place++) {
      this.#fix(6, place, place % 2 === 0);
      this.#fix(place, 6, place % 2 === 0);
    }
  }

  #drawFinders() {
    const far = this.#size - 4;
    for (const [row, column] of [
      [3, 3],
      [3, far],
      [far, 3],
    ])
      this.#drawSquares(row ?? 0, column ?? 0, 4, [0, 1, 3]);
  }

  #drawAlignments() {
    const places = alignments(this.#version, this.#size);
    const [first, last] = [places[0], places.at(-1)];
    for (const row of places)
      for (const column of places) {
        const isInCorner =
          (row === first && (column === first || column === last)) || (row === last && column === first);
        if (!isInCorner) this.#drawSquares(row, column, 2, [0, 2]);
      }
  }

  /**
   * Concentric squares, of which those at some distances from the middle are dark.
   * @param {number} row
   * @param {number} column
   * @param {number} reach
   * @param {number[]} darkAt
   */
  #drawSquares(row, column, reach, darkAt) {
    for (let down = -reach; down <= reach; down++)
      for (let across = -reach; across <= reach; across++) {
        const [y, x] = [row + down, column + across];
        const isInside = y >= 0 && y < this.#size && x >= 0 && x < this.#size;
        if (isInside) this.#fix(y, x, darkAt.includes(Math.max(Math.abs(down), Math.abs(across))));
      }
  }

  /**
   * The level and the mask, twice.
   * @param {{put: (row: number, column: number, isDark: boolean) => void}} target
   * @param {number} mask
   */
  #drawFormat(target, mask) {
    const bits = bitsOf(checked(mask, 10, 0x537) ^ 0x5412, 15).reverse(); // level M: 00 before the mask
    const size = this.#size;
    for (const [place, bit] of bits.entries()) {
      const near = place < 6 ? place : place < 8 ? place + 1 : place === 8 ? 7 : 14 - place;
      if (place < 8) target.put(near, 8, bit === 1);
      else target.put(8, near, bit === 1);
      if (place < 8) target.put(8, size - 1 - place, bit === 1);
      else target.put(size - 15 + place, 8, bit === 1);
    }
    target.put(size - 8, 8, true);
  }

  /** The number of the version, twice, from 7 on. */
  #drawVersion() {
    if (this.#version < 7) return;
    const bits = bitsOf(checked(this.#version, 12, 0x1f25), 18).reverse();
    for (const [place, bit] of bits.entries()) {
      const [near, far] = [Math.floor(place / 3), this.#size - 11 + (place % 3)];
      this.#fix(near, far, bit === 1);
      this.#fix(far, near, bit === 1);
    }
  }

  /**
   * @param {number} row
   * @param {number} column
   * @param {boolean} isDark
   */
  put(row, column, isDark) {
    this.#fix(row, column, isDark);
  }

  /**
   * Write bytes in columns of two modules, up and down, from the right.
   * @param {number[]} bytes
   */
  fill(bytes) {
    const bits = bytes.flatMap((byte) => bitsOf(byte, 8));
    let next = 0;
    for (let right = this.#size - 1, isUp = true; right > 0; right -= right === 8 ? 3 : 2, isUp = !isUp)
      for (let step = 0; step < this.#size; step++) {
        const row = isUp ? this.#size - 1 - step : step;
        for (const column of [right, right - 1])
          if (!this.#isFixed[row]?.[column]) set(this.#dark, row, column, bits[next++] === 1);
      }
  }

  /**
   * The modules under one of the masks.
   * @param {number} number
   */
  masked(number) {
    const isMasked = MASKS[number] ?? (() => false);
    const modules = this.#dark.map((row, y) =>
      row.map((isDark, x) => isDark !== (!this.#isFixed[y]?.[x] && isMasked(y, x))),
    );
    this.#drawFormat({ put: (row, column, isDark) => set(modules, row, column, isDark) }, number);
    return modules;
  }
}

/**
 * The middles of the alignment patterns, along either side.
 * @param {number} version
 * @param {number} size
 */
function alignments(version, size) {
  if (version === 1) return [];
  return version < 7 ? [6, size - 7] : [6, (size - 1) / 2, size - 7];
}

/**
 * A value followed by the check bits of a BCH code.
 * @param {number} value
 * @param {number} length of the check bits
 * @param {number} divisor
 */
function checked(value, length, divisor) {
  let rest = value;
  for (let count = 0; count < length; count++) rest = (rest << 1) ^ ((rest >> (length - 1)) * divisor);
  return (value << length) | rest;
}

/** @param {number} size */
function emptySquare(size) {
  return Array.from({ length: size }, () => new Array(size).fill(false));
}

/**
 * @param {boolean[][]} square
 * @param {number} row
 * @param {number} column
 * @param {boolean} value
 */
function set(square, row, column, value) {
  const line = square[row];
  if (line) line[column] = value;
}

// The choice of a mask.

/**
 * The penalty of a code that is hard to read.
 * @param {boolean[][]} modules
 */
function penalty(modules) {
  const columns = modules.map((_row, x) => modules.map((row) => row[x] ?? false));
  const lines = [...modules, ...columns].map((line) => line.map(Number).join(""));
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []);
  const finders = lines.flatMap((line) => line.match(/(?=10111010000|00001011101)/g) ?? []);
  const dark = modules.flat().filter(Boolean).length / modules.length ** 2;
  return (
    runs.reduce((sum, run) => sum + run.length - 2, 0) +
    3 * squaresIn(modules) +
    40 * finders.length +
    10 * Math.floor(Math.abs(dark - 0.5) * 20)
  );
}

/**
 * The number of squares of four modules alike.
 * @param {boolean[][]} modules
 */
function squaresIn(modules) {
  let count = 0;
  for (let y = 1; y < modules.length; y++)
    for (let x = 1; x < modules.length; x++) {
      const corners = [modules[y]?.[x], modules[y - 1]?.[x], modules[y]?.[x - 1], modules[y - 1]?.[x - 1]];
      if (new Set(corners).size === 1) count++;
    }
  return count;
}
