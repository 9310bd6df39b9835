/**
 * A static embedding table: one int8 row and one float32 scale per word piece.
 *
 * Format: `MSE1` | u32 header length | header JSON `{dim, vocab, vocabBytes}` | vocabulary joined by `\n`,
 * padded to 4 bytes | float32 scale[vocab] | int8 row[vocab × dim]; little endian.
 */
export interface StaticTable {
  readonly dimension: number;
  readonly words: readonly string[];
  readonly scales: Float32Array;
  readonly rows: Int8Array;
}

const MAGIC = "MSE1";

/** Reads a table. Throws when the bytes are not one, or are cut short. */
export function readStaticTable(bytes: Uint8Array): StaticTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = new TextDecoder();
  if (bytes.length < 8 || text.decode(bytes.subarray(0, 4)) !== MAGIC)
    throw new Error("Not a static embedding table.");
  const vocabularyAt = 8 + view.getUint32(4, true);
  const header = JSON.parse(text.decode(bytes.subarray(8, vocabularyAt))) as Record<string, unknown>;
  const [dimension, count, wordBytes] = [header.dim, header.vocab, header.vocabBytes].map(Number);
  if (!dimension || !count || !wordBytes) throw new Error("The static embedding table lacks its dimensions.");
  const scalesAt = vocabularyAt + Math.ceil(wordBytes / 4) * 4;
  const rowsAt = scalesAt + 4 * count;
  if (bytes.length < rowsAt + count * dimension) throw new Error("The static embedding table is cut short.");
  const scales = new Float32Array(count);
  for (let row = 0; row < count; row++) scales[row] = view.getFloat32(scalesAt + 4 * row, true);
  return {
    dimension,
    words: text.decode(bytes.subarray(vocabularyAt, vocabularyAt + wordBytes)).split("\n"),
    scales,
    rows: new Int8Array(bytes.buffer, bytes.byteOffset + rowsAt, count * dimension),
  };
}
