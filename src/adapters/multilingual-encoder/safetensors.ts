/** Number arrays by name, with text about them: a file in the format safetensors. */
export interface Tensors {
  readonly metadata: Readonly<Record<string, string>>;
  readonly names: readonly string[];
  /** Returns a view of a tensor's bytes. */
  bytes(name: string): Uint8Array;
  int8(name: string): Int8Array;
  uint32(name: string): Uint32Array;
  float32(name: string): Float32Array;
  float64(name: string): Float64Array;
}

interface Entry {
  readonly data_offsets: readonly [number, number];
}

/** Reads a file: the header's length in 8 bytes, the header as JSON, the data. Arrays other than bytes are copied. */
export function readTensors(file: Uint8Array): Tensors {
  const headerBytes = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  const { __metadata__: metadata, ...entries } = JSON.parse(
    new TextDecoder().decode(file.subarray(8, 8 + headerBytes)),
  ) as { __metadata__: Record<string, string> } & Record<string, Entry>;

  function bytes(name: string): Uint8Array {
    const entry = entries[name] as Entry | undefined;
    if (entry === undefined) throw new Error(`The file has no tensor ${name}.`);
    const [start, end] = entry.data_offsets;
    return file.subarray(8 + headerBytes + start, 8 + headerBytes + end);
  }
  /** A copy of its own, since a view would have to be aligned and would keep the whole file in memory. */
  const copy = (name: string): ArrayBuffer => new Uint8Array(bytes(name)).buffer;

  return {
    metadata,
    names: Object.keys(entries),
    bytes,
    int8: (name) => new Int8Array(copy(name)),
    uint32: (name) => new Uint32Array(copy(name)),
    float32: (name) => new Float32Array(copy(name)),
    float64: (name) => new Float64Array(copy(name)),
  };
}
