import { Clock, History, type Moment } from "./history.ts";

/** A memory between two writes. */
export interface State {
  readonly owner: string;
  readonly word: string;
  readonly path: string;
  readonly bucket: string;
  readonly status: "active" | "soft_deleted" | "redacted" | "erased";
}

export interface Memory {
  /** Empty until its first write is answered. */
  id: string;
  readonly history: History<State>;
  /** True while somebody writes it: writers take turns, so that its history is a line. */
  isTaken: boolean;
}

/** Who asks: a credential and the part of the memories that it is for. */
export interface Token {
  readonly name: string;
  readonly owner: string;
  /** Its only team, where it is confined to one. */
  readonly team: string | null;
  readonly pathPrefix: string | null;
  readonly buckets: readonly string[] | null;
}

/** An item as an answer shows it. */
export interface Shown {
  readonly id: string;
  readonly content: string;
  readonly path: string;
  readonly bucket: string;
  readonly status: string;
}

/** What a search asks for besides its words. */
export interface Filter {
  readonly path?: string;
  readonly bucket?: string;
  readonly status?: string;
}

/** All memories and memberships over time, told without a database. */
export class Model {
  readonly clock = new Clock();
  readonly memories: Memory[] = [];
  readonly #byWord = new Map<string, Memory>();
  /** Whether a user is in a team, by `user team`. */
  readonly #memberships = new Map<string, History<boolean>>();

  /** To be called once its first write is sent; it is taken until that is answered. */
  add(history: History<State>): Memory {
    const memory = { id: "", history, isTaken: true };
    this.memories.push(memory);
    this.#byWord.set(history.latest.word, memory);
    return memory;
  }

  /** The memory has this word too from now on. */
  nameBy(word: string, memory: Memory): void {
    this.#byWord.set(word, memory);
  }

  membership(user: string, team: string): History<boolean> {
    const key = `${user} ${team}`;
    const known = this.#memberships.get(key) ?? new History<boolean>();
    this.#memberships.set(key, known);
    return known;
  }

  /** What is wrong with an answer to a token; null where nothing is. `word`: what was searched for, and no filter. */
  fault(token: Token, moment: Moment, shown: readonly Shown[], filter: Filter, word?: string): string | null {
    for (const item of shown) {
      const fault = this.#itemFault(token, moment, item, filter);
      if (fault) return fault;
    }
    const wanted = word === undefined ? undefined : this.#byWord.get(word);
    if (!wanted || shown.some(({ content }) => content === textOf(word as string))) return null;
    const isOwed = wanted.history.surely(
      moment,
      (state) => state.word === word && this.#isShown(token, state, moment, filter, "surely"),
    );
    return isOwed ? `${token.name} did not find ${word} of ${this.#told(wanted, moment)}` : null;
  }

  #itemFault(token: Token, moment: Moment, item: Shown, filter: Filter): string | null {
    const memory = this.#byWord.get(wordIn(item.content));
    if (!memory) return `${token.name} was shown what nobody wrote: ${JSON.stringify(item)}`;
    const isAllowed = memory.history.possibly(
      moment,
      (state) => isThat(state, item) && this.#isShown(token, state, moment, filter, "possibly"),
    );
    if (isAllowed && (memory.id === "" || memory.id === item.id)) return null;
    return `${token.name} was shown ${JSON.stringify(item)} of ${this.#told(memory, moment)}`;
  }

  #isShown(token: Token, state: State, moment: Moment, filter: Filter, how: "surely" | "possibly"): boolean {
    const isInSpace =
      (token.pathPrefix === null || isBelow(state.path, token.pathPrefix)) &&
      (token.buckets === null || token.buckets.includes(state.bucket));
    const isAsked =
      state.status === (filter.status ?? "active") &&
      (filter.path === undefined || isBelow(state.path, filter.path.replace("/%", ""))) &&
      (filter.bucket === undefined || filter.bucket === state.bucket);
    return isInSpace && isAsked && this.#reaches(token, state.owner, moment, how);
  }

  #reaches(token: Token, owner: string, moment: Moment, how: "surely" | "possibly"): boolean {
    if (token.team !== null && owner !== token.team) return false;
    if (token.team === null && owner === token.owner) return true;
    return this.membership(token.owner, owner)[how](moment, (isIn) => isIn);
  }

  #told({ id, history }: Memory, { from, to }: Moment): string {
    const near = history.spans.filter(
      ({ sentAt, endAnsweredAt }) => sentAt <= to && endAnsweredAt >= from - 50,
    );
    return `${id}, asked from ${from} to ${to}: ${JSON.stringify(near)}`;
  }
}

function isThat(state: State, { content, path, bucket, status }: Shown): boolean {
  return (
    textOf(state.word) === content &&
    state.path === path &&
    state.bucket === bucket &&
    state.status === status
  );
}

export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

export function textOf(word: string): string {
  return `The gardener wrote ${word} into the book of the garden.`;
}

function wordIn(content: string): string {
  return /wrote (\w+) into/.exec(content)?.[1] ?? "";
}
