import { EXPORT_FORMAT, exportHeader } from "../../contract/transfer.ts";
import { DomainError } from "../error.ts";
import { parseExactJson } from "../input/json.ts";
import type { SourceRecord } from "./import-memories.ts";

const LINE_FEED = 10;
/** Longer than any line that an export writes. */
const LINE_BYTES_MAX = 128 * 1024 * 1024;

/** The lines of a file that `exportMemories` wrote, and the number of lines that the file announces. */
export interface ReadExport {
  readonly records: AsyncIterable<SourceRecord>;
  /** The number of lines announced by the headers read so far; null if one of them announces none. */
  announced(): number | null;
}

/**
 * Reads an export line by line, with memory use independent of the file's size. A file may contain several exports one
 * after the other. `validation_failed` if the file does not begin with a header of a supported format.
 */
export function readExport(chunks: AsyncIterable<Uint8Array>): ReadExport {
  let announced: number | null = 0;
  async function* records(): AsyncGenerator<SourceRecord> {
    let hasHeader = false;
    for await (const record of splitLines(chunks)) {
      const header = "value" in record ? headerIn(record.value) : null;
      if (header) {
        announced = announced === null || header.count === undefined ? null : announced + header.count;
        hasHeader = true;
      } else if (hasHeader) yield record;
      else throw notAnExport();
    }
    if (!hasHeader) throw notAnExport();
  }
  return { records: records(), announced: () => announced };
}

function headerIn(value: unknown) {
  if (typeof value !== "object" || value === null || !("recollect_export" in value)) return null;
  const header = exportHeader.safeParse(value);
  if (!header.success) throw notAnExport();
  if (header.data.recollect_export >= 1 && header.data.recollect_export <= EXPORT_FORMAT) return header.data;
  throw new DomainError(
    "validation_failed",
    `The file is of export format ${header.data.recollect_export}, this version reads 1 to ${EXPORT_FORMAT}: use a newer version of Recollect.`,
  );
}

function notAnExport(): DomainError {
  return new DomainError(
    "validation_failed",
    `This is not a Recollect export: its first line must be a header such as {"recollect_export":${EXPORT_FORMAT}}. For a file of another system, name it with --from.`,
  );
}

/** Parses every line that is not blank to its JSON value, or to its problem. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SourceRecord> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let line = 1;
  let offset = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      pending.push(chunk.subarray(from, at));
      const record = toRecord(pending, pendingBytes + at - from, { line, offset: offset + at + 1 });
      if (record) yield record;
      pending = [];
      pendingBytes = 0;
      from = at + 1;
      line += 1;
    }
    offset += chunk.length;
    pendingBytes += chunk.length - from;
    // The content of a line that is too long is dropped. Its length is enough to report it when it ends.
    if (pendingBytes <= LINE_BYTES_MAX) pending.push(chunk.slice(from));
    else pending = [];
  }
  const last = toRecord(pending, pendingBytes, { line, offset });
  if (last) yield last;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function toRecord(
  parts: Uint8Array[],
  length: number,
  place: { line: number; offset: number },
): SourceRecord | null {
  if (length > LINE_BYTES_MAX)
    return { ...place, problem: `is longer than ${LINE_BYTES_MAX / 1024 / 1024} MiB` };
  let text: string;
  try {
    text = decoder.decode(joined(parts, length)).trim();
  } catch {
    return { ...place, problem: "is not UTF-8 text" };
  }
  if (text === "") return null;
  try {
    return { ...place, value: parseExactJson(text, []) };
  } catch (error) {
    const [issue] = error instanceof DomainError ? error.issues : [];
    if (issue?.type === "integer_inexact")
      return { ...place, problem: `${issue.loc.join(".")}: ${issue.msg}` };
    return { ...place, problem: "is not JSON, or is cut short" };
  }
}

function joined(parts: Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
