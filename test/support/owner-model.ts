/** What a create says of a memory, as the model compares it. */
export interface Said {
  readonly content: string;
  readonly path: string;
  readonly bucket: string;
  readonly key: string | null;
  readonly project: string | null;
}

interface Held extends Said {
  readonly id: string;
  /** What the create said that made it; null once redacted. */
  readonly created: string | null;
  readonly status: "active" | "superseded" | "soft_deleted" | "redacted";
  readonly before: "active" | "superseded" | "redacted";
}

/** What a write is expected to answer. */
export type Expected =
  | { readonly status: 201; readonly id: string | null; readonly superseded: readonly string[] }
  | { readonly status: 404 | 409 };

/** One owner's memories as a plain map: what the service should do, told without a database. */
export class OwnerModel {
  readonly #held = new Map<string, Held>();

  get(id: string): Held | undefined {
    return this.#held.get(id);
  }

  ids(): string[] {
    return [...this.#held.keys()];
  }

  live(sees: (said: Said) => boolean = () => true): Held[] {
    return [...this.#held.values()].filter((memory) => memory.status === "active" && sees(memory));
  }

  /** What a create should answer to a credential that sees this much; `made` takes the id of what was made. */
  create(said: Said, id: string | null, dedupe: boolean, sees: (said: Said) => boolean): Expected {
    const holder = id === null ? undefined : this.#held.get(id);
    if (holder) {
      const isSame =
        holder.created === JSON.stringify(said) && holder.status !== "soft_deleted" && sees(holder);
      return isSame ? { status: 201, id: holder.id, superseded: [] } : { status: 409 };
    }
    const equal = dedupe ? this.live(sees).find((memory) => textOf(memory) === textOf(said)) : undefined;
    if (equal) return { status: 201, id: equal.id, superseded: [] };
    const older = this.#sameFact(said);
    if (older.some((memory) => !sees(memory))) return { status: 409 };
    return { status: 201, id: null, superseded: older.map((memory) => memory.id) };
  }

  made(id: string, said: Said, superseded: readonly string[]): void {
    for (const old of superseded) this.#change(old, { status: "superseded" });
    this.#held.set(id, { ...said, id, created: JSON.stringify(said), status: "active", before: "active" });
  }

  update(id: string, said: Partial<Said>): 200 | 404 | 409 {
    const memory = this.#held.get(id);
    if (!memory || memory.status === "soft_deleted") return 404;
    if (memory.status === "redacted") return 409;
    this.#change(id, said);
    return 200;
  }

  softDelete(id: string): 200 | 404 {
    const memory = this.#held.get(id);
    if (!memory) return 404;
    if (memory.status !== "soft_deleted") this.#change(id, { status: "soft_deleted", before: memory.status });
    return 200;
  }

  restore(id: string): 200 | 404 | 409 {
    const memory = this.#held.get(id);
    if (!memory) return 404;
    if (memory.status !== "soft_deleted") return 409;
    const isReplaced = memory.before === "active" && this.#sameFact(memory).length > 0;
    this.#change(id, { status: isReplaced ? "superseded" : memory.before });
    return 200;
  }

  hardDelete(id: string): 200 | 404 {
    return this.#held.delete(id) ? 200 : 404;
  }

  redact(id: string): 200 | 404 {
    if (!this.#held.has(id)) return 404;
    this.#change(id, { status: "redacted", content: "[redacted]", created: null, key: null });
    return 200;
  }

  #change(id: string, change: Partial<Held>): void {
    this.#held.set(id, { ...(this.#held.get(id) as Held), ...change });
  }

  #sameFact(said: Said): Held[] {
    if (said.key === null) return [];
    return this.live().filter(
      (memory) => memory.key === said.key && memory.bucket === said.bucket && memory.project === said.project,
    );
  }
}

function textOf({ content, path, bucket, key, project }: Said): string {
  return JSON.stringify([content.trim().replace(/\s+/g, " "), path, bucket, key, project]);
}
