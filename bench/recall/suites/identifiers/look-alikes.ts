import type { Random } from "../../../../test/support/random.ts";
import type { Difference, Kind } from "./kinds.ts";

/** Changes that leave an identifier as it is, or make none of its kind, are tried again so many times. */
const TRIES = 12;

/** Another identifier of the kind that is easily taken for this one; null where none could be made. */
export function lookAlike(id: string, kind: Kind, random: Random): string | null {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const other = CHANGES[random.pick(kind.differences)](id, kind, random);
    if (other !== id && kind.pattern.test(other)) return other;
  }
  return null;
}

const CHANGES: Readonly<Record<Difference, (id: string, kind: Kind, random: Random) => string>> = {
  neighbour: (id, _, random) =>
    id.replace(/\d+(?=\D*$)/, (digits) => numberBeside(digits, random.pick([-2, -1, 1, 2]))),
  letter: (id, kind, random) => {
    // What begins otherwise is not taken for it.
    const at = random.pick(placesOf(/[a-z\d]/gi, id).slice(1));
    return withCharacter(id, at, otherLike(id.charAt(at), kind, random));
  },
  shorter: (id) => id.slice(0, -1),
  longer: (id, kind, random) => id + otherLike(id.slice(-1), kind, random),
  case: (id, _, random) => {
    const at = random.pick(placesOf(/[a-z]/gi, id));
    const letter = id.charAt(at);
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    return withCharacter(id, at, other);
  },
  swapped: (id, _, random) => {
    // Pieces stand at even places, what is between them at odd ones.
    const pieces = id.split(/([^A-Za-z\d]+|(?<=[a-z])(?=[A-Z]))/);
    if (pieces.length < 3) return id;
    const at = 2 * random.below((pieces.length - 1) / 2);
    return pieces
      .with(at, pieces[at + 2] ?? "")
      .with(at + 2, pieces[at] ?? "")
      .join("");
  },
};

/** With as many digits, or one more where it needs that. Of a long number only the end is counted on. */
function numberBeside(digits: string, by: number): string {
  const [start, end] = [digits.slice(0, -6), digits.slice(-6)];
  return start + String(Math.abs(Number(end) + by)).padStart(end.length, "0");
}

/** A digit for a digit, a letter of the same case for a letter, and not the same. */
function otherLike(character: string, { letters }: Kind, random: Random): string {
  const alphabet = /\d/.test(character) ? "0123456789" : (letters ?? "abcdefghijklmnopqrstuvwxyz");
  const other = random.pick([...alphabet.replace(character.toLowerCase(), "")]);
  return character === character.toLowerCase() ? other : other.toUpperCase();
}

function placesOf(pattern: RegExp, id: string): number[] {
  return [...id.matchAll(pattern)].map(({ index }) => index);
}

function withCharacter(id: string, at: number, character: string): string {
  return id.slice(0, at) + character + id.slice(at + 1);
}
