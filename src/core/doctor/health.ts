/** How what recall and writes stand on is now. */
export interface Health {
  /** Dependencies that recall can work without: by name, why one does not answer, or null. */
  readonly outages: Readonly<Record<string, string | null>>;
  /** Since when the oldest change waits to be in the index; null where none waits. */
  readonly oldestSeconds: number | null;
  /** Whether memories wait for their vector, and are found by their words meanwhile. */
  readonly isEmbeddingLate: boolean;
}
