/**
 * What can steer a terminal or mislead who reads a line: controls, writing direction, zero width, and whatever else is
 * drawn as nothing; line breaks of every kind.
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
  return JSON.stringify(value, null, 2).replace(STEERING, (character) =>
    character === "\n" ? character : [...utf16Of(character)].map(escapeOf).join(""),
  );
}

function utf16Of(character: string): number[] {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
}

function escapeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
