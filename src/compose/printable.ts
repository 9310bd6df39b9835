/**
 * Characters that can control a terminal or mislead a reader: controls, writing direction, zero width, and whatever
 * else is drawn as nothing; line breaks of every kind.
 */
const STEERING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Text that somebody else chose, safe to show on a terminal and in a log: in one line. */
export function printable(text: string): string {
  return text.replace(STEERING, "?");
}

/** Words of our own in several lines, which may quote what somebody chose: the same for each line. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** JSON for machines that may be looked at on a terminal: the same text, with such characters written as escapes. */
export function printableJson(value: unknown): string {
  return escapedJson(JSON.stringify(value, null, 2));
}

/** JSON with such characters, line breaks aside, written as escapes. */
function escapedJson(json: string): string {
  return json.replace(STEERING, (character) =>
    character === "\n" ? character : [...utf16Of(character)].map(escapeOf).join(""),
  );
}

type Stream = "stdout" | "stderr";

/**
 * Writes lines for people. Every text of this program reaches a terminal by this, `rewriteLine` or `writeJson`, so that
 * nothing that somebody chose can steer it, whoever quotes it.
 */
export function writeLines(stream: Stream, text: string): void {
  process[stream].write(`${printableLines(text)}\n`);
}

/** Writes over the current line of a terminal; an empty text clears it. */
export function rewriteLine(text: string): void {
  process.stderr.write(`\r\u001b[2K${printable(text)}`);
}

/** Writes lines of JSON to standard output, with escapes if it is a terminal. False if the reader does not keep up. */
export function writeJson(json: string): boolean {
  return process.stdout.write(process.stdout.isTTY ? escapedJson(json) : json);
}

/** Prints what libraries and the runtime warn of, which may quote any text, as `writeLines` does. */
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
