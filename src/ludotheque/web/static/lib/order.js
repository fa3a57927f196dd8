// @ts-check
// The order of a list that changes.

/**
 * The longest run of rising numbers within a list, others between them or not; the last first.
 * @param {number[]} numbers
 */
export function longestRise(numbers) {
  /** @type {number[]} by length of a run, less one: the place of the smallest number that such a run can end with */
  const ends = [];
  const before = numbers.map((number, place) => {
    const length = ends.findLastIndex((end) => (numbers[end] ?? 0) < number) + 1;
    ends[length] = place;
    return ends[length - 1];
  });
  const rise = [];
  for (let place = ends.at(-1); place !== undefined; place = before[place]) rise.push(numbers[place] ?? 0);
  return rise;
}
