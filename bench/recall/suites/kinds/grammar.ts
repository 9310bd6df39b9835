import type { Random } from "../../../../test/support/random.ts";

/** Lists that slots are filled from, by name. Items are separated by `;`, the form that is asked for by `/`. */
export type Slots = Readonly<Record<string, string>>;

/** One kind of fact: ways to state it, and to ask for it. */
export interface Frame {
  readonly statements: readonly string[];
  /** In the words of the statement. */
  readonly plain: readonly string[];
  /** In other words. */
  readonly indirect: readonly string[];
}

export interface Fact {
  readonly statement: string;
  readonly plain: string;
  readonly indirect: string;
}

/**
 * Fills templates. `{place}` is an item of the list `place` as stored, `{place~}` the form that is asked for, which is the
 * same unless the list has another. `{place2}` is a second item of the list. `{10-99}` is a number, `{a:10-99}` the same one
 * each time within a fact.
 */
export class Grammar {
  readonly #lists: ReadonlyMap<string, readonly string[]>;
  readonly #random: Random;
  readonly #asked = new Set<string>();

  constructor(slots: Slots, random: Random) {
    this.#random = random;
    this.#lists = new Map(Object.entries(slots).map(([name, items]) => [name, itemsOf(items)]));
  }

  /** Fills a template that is no part of a fact. */
  sentence(template: string): string {
    return this.#fill(template, new Map());
  }

  /** Makes a fact of the frame whose questions no earlier fact answers. Throws if the lists have no more. */
  fact(frame: Frame): Fact {
    for (let tries = 0; tries < 200; tries++) {
      const values = new Map<string, string>();
      const plain = this.#random.pick(frame.plain);
      const indirect = this.#random.pick(frame.indirect);
      const fact = {
        statement: this.#fill(this.#random.pick(frame.statements), values),
        plain: this.#fill(plain, values),
        indirect: this.#fill(indirect, values),
      };
      const asked = [plain, indirect].map((template) => askedValues(frame, template, values));
      if (asked.some((key) => this.#asked.has(key))) continue;
      for (const key of asked) this.#asked.add(key);
      return fact;
    }
    throw new Error(`No more facts of "${frame.statements[0]}"`);
  }

  #fill(template: string, values: Map<string, string>): string {
    return template.replace(SLOT, (_, slot: string, isAsked: string) => {
      const value = values.get(slot) ?? this.#value(slot, values);
      values.set(slot, value);
      const [stored, asked = stored] = value.split("/") as [string, string | undefined];
      return (isAsked ? asked : stored).replaceAll("\\", "/");
    });
  }

  #value(slot: string, values: ReadonlyMap<string, string>): string {
    const range = slot.match(/^(?:\w+:)?(\d+)-(\d+)$/);
    if (range) return String(Number(range[1]) + this.#random.below(Number(range[2]) - Number(range[1]) + 1));
    const items = this.#lists.get(slot.replace(/\d$/, ""));
    if (!items) throw new Error(`No list "${slot}"`);
    const unused = items.filter((item) => ![...values.values()].includes(item));
    return this.#random.pick(unused);
  }
}

const SLOT = /\{([\w:-]+)(~?)\}/g;

/** What a question of the frame asks for: two with the same would have the same answer. */
function askedValues(frame: Frame, template: string, values: ReadonlyMap<string, string>): string {
  const slots = [...template.matchAll(SLOT)].map(([, slot]) => slot as string).sort();
  return [frame.statements[0], ...slots.map((slot) => `${slot}=${values.get(slot)}`)].join("|");
}

function itemsOf(list: string): string[] {
  return list
    .split(";")
    .map((item) => item.trim())
    .filter(Boolean);
}

/** Reads frames: a line each, `statement || … => plain || … => indirect || …`. */
export function framesOf(lines: string): Frame[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => {
      const parts = line
        .trim()
        .split(" => ")
        .map((part) => part.split(" || "));
      const [statements, plain, indirect] = parts;
      if (!statements || !plain || !indirect || parts.length > 3) throw new Error(`No frame: "${line}"`);
      return { statements, plain, indirect };
    });
}
