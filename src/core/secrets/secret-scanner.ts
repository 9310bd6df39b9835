/** Where a secret is in a text, in UTF-16 code units, and what it is. */
export interface Finding {
  /** Such as `github_token`: lower case, digits and `_`. */
  readonly kind: string;
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
}

/** Finds credentials in text. Pure, and linear in the length of the text. */
export interface SecretScanner {
  /**
   * The secrets of a text, in order and without overlap. `name` is what the text is called where it stands, such as
   * the key of a JSON member: `hunter2!` alone is a word, under `password` it is a secret.
   */
  scan(text: string, name?: string): readonly Finding[];
}

/** What is done with secrets in what is written. */
export type SecretPolicy = "mask" | "refuse" | "allow";

/** How secrets in what is written are found, and what is done with them. */
export interface Secrets {
  readonly scanner: SecretScanner;
  readonly policy: SecretPolicy;
}
