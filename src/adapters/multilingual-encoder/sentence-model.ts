import { Kernel, type Matrix, type Rows, SPARE_ROWS } from "./kernel.ts";
import type { Tensors } from "./safetensors.ts";
import { PIECES_MAX } from "./word-pieces.ts";

/** Components of a piece's row in the table. */
const PIECE_WIDTH = 512;
/** Components of each convolution, and of a text's vector. */
export const CHANNELS = 256;
/** Words that a convolution sees at once, and how many of them before the word itself. */
const CONVOLUTIONS = [
  { words: 2, before: 0 },
  { words: 3, before: 1 },
  { words: 5, before: 2 },
] as const;
/** Rows of zeros before and after a text, which the widest convolution sees. */
const MARGIN = 2;
/** Features of a word: its piece's row, and the output of each convolution. */
const FEATURES = PIECE_WIDTH + CONVOLUTIONS.length * CHANNELS;
/** Width of what the convolutions read: a part for each. */
const WINDOW_WIDTH = CONVOLUTIONS.length * CHANNELS;
/** Pieces of a text and the marks at both ends. */
const LENGTH_MAX = PIECES_MAX + 2;

interface Norm {
  readonly gain: Float32Array;
  readonly offset: Float32Array;
}

/** A hidden layer and its output, beside a shortcut, all without bias. */
interface ResidualBlock {
  readonly hidden: Matrix;
  readonly output: Matrix;
  readonly shortcut: Matrix;
}

/**
 * Universal Sentence Encoder multilingual v3: convolutions over two, three and five word pieces, of which the sum goes
 * through dense layers. Cer et al. and Yang et al. describe it (arXiv 1907.04307).
 */
export class SentenceModel {
  private readonly kernel: Kernel;
  private readonly epsilon: number;
  private readonly tensors: Tensors;
  /** A piece's row in the table, which is so large that rows are read from the file when they are needed. */
  private readonly row = new Uint8Array(PIECE_WIDTH / 2);
  private readonly tableScales: Float32Array;
  private readonly windowInput: Matrix;
  private readonly convolutions: readonly { readonly first: Matrix; readonly second: Matrix }[];
  private readonly pooled: Matrix;
  private readonly blocks: readonly ResidualBlock[];
  private readonly projection: Matrix;
  private readonly windowNorm: Norm;
  private readonly tokenNorm: Norm;
  private readonly buffers: ReturnType<typeof reserveBuffers>;
  private readonly features = new Float32Array(LENGTH_MAX * FEATURES);

  constructor(tensors: Tensors, program: Uint8Array) {
    const kernel = new Kernel(program, (LENGTH_MAX + SPARE_ROWS + 2 * MARGIN) * PIECE_WIDTH);
    const matrix = (name: string) => kernel.matrix(tensors, name);
    const norm = (name: string) => ({
      gain: tensors.float32(`${name}.gain`),
      offset: tensors.float32(`${name}.offset`),
    });
    this.kernel = kernel;
    this.epsilon = Number(tensors.metadata.epsilon);
    this.tensors = tensors;
    this.tableScales = tensors.float32("pieces.scales");
    this.windowInput = matrix("window_input");
    this.convolutions = CONVOLUTIONS.map(({ words }) => ({
      first: matrix(`convolution_${words}.first`),
      second: matrix(`convolution_${words}.second`),
    }));
    this.pooled = matrix("pooled");
    this.blocks = ["first", "second"].map((name) => ({
      hidden: matrix(`dense_${name}.hidden`),
      output: matrix(`dense_${name}.output`),
      shortcut: matrix(`dense_${name}.shortcut`),
    }));
    this.projection = matrix("projection");
    this.windowNorm = norm("window_norm");
    this.tokenNorm = norm("token_norm");
    this.buffers = reserveBuffers(kernel);
  }

  /** Returns a vector of length 1 for the numbers of a text's pieces. */
  encode(pieces: readonly number[]): Float32Array {
    const length = pieces.length;
    const { kernel, buffers } = this;
    this.lookUp(pieces);
    kernel.multiply(buffers.pieces, this.windowInput, buffers.windows, length);
    this.normaliseWindows(length);
    CONVOLUTIONS.forEach((_, number) => {
      this.convolve(number, length);
    });
    this.sumFeatures(length);
    this.pool(length);
    const [first, second] = this.blocks as [ResidualBlock, ResidualBlock];
    this.residual(buffers.pooled, first, buffers.middle);
    this.activate(buffers.middle, first.output.width, (value) => Math.max(0, value));
    this.residual(buffers.middle, second, buffers.pooled);
    this.activate(buffers.pooled, second.output.width, Math.tanh);
    kernel.multiply(buffers.pooled, this.projection, buffers.result, 1);
    const { start } = buffers.result;
    return toUnitLength(kernel.floats.slice(start, start + this.projection.width));
  }

  /** Reads the pieces' rows, 4 bits a component, into `pieces` and the features. */
  private lookUp(pieces: readonly number[]): void {
    const { floats } = this.kernel;
    const { tensors, row, tableScales, features } = this;
    pieces.forEach((piece, place) => {
      const scale = tableScales[piece] as number;
      tensors.readPart("pieces.rows", piece * row.length, row);
      const start = this.buffers.pieces.start + place * PIECE_WIDTH;
      for (let pair = 0; pair < row.length; pair++) {
        const both = row[pair] as number;
        floats[start + 2 * pair] = scale * ((both & 15) - 8);
        floats[start + 2 * pair + 1] = scale * ((both >> 4) - 8);
      }
      features.set(floats.subarray(start, start + PIECE_WIDTH), place * FEATURES);
    });
  }

  private normaliseWindows(length: number): void {
    const { floats } = this.kernel;
    for (let place = 0; place < length; place++) {
      const start = this.buffers.windows.start + place * WINDOW_WIDTH;
      normaliseLayer(floats.subarray(start, start + WINDOW_WIDTH), this.windowNorm, this.epsilon);
    }
  }

  /** Two convolutions over windows of some words, each with its input added to the output. */
  private convolve(number: number, length: number): void {
    const { kernel, buffers, features } = this;
    const { floats } = kernel;
    const { before } = CONVOLUTIONS[number] as (typeof CONVOLUTIONS)[number];
    const { first, second } = this.convolutions[number] as { first: Matrix; second: Matrix };
    const output = buffers.convolved;
    const inputs = [buffers.firstInput, buffers.secondInput] as const;
    /** The window of the first word begins with zeros. */
    const windows = ({ start, stride }: Rows) => ({ start: start + (MARGIN - before) * stride, stride });
    const rowStart = ({ start, stride }: Rows, place: number) => start + (MARGIN + place) * stride;

    for (const input of inputs) floats.fill(0, input.start, input.start + (length + 2 * MARGIN) * CHANNELS);
    for (let place = 0; place < length; place++) {
      const start = buffers.windows.start + place * WINDOW_WIDTH + number * CHANNELS;
      floats.copyWithin(rowStart(inputs[0], place), start, start + CHANNELS);
    }
    kernel.multiply(windows(inputs[0]), first, output, length);
    for (let place = 0; place < length; place++) {
      addRectified(floats, output.start + place * CHANNELS, rowStart(inputs[0], place), {
        into: floats,
        at: rowStart(inputs[1], place),
      });
    }
    kernel.multiply(windows(inputs[1]), second, output, length);
    for (let place = 0; place < length; place++) {
      addRectified(floats, output.start + place * CHANNELS, rowStart(inputs[1], place), {
        into: features,
        at: place * FEATURES + PIECE_WIDTH + number * CHANNELS,
      });
    }
  }

  /** Sums the features of all words, each word's normalised. */
  private sumFeatures(length: number): void {
    const { floats } = this.kernel;
    const { start } = this.buffers.sum;
    floats.fill(0, start, start + FEATURES);
    for (let place = 0; place < length; place++) {
      const word = this.features.subarray(place * FEATURES, (place + 1) * FEATURES);
      normaliseLayer(word, this.tokenNorm, this.epsilon);
      for (let at = 0; at < FEATURES; at++)
        floats[start + at] = (floats[start + at] as number) + (word[at] as number);
    }
  }

  /** The output layer of the convolutions on the sum, divided by the root of the length. */
  private pool(length: number): void {
    const { kernel, buffers, pooled } = this;
    kernel.multiply(buffers.sum, { ...pooled, bias: null }, buffers.pooled, 1);
    const bias = pooled.bias as Float32Array;
    this.activate(
      buffers.pooled,
      pooled.width,
      (value, at) => (value + length * (bias[at] as number)) / Math.sqrt(length),
    );
  }

  /** Writes `input · shortcut + max(0, input · hidden) · output`. */
  private residual(input: Rows, { hidden, output, shortcut }: ResidualBlock, to: Rows): void {
    const { kernel, buffers } = this;
    const { floats } = kernel;
    kernel.multiply(input, hidden, buffers.hidden, 1);
    this.activate(buffers.hidden, hidden.width, (value) => Math.max(0, value));
    kernel.multiply(input, shortcut, buffers.shortcut, 1);
    kernel.multiply(buffers.hidden, output, to, 1);
    this.activate(to, output.width, (value, at) => value + (floats[buffers.shortcut.start + at] as number));
  }

  private activate({ start }: Rows, width: number, change: (value: number, at: number) => number): void {
    const { floats } = this.kernel;
    for (let at = 0; at < width; at++) floats[start + at] = change(floats[start + at] as number, at);
  }
}

/** The memory for intermediate results, for the longest text. */
function reserveBuffers(kernel: Kernel) {
  return {
    pieces: kernel.rows(LENGTH_MAX, PIECE_WIDTH),
    windows: kernel.rows(LENGTH_MAX, WINDOW_WIDTH),
    firstInput: kernel.rows(LENGTH_MAX + 2 * MARGIN, CHANNELS),
    secondInput: kernel.rows(LENGTH_MAX + 2 * MARGIN, CHANNELS),
    convolved: kernel.rows(LENGTH_MAX, CHANNELS),
    sum: kernel.rows(1, FEATURES),
    pooled: kernel.rows(1, PIECE_WIDTH),
    hidden: kernel.rows(1, PIECE_WIDTH),
    shortcut: kernel.rows(1, PIECE_WIDTH),
    middle: kernel.rows(1, PIECE_WIDTH),
    result: kernel.rows(1, PIECE_WIDTH),
  };
}

/** Layer normalisation in place: mean 0 and variance 1, then gain and offset. */
function normaliseLayer(row: Float32Array, { gain, offset }: Norm, epsilon: number): void {
  let sum = 0;
  for (let at = 0; at < row.length; at++) sum += row[at] as number;
  const mean = sum / row.length;
  let squares = 0;
  for (let at = 0; at < row.length; at++) squares += ((row[at] as number) - mean) ** 2;
  const factor = 1 / Math.sqrt(squares / row.length + epsilon);
  for (let at = 0; at < row.length; at++)
    row[at] = ((row[at] as number) - mean) * factor * (gain[at] as number) + (offset[at] as number);
}

/** Writes `max(0, output) + input` of one word. */
function addRectified(
  floats: Float32Array,
  output: number,
  input: number,
  { into, at }: { into: Float32Array; at: number },
): void {
  for (let channel = 0; channel < CHANNELS; channel++)
    into[at + channel] =
      Math.max(0, floats[output + channel] as number) + (floats[input + channel] as number);
}

function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const component of vector) squares += component * component;
  const length = Math.sqrt(squares) || 1;
  return vector.map((component) => component / length);
}
