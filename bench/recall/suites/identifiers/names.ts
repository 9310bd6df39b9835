import type { Random } from "../../../../test/support/random.ts";
import type { Kind } from "./kinds.ts";
import { lookAlike } from "./look-alikes.ts";

export interface Named {
  readonly id: string;
  readonly kind: Kind;
}

/** Where so many look-alikes were taken there are hardly any left. */
const TRIES = 8;

/** Gives out identifiers, none of them twice. */
export class Names {
  readonly #random: Random;
  readonly #given = new Set<string>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** One and its look-alikes; another one in place of a look-alike that could not be made. */
  family(kind: Kind, count: number): Named[] {
    const first = this.#one(kind);
    return [first, ...Array.from({ length: count - 1 }, () => this.like(first) ?? this.#one(kind))];
  }

  /** One that looks like this one; null where there is hardly any left. */
  like({ id, kind }: Named): Named | null {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const other = lookAlike(id, kind, this.#random);
      if (other !== null && this.#take(other)) return { id: other, kind };
    }
    return null;
  }

  #one(kind: Kind): Named {
    let id = kind.make(this.#random);
    while (!kind.pattern.test(id) || !this.#take(id)) id = kind.make(this.#random);
    return { id, kind };
  }

  #take(id: string): boolean {
    if (this.#given.has(id)) return false;
    this.#given.add(id);
    return true;
  }
}
