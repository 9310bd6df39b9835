import type { Tensors } from "./safetensors.ts";

/** A matrix in the kernel's memory, in int16, with a scale and possibly a bias for each column. */
export interface Matrix {
  /** Rows of the matrix: numbers that a row of the other factor has. */
  readonly depth: number;
  /** Columns of the matrix. */
  readonly width: number;
  /** Address in bytes. */
  readonly address: number;
  readonly scales: Float32Array;
  readonly bias: Float32Array | null;
}

/** Rows of float32 in the kernel's memory. Their numbers overlap if the stride is less than what is read of a row. */
export interface Rows {
  /** Index of the first number in `floats`. */
  readonly start: number;
  /** Numbers from the start of one row to the start of the next. */
  readonly stride: number;
}

interface KernelExports {
  readonly memory: WebAssembly.Memory;
  /** `packages/multilingual/make/make_kernel.js` says what it computes. */
  multiply(
    rows: number,
    stride: number,
    weights: number,
    results: number,
    resultStride: number,
    rowCount: number,
    depth: number,
    width: number,
  ): void;
}

const PAGE_BYTES = 65_536;
/** Rows that the kernel may read and write after the last. */
export const SPARE_ROWS = 3;
/** Columns of a block of packed weights. */
const BLOCK = 8;
/** Activations' range: 14 bits, so that the sum of 1,280 products with 8-bit weights stays within 32 bits. */
const ACTIVATION_MAX = 8191;

/** Multiplies matrices in WebAssembly, on activations of 14 and weights of 8 bits. */
export class Kernel {
  /** The memory as float32. Replaced by `reserve`. */
  floats: Float32Array;
  private readonly exports: KernelExports;
  private int16s: Int16Array;
  private reservedBytes = 1024;
  /** Where activations are quantised to. */
  private readonly activations: number;

  /** @param activationsMax How many numbers the largest factor has, rows times their length. */
  constructor(program: Uint8Array, activationsMax: number) {
    const module = new WebAssembly.Module(program as Uint8Array<ArrayBuffer>);
    this.exports = new WebAssembly.Instance(module).exports as unknown as KernelExports;
    this.floats = new Float32Array(this.exports.memory.buffer);
    this.int16s = new Int16Array(this.exports.memory.buffer);
    this.activations = this.reserve(2 * activationsMax);
  }

  /** Returns rows of zeros, with the spare ones. */
  rows(count: number, stride: number): Rows {
    return { start: this.reserve(4 * (count + SPARE_ROWS) * stride) / 4, stride };
  }

  /** Copies a matrix of the file into the memory. */
  matrix(tensors: Tensors, name: string): Matrix {
    const scales = tensors.float32(`${name}.scales`);
    const bias = tensors.names.includes(`${name}.bias`) ? tensors.float32(`${name}.bias`) : null;
    const weights = tensors.int8(`${name}.weights`);
    const width = scales.length;
    const depth = weights.length / width;
    const matrix = { depth, width, address: this.reserve(2 * weights.length), scales, bias };
    this.pack(weights, matrix);
    return matrix;
  }

  /** Computes `to = from · matrix + bias`. */
  multiply(from: Rows, matrix: Matrix, to: Rows, rowCount: number): void {
    const step = this.quantise(from.start, (rowCount - 1) * from.stride + matrix.depth);
    const { depth, width, address } = matrix;
    this.exports.multiply(
      this.activations,
      from.stride,
      address,
      to.start * 4,
      to.stride,
      rowCount,
      depth,
      width,
    );
    this.rescale(to, matrix, { rowCount, step });
  }

  /** Returns the address of that many bytes, on a border of 64. */
  private reserve(bytes: number): number {
    const address = this.reservedBytes;
    this.reservedBytes = Math.ceil((address + bytes) / 64) * 64;
    const { memory } = this.exports;
    const missing = Math.ceil((this.reservedBytes - memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) {
      memory.grow(missing);
      this.floats = new Float32Array(memory.buffer);
      this.int16s = new Int16Array(memory.buffer);
    }
    return address;
  }

  /** Puts weights into blocks of 8 columns, in which the numbers of two rows alternate. */
  private pack(weights: Int8Array, { depth, width, address }: Matrix): void {
    for (let column = 0; column < width; column++) {
      const block = column - (column % BLOCK);
      const start = address / 2 + block * depth + (column % BLOCK) * 2;
      for (let row = 0; row < depth; row++) {
        this.int16s[start + (row >> 1) * 2 * BLOCK + (row & 1)] = weights[row * width + column] as number;
      }
    }
  }

  /** Writes the numbers as integers to `activations`. Returns the value of 1. */
  private quantise(start: number, count: number): number {
    const { floats, int16s } = this;
    let largest = 0;
    for (let at = start; at < start + count; at++) {
      const size = Math.abs(floats[at] as number);
      if (size > largest) largest = size;
    }
    const factor = largest === 0 ? 0 : ACTIVATION_MAX / largest;
    const target = this.activations / 2;
    for (let at = 0; at < count; at++)
      int16s[target + at] = Math.round((floats[start + at] as number) * factor);
    return largest / ACTIVATION_MAX;
  }

  private rescale(
    to: Rows,
    { width, scales, bias }: Matrix,
    { rowCount, step }: { rowCount: number; step: number },
  ): void {
    const { floats } = this;
    for (let row = 0; row < rowCount; row++) {
      const start = to.start + row * to.stride;
      for (let column = 0; column < width; column++) {
        const product = (floats[start + column] as number) * step * (scales[column] as number);
        floats[start + column] = bias === null ? product : product + (bias[column] as number);
      }
    }
  }
}
