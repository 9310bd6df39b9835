/**
 * How a token is written: runs of characters with separators between them, matched from left to right without ever
 * going back.
 *
 * A run is as long as its characters reach, so that its length alone decides, and a separator is not among the
 * characters of the run before it. So where a run ends does not depend on where it was begun: `FormReader` keeps the
 * last one of each part, and whoever asks from further and further right has each part read a character once at most,
 * matching or not. `eyJ-eyJ-eyJ-…` is read once, not from each `eyJ` to the end.
 */
export interface TokenForm {
  readonly kind: string;
  /** The literal prefixes, by which it is found. */
  readonly starts: readonly string[];
  readonly body: readonly Part[];
  /** Optional parts after the body, one after the other. */
  readonly more?: readonly (readonly Part[])[];
  /** True if the prefix only announces the secret, and is kept. */
  readonly keepsStart?: true;
}

type Part = string | Run;

interface Run {
  readonly isMember: ReadonlyArray<boolean>;
  readonly min: number;
  readonly max: number;
}

/** `run("a-f0-9", 32)`: as many as there are of these characters of ASCII, but no fewer and no more than so many. */
export function run(characters: string, min: number, max: number = Number.POSITIVE_INFINITY): Run {
  const member = new RegExp(`^[${characters}]$`);
  const isMember = Array.from({ length: 128 }, (_, code) => member.test(String.fromCharCode(code)));
  return { isMember, min, max };
}

/** Reads the bodies of one form in one text, of which the positions asked for must not decrease. */
export class FormReader {
  readonly #form: TokenForm;
  readonly #text: Characters;
  readonly #last = new Map<Run, { start: number; end: number }>();

  constructor(form: TokenForm, text: Characters) {
    this.#form = form;
    this.#text = text;
  }

  /** Returns the end (exclusive) of the body that begins here; null if there is none. */
  endOf(start: number): number | null {
    const { body, more } = this.#form;
    let end = this.#match(body, start);
    for (const parts of more ?? []) {
      const next = end === null ? null : this.#match(parts, end);
      if (next === null) break;
      end = next;
    }
    return end;
  }

  #match(parts: readonly Part[], start: number): number | null {
    let at = start;
    for (const part of parts) {
      if (typeof part === "string") {
        if (!this.#has(part, at)) return null;
        at += part.length;
        continue;
      }
      const end = this.#endOfRun(part, at);
      if (end - at < part.min || end - at > part.max) return null;
      at = end;
    }
    return at;
  }

  #has(literal: string, at: number): boolean {
    for (let index = 0; index < literal.length; index += 1)
      if (this.#text.charCodeAt(at + index) !== literal.charCodeAt(index)) return false;
    return true;
  }

  #endOfRun(part: Run, start: number): number {
    const last = this.#last.get(part);
    if (last && last.start <= start && start <= last.end) return last.end;
    let end = start;
    while (part.isMember[this.#text.charCodeAt(end)]) end += 1;
    this.#last.set(part, { start, end });
    return end;
  }
}

/** The part of a string that readers use; `charCodeAt` is NaN past its end. */
export interface Characters {
  charCodeAt(index: number): number;
}
