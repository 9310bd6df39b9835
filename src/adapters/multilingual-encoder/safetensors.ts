import type { ModelFile } from "../model-package.ts";

/** Number arrays by name, with text about them: a file in the format safetensors. Each call reads the file. */
export interface Tensors {
  readonly metadata: Readonly<Record<string, string>>;
  readonly names: readonly string[];
  /** Fills `part` with the bytes of a tensor from this offset on. */
  readPart(name: string, offset: number, part: Uint8Array): void;
  bytes(name: string): Uint8Array;
  int8(name: string): Int8Array;
  uint32(name: string): Uint32Array;
  float32(name: string): Float32Array;
  float64(name: string): Float64Array;
}

interface Entry {
  readonly data_offsets: readonly [number, number];
}

const LENGTH_BYTES = 8;

/** Reads the head of a file: the header's length in 8 bytes, the header as JSON. The data follows. */
export function openTensors(file: ModelFile): Tensors {
  const length = new DataView(new ArrayBuffer(LENGTH_BYTES));
  file.read(0, new Uint8Array(length.buffer));
  const header = new Uint8Array(Number(length.getBigUint64(0, true)));
  file.read(LENGTH_BYTES, header);
  const { __metadata__: metadata, ...entries } = JSON.parse(new TextDecoder().decode(header)) as {
    __metadata__: Record<string, string>;
  } & Record<string, Entry>;

  function placeOf(name: string): { position: number; length: number } {
    const entry = entries[name] as Entry | undefined;
    if (entry === undefined) throw new Error(`The file has no tensor ${name}.`);
    const [start, end] = entry.data_offsets;
    return { position: LENGTH_BYTES + header.length + start, length: end - start };
  }
  function buffer(name: string): ArrayBuffer {
    const { position, length } = placeOf(name);
    const bytes = new ArrayBuffer(length);
    file.read(position, new Uint8Array(bytes));
    return bytes;
  }

  return {
    metadata,
    names: Object.keys(entries),
    readPart(name, offset, part) {
      file.read(placeOf(name).position + offset, part);
    },
    bytes: (name) => new Uint8Array(buffer(name)),
    int8: (name) => new Int8Array(buffer(name)),
    uint32: (name) => new Uint32Array(buffer(name)),
    float32: (name) => new Float32Array(buffer(name)),
    float64: (name) => new Float64Array(buffer(name)),
  };
}
