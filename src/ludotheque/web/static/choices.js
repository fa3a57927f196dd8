// What the player can do now: a tree of small named choices, narrowed until one move is left.
//
// The steps of a move may be picked in any order (the cell before the tile), so the tree is kept as the list of its
// moves, each with its path of steps, and picking a step keeps the moves that contain it.

/** The moves of a tree, each {action, path: [{key, label}, ...]}. */
export function movesOf(tree, path = []) {
  return tree.flatMap((choice) => {
    const here = [...path, { key: choice.key, label: choice.label }];
    const own = choice.action == null ? [] : [{ action: choice.action, path: here }];
    return [...own, ...movesOf(choice.children ?? [], here)];
  });
}

const has = (move, key) => move.path.some((step) => step.key === key);

export class Narrowing {
  constructor(tree, picked = []) {
    this.moves = movesOf(tree);
    this.picked = [];
    for (const key of picked) if (this.offers(key)) this.pick(key);
  }

  /** The moves that contain all that has been picked. */
  get left() {
    return this.moves.filter((move) => this.picked.every((key) => has(move, key)));
  }

  /** Whether picking this step would narrow the choice, or complete it. */
  offers(key) {
    const left = this.left;
    const count = left.filter((move) => has(move, key)).length;
    return count > 0 && !this.picked.includes(key) && (count < left.length || left.length === 1);
  }

  /** All steps that can be picked now, wherever in the tree they are. */
  get offered() {
    const keys = new Set(this.left.flatMap((move) => move.path.map((step) => step.key)));
    return new Set([...keys].filter((key) => this.offers(key)));
  }

  pick(key) {
    this.picked.push(key);
  }

  back() {
    this.picked.pop();
  }

  /** The one move that is left once something has been picked. */
  get settled() {
    const left = this.left;
    return left.length === 1 && this.picked.length > 0 ? left[0] : null;
  }

  /** What to ask next: the steps at the first place where the moves that are left differ. */
  get question() {
    const left = this.left;
    if (left.length === 0) return [];
    if (left.length === 1) return [left[0].path.at(-1)];
    let depth = 0;
    while (new Set(left.map((move) => move.path[depth]?.key)).size === 1) depth += 1;
    const steps = new Map();
    for (const move of left) {
      const step = move.path[depth];
      if (step) steps.set(step.key, step);
    }
    return [...steps.values()];
  }

  /** The moves that are left if this step were picked too. */
  leftAfter(key) {
    return this.left.filter((move) => has(move, key));
  }
}

/** The numbers of steps such as `bid:7`, if they are many and follow each other; otherwise null. */
export function numbersOf(steps) {
  if (steps.length < 6) return null;
  const numbers = steps.map((step) => Number(/^[\w-]+:(\d+)$/.exec(step.key)?.[1] ?? NaN));
  const consecutive = numbers.every((number, place) => place === 0 || number === numbers[place - 1] + 1);
  return consecutive && !Number.isNaN(numbers[0]) ? numbers : null;
}

/** A move in words: the labels of its steps. */
export function told(move) {
  return move.path.map((step) => step.label).join(" · ");
}
