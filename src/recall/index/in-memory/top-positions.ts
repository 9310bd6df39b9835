/**
 * The best `count` positions of a score column above `scoreAbove`, without sorting the column. Ties: the lower position
 * wins.
 */
export function topPositions(
  scores: Float32Array,
  size: number,
  count: number,
  scoreAbove: number,
): Int32Array {
  const heap = new Int32Array(count); // min-heap: the worst kept is on top
  let held = 0;
  let least = scoreAbove; // a score must exceed this to be kept
  for (let position = 0; position < size; position++) {
    if (!((scores[position] as number) > least)) continue;
    if (held < count) {
      heap[held] = position;
      rise(heap, held++, scores);
    } else {
      heap[0] = position;
      sink(heap, held, scores);
    }
    if (held === count) least = scores[heap[0] as number] as number;
  }
  return heap.subarray(0, held);
}

/** The best `count` of these positions, in no particular order. Ties: the lower position wins. */
export function leadingPositions(positions: Int32Array, scores: Float32Array, count: number): Int32Array {
  const heap = new Int32Array(Math.min(count, positions.length));
  for (let at = 0; at < positions.length; at++) {
    const position = positions[at] as number;
    if (at < heap.length) {
      heap[at] = position;
      rise(heap, at, scores);
    } else if (isWorse(heap[0] as number, position, scores)) {
      heap[0] = position;
      sink(heap, heap.length, scores);
    }
  }
  return heap;
}

function isWorse(a: number, b: number, scores: Float32Array): boolean {
  const difference = (scores[a] as number) - (scores[b] as number);
  return difference < 0 || (difference === 0 && a > b);
}

function rise(heap: Int32Array, start: number, scores: Float32Array): void {
  const position = heap[start] as number;
  let at = start;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isWorse(position, heap[parent] as number, scores)) break;
    heap[at] = heap[parent] as number;
    at = parent;
  }
  heap[at] = position;
}

function sink(heap: Int32Array, held: number, scores: Float32Array): void {
  const position = heap[0] as number;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= held) break;
    if (child + 1 < held && isWorse(heap[child + 1] as number, heap[child] as number, scores)) child++;
    if (!isWorse(heap[child] as number, position, scores)) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = position;
}
