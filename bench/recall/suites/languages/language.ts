/**
 * Texts of one language. The facts are the same, in the same order, in every language, each written as a native speaker
 * would say it. `everyday` makes sentences that no question asks for.
 */
export interface Language {
  /** BCP 47. */
  readonly code: string;
  readonly everyday: {
    /** With `{who}`, `{verb}`, `{object}` and `{when}`, each once. */
    readonly frame: string;
    /** Lists are separated by `;`. */
    readonly who: string;
    readonly when: string;
    /** Verbs, `|`, and objects that suit every one of them. */
    readonly deeds: readonly string[];
  };
  /**
   * A line a fact: its number, the statement, a plain question about it, and an indirect one that shares few words with the
   * statement, separated by `=>`.
   */
  readonly facts: string;
}
