/** What becomes of the memories of one fact, told without a database. Instants are minutes. */
export interface FactMemory {
  readonly id: string;
  status: "active" | "archived" | "superseded" | "soft_deleted" | "redacted";
  before: "active" | "archived" | "superseded";
  /** Infinity: never. */
  expires: number;
  version: number;
  /** The memory of its key that superseded it. */
  under: FactMemory | null;
  /** What superseded it had expired before it was removed, at this instant. */
  freeSince: number | null;
}

const LASTING = Number.POSITIVE_INFINITY;

export class FactModel {
  #memories: FactMemory[] = [];
  #highest = 0;

  get memories(): readonly FactMemory[] {
    return this.#memories;
  }

  find(id: string): FactMemory {
    return this.#memories.find((memory) => memory.id === id) as FactMemory;
  }

  /** The status that is shown at that instant. */
  shown(memory: FactMemory, now: number): string {
    if (memory.status === "active") return memory.expires > now ? "active" : "expired";
    if (memory.status !== "superseded" || !this.#isBack(memory, now)) return memory.status;
    return memory.expires > now ? "active" : "expired";
  }

  live(now: number): string[] {
    return this.#memories.filter((memory) => this.shown(memory, now) === "active").map(({ id }) => id);
  }

  /** The version that a new head gets, and what it supersedes. */
  state(id: string, expires: number, now: number): { version: number; superseded: string[] } {
    const superseded = this.live(now);
    const version = this.#isKnown() ? this.#highest + 1 : 1;
    this.#highest = version;
    const head: FactMemory = {
      ...{ id, status: "active", before: "active", expires, version, under: null, freeSince: null },
    };
    for (const older of superseded) this.#supersede(this.find(older), head);
    this.#memories.push(head);
    return { version, superseded };
  }

  expire(memory: FactMemory, expires: number): void {
    if (memory.expires === expires) return;
    memory.expires = expires;
    this.#count(memory);
  }

  /** Archives it, or makes it live whatever it was. */
  setStatus(memory: FactMemory, status: "active" | "archived", now: number): void {
    const shown = this.shown(memory, now) === "expired" ? "active" : this.shown(memory, now);
    if (shown === status) return;
    this.#leave(memory, now, status);
    this.#count(memory);
  }

  softDelete(memory: FactMemory, now: number): void {
    if (memory.status === "soft_deleted") return;
    const isBack = memory.status === "superseded" && this.#isBack(memory, now);
    const before = isBack ? "active" : (memory.status as FactMemory["before"]);
    this.#leave(memory, now, "soft_deleted", before !== "superseded");
    memory.before = before;
  }

  restore(memory: FactMemory, now: number): string {
    memory.status = memory.before;
    if (this.shown(memory, now) === "active") {
      const holders = this.live(now).filter((id) => id !== memory.id);
      const [holder] = holders.map((id) => this.find(id)).sort((a, b) => order(b.expires, a.expires));
      if (holder) this.#supersede(memory, holder);
    }
    return this.shown(memory, now);
  }

  redact(memory: FactMemory, now: number): void {
    this.#leave(memory, now, "redacted");
  }

  hardDelete(memory: FactMemory, now: number): void {
    this.#leave(memory, now, "redacted");
    this.#memories = this.#memories.filter((other) => other !== memory);
  }

  /** Redacted ones state it no more. */
  #isKnown(): boolean {
    return this.#memories.some(({ status }) => status !== "redacted");
  }

  #count(memory: FactMemory): void {
    memory.version += 1;
    this.#highest = Math.max(this.#highest, memory.version);
  }

  #supersede(memory: FactMemory, by: FactMemory): void {
    Object.assign(memory, { status: "superseded", under: by, freeSince: null });
  }

  /** It holds the fact no more. What it has given way to already stays. */
  #leave(memory: FactMemory, now: number, status: FactMemory["status"], unlinks = true): void {
    const below = this.#memories.filter((other) => isUnder(other, memory));
    const ends = below.map((other) => this.#waitsUntil(other));
    for (const [at, other] of below.entries()) {
      const end = ends[at] as number;
      other.freeSince = end <= now && other.expires > end ? end : null;
    }
    memory.status = status;
    if (unlinks) Object.assign(memory, { under: null, freeSince: null });
  }

  /** It waits for nothing any more; and had not expired itself when that began. */
  #isBack(memory: FactMemory, now: number): boolean {
    const end = this.#waitsUntil(memory);
    return end <= now && memory.expires > end;
  }

  /** Until all above it has expired. */
  #waitsUntil(memory: FactMemory): number {
    return this.#heldAbove(memory) ?? memory.freeSince ?? LASTING;
  }

  /** Until when what is above holds the fact; null where some of it is there no more. */
  #heldAbove({ under }: FactMemory): number | null {
    if (under?.status === "active") return under.expires;
    if (under?.status !== "superseded") return null;
    const above = this.#heldAbove(under);
    if (above === null) return under.freeSince === null ? null : under.expires;
    return Math.max(under.expires, above);
  }
}

function isUnder(memory: FactMemory, other: FactMemory): boolean {
  for (let at = memory.under; at !== null; at = at.under) if (at === other) return true;
  return false;
}

function order(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
