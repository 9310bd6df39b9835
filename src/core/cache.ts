/**
 * Caches of the process. Each is bounded in bytes and registered here, so that operators can see what a process holds
 * and why. Sizes are upper estimates of memory use.
 */

/** Total size of the caches of one name. */
export interface CacheSize {
  readonly name: string;
  readonly entries: number;
  readonly bytes: number;
  readonly bytesMax: number;
}

type Measure = () => Omit<CacheSize, "name">;

/** Weak references, so that listing does not keep caches alive. */
const measured = new Set<{ readonly name: string; readonly of: WeakRef<{ readonly measure: Measure }> }>();

/** Registers a cache for as long as it lives. */
export function listCache(name: string, cache: { readonly measure: Measure }): void {
  measured.add({ name, of: new WeakRef(cache) });
}

/** Returns all caches of this process, summed by name. */
export function cacheSizes(): CacheSize[] {
  const sizes = new Map<string, CacheSize>();
  for (const listed of measured) {
    const one = listed.of.deref()?.measure();
    if (one === undefined) {
      measured.delete(listed);
      continue;
    }
    const { name } = listed;
    const sum = sizes.get(name) ?? { name, entries: 0, bytes: 0, bytesMax: 0 };
    sizes.set(name, {
      name,
      entries: sum.entries + one.entries,
      bytes: sum.bytes + one.bytes,
      bytesMax: sum.bytesMax + one.bytesMax,
    });
  }
  return [...sizes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Memory of a map entry including its overhead, measured on V8. */
const ENTRY_BYTES = 64;

export interface CacheOptions<Value> {
  readonly name: string;
  readonly bytesMax: number;
  /** Bytes of a value, excluding its key and the map entry. */
  readonly bytesOf: (value: Value) => number;
}

/**
 * Values by key, the oldest forgotten when they would take more bytes than they may. No cache here needs to know what
 * was used last: `lru-cache` takes 50 bytes more an entry and ten times as long to read one.
 */
export class BoundedCache<Key extends string | number, Value> {
  readonly #options: CacheOptions<Value>;
  readonly #entries = new Map<Key, Value>();
  #bytes = 0;

  constructor(options: CacheOptions<Value>) {
    this.#options = options;
    listCache(options.name, this);
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** Copies text keys, because engines retain the whole text of which a key is a substring. */
  set(key: Key, value: Value): void {
    this.delete(key);
    const bytes = this.#size(key, value);
    if (bytes > this.#options.bytesMax) return;
    this.#entries.set(typeof key === "string" ? (copied(key) as Key) : key, value);
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#options.bytesMax) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= this.#size(key, value);
  }

  /** Returns a snapshot of the entries, oldest first. */
  entries(): [Key, Value][] {
    return [...this.#entries];
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  measure(): Omit<CacheSize, "name"> {
    return { entries: this.#entries.size, bytes: this.#bytes, bytesMax: this.#options.bytesMax };
  }

  #size(key: Key, value: Value): number {
    return ENTRY_BYTES + (typeof key === "string" ? 2 * key.length : 0) + this.#options.bytesOf(value);
  }
}

/** Returns a copy of the text that shares no memory with it. */
function copied(text: string): string {
  return text.split("").join("");
}
