/** A secret in a text: its place, in UTF-16 code units, and its kind. */
export interface Finding {
  /** Such as `github_token`: lower case, digits and `_`. */
  readonly kind: string;
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
}

/** The secrets of a text, in order and without overlap. Pure, and linear in the length of the text. */
export type Scan = (text: string) => readonly Finding[];

/** Finds credentials in text. */
export interface SecretScanner {
  readonly scan: Scan;
  /**
   * The same for texts that are called so where they stand, such as by the key of a JSON member: `hunter2!` alone is a word,
   * under `password` it is a secret. The name is read once for all of them.
   */
  under(name: string): Scan;
}

/** Policy for secrets in written content. */
export type SecretPolicy = "mask" | "refuse" | "allow";

/** How secrets in what is written are found, and what is done with them. */
export interface Secrets {
  readonly scanner: SecretScanner;
  readonly policy: SecretPolicy;
}
