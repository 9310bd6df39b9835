/**
 * Characters that can control a terminal or mislead a reader: controls, writing direction, zero-width and other
 * invisible characters, and all line breaks.
 */
const STEERING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Makes untrusted text safe for a terminal or a log, on one line. */
export function printable(text: string): string {
  return text.replace(STEERING, "?");
}

/** Makes each line of a text safe. For our own messages of several lines, which may quote untrusted text. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** Serialises JSON that may be shown on a terminal, with such characters as escapes. */
export function printableJson(value: unknown): string {
  return escapedJson(JSON.stringify(value, null, 2));
}

/** Escapes such characters in JSON, except line breaks. */
function escapedJson(json: string): string {
  return json.replace(STEERING, (character) =>
    character === "\n" ? character : [...utf16Of(character)].map(escapeOf).join(""),
  );
}

type Stream = "stdout" | "stderr";

/**
 * Writes lines for people. All output to a terminal goes through this, `rewriteLine` or `writeJson`, so that untrusted
 * text can never control the terminal.
 */
export function writeLines(stream: Stream, text: string): void {
  process[stream].write(`${printableLines(text)}\n`);
}

/** Overwrites the current line of a terminal. An empty text clears it. */
export function rewriteLine(text: string): void {
  process.stderr.write(`\r\u001b[2K${printable(text)}`);
}

/**
 * Writes lines of JSON to standard output, with escapes if it is a terminal. Returns false if the reader does not keep
 * up.
 */
export function writeJson(json: string): boolean {
  return process.stdout.write(process.stdout.isTTY ? escapedJson(json) : json);
}

/** Prints warnings of libraries and the runtime by `writeLines`, since they may quote any text. */
export function printWarnings(): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => writeLines("stderr", `${name}: ${message}`));
}

function utf16Of(character: string): number[] {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
}

function escapeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
