/** How what recall and writes stand on is now. */
export interface Health {
  /** Dependencies that recall can work without: by name, why one does not answer, or null. */
  readonly outages: Readonly<Record<string, string | null>>;
  /** Since when the oldest change waits to be in the index; null where none waits. */
  readonly oldestSeconds: number | null;
  /** Whether memories wait for their vector, and are found by their words meanwhile. */
  readonly isEmbeddingLate: boolean;
}

/** Readiness of everything that the service depends on. */
export interface Readiness {
  /** Dependencies that every request needs, by name: why it is unusable, in a few words, or null. */
  readonly needed: Readonly<Record<string, string | null>>;
  /** Dependencies that the service can do without, alike. */
  readonly others: Readonly<Record<string, string | null>>;
  /** True once the server drains: it ends what it has begun, and new requests belong to others. */
  readonly isStopping: boolean;
}
