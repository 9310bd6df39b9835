/** Sorts places by their value in a column, highest first. Ties go to the lower place. */
export function descending(places: readonly number[], column: Float64Array): number[] {
  // Hand-written merge sort with runs of two, four and so on: a sort with a comparator callback takes several times as
  // long.
  let [from, to] = [Int32Array.from(places), new Int32Array(places.length)];
  for (let run = 1; run < places.length; run *= 2) {
    for (let start = 0; start < places.length; start += 2 * run) mergeRuns(from, to, column, start, run);
    [from, to] = [to, from];
  }
  return [...from];
}

/** Whether one place sorts before another. */
export function isBefore(a: number, b: number, column: Float64Array): boolean {
  const ofA = column[a] as number;
  const ofB = column[b] as number;
  return ofA > ofB || (ofA === ofB && a < b);
}

/** Merges two adjacent runs. The second may be shorter or missing. */
function mergeRuns(from: Int32Array, to: Int32Array, column: Float64Array, start: number, run: number): void {
  const middle = Math.min(start + run, from.length);
  const end = Math.min(middle + run, from.length);
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const isLeft =
      right >= end || (left < middle && isBefore(from[left] as number, from[right] as number, column));
    to[at] = (isLeft ? from[left++] : from[right++]) as number;
  }
}
