import { paddedLength } from "../int8-dots.ts";

const ROWS_PER_CHUNK = 1024;

/** The int8 vectors of one dimension, in rows of chunks that never move. */
export class VectorColumn {
  readonly dimension: number;
  readonly rowLength: number;
  readonly chunks: Int8Array[] = [];
  /** One over the norm of each row's steps; 0 for a zero vector. */
  readonly inverseNorms: Float32Array[] = [];
  count = 0;

  constructor(dimension: number) {
    this.dimension = dimension;
    this.rowLength = paddedLength(dimension);
  }

  static readonly rowsPerChunk = ROWS_PER_CHUNK;

  /** Appends a vector's steps and returns its row. */
  add(steps: Int8Array): number {
    const row = this.count++;
    const at = row % ROWS_PER_CHUNK;
    if (at === 0) {
      this.chunks.push(new Int8Array(ROWS_PER_CHUNK * this.rowLength));
      this.inverseNorms.push(new Float32Array(ROWS_PER_CHUNK));
    }
    const chunk = this.chunks.length - 1;
    this.chunks[chunk]?.set(steps, at * this.rowLength);
    let squares = 0;
    // By number: walking a typed array by `of` takes ten times as long.
    for (let d = 0; d < steps.length; d++) squares += (steps[d] as number) ** 2;
    (this.inverseNorms[chunk] as Float32Array)[at] = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    return row;
  }

  /** The steps of a row: a view, which only `erase` changes. */
  steps(row: number): Int8Array {
    const start = (row % ROWS_PER_CHUNK) * this.rowLength;
    return (this.chunks[Math.floor(row / ROWS_PER_CHUNK)] as Int8Array).subarray(
      start,
      start + this.dimension,
    );
  }

  /** Makes a row zero. */
  erase(row: number): void {
    this.steps(row).fill(0);
    (this.inverseNorms[Math.floor(row / ROWS_PER_CHUNK)] as Float32Array)[row % ROWS_PER_CHUNK] = 0;
  }

  inverseNorm(row: number): number {
    return this.inverseNorms[Math.floor(row / ROWS_PER_CHUNK)]?.[row % ROWS_PER_CHUNK] as number;
  }

  get bytes(): number {
    return this.chunks.length * ROWS_PER_CHUNK * (this.rowLength + 4);
  }
}
