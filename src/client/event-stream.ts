import { RecollectError } from "./error.ts";

/** One block of a stream of server-sent events. */
export interface EventBlock {
  /** null if the block has none. */
  readonly id: string | null;
  readonly data: string | null;
  /** How long to wait before reconnecting, if the server says so. */
  readonly retryMs: number | null;
}

/** More than any event of the service. Keeps another kind of stream from filling the memory. */
const BLOCK_LENGTH_MAX = 1024 * 1024;

/**
 * Parses a stream into blocks as the HTML standard does, including those without data, since their ids count too. A
 * block that the end of the stream truncates is dropped.
 */
export async function* eventBlocks(chunks: AsyncIterable<string>): AsyncGenerator<EventBlock, void, void> {
  let rest = "";
  let fields: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    rest += chunk;
    // A trailing carriage return may be the first half of a CRLF.
    const isHalf = rest.endsWith("\r");
    const lines = (isHalf ? rest.slice(0, -1) : rest).split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? "") + (isHalf ? "\r" : "");
    for (const line of lines) {
      length += line.length;
      if (line !== "") fields.push(line);
      else if (fields.length > 0) {
        yield blockOf(fields);
        fields = [];
        length = 0;
      }
    }
    if (length + rest.length > BLOCK_LENGTH_MAX) {
      throw new RecollectError("An event is too long.", { code: "unexpected_answer" });
    }
  }
}

function blockOf(lines: readonly string[]): EventBlock {
  let id: string | null = null;
  let retryMs: number | null = null;
  const data: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    else if (field === "id" && !value.includes("\0")) id = value;
    else if (field === "retry" && /^\d+$/.test(value)) retryMs = Number(value);
  }
  return { id, data: data.length === 0 ? null : data.join("\n"), retryMs };
}
