/** Current health of what recall and writes depend on. */
export interface Health {
  /** Dependencies that recall can work without: by name, why one does not answer, or null. */
  readonly outages: Readonly<Record<string, string | null>>;
  /** How long the oldest change has waited for the index; null if none waits. */
  readonly oldestSeconds: number | null;
  /** Whether memories wait for their vector. Until then they are found only by their words. */
  readonly isEmbeddingLate: boolean;
}

/** Readiness of everything that the service depends on. */
export interface Readiness {
  /** Dependencies that every request needs, by name: why one is unusable, in a few words, or null. */
  readonly needed: Readonly<Record<string, string | null>>;
  /** Dependencies that the service can work without, in the same form. */
  readonly others: Readonly<Record<string, string | null>>;
  /** True once the server drains: it finishes running requests, and new ones should go to other servers. */
  readonly isStopping: boolean;
}
