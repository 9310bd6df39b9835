/** A secret in a text: its place, in UTF-16 code units, and its kind. */
export interface Finding {
  /** Such as `github_token`: lower-case letters, digits and `_`. */
  readonly kind: string;
  readonly start: number;
  /** Exclusive end. */
  readonly end: number;
}

/** Returns the secrets in a text, in order and without overlap. Pure, and linear in the length of the text. */
export type Scan = (text: string) => readonly Finding[];

/** Finds credentials in text. */
export interface SecretScanner {
  readonly scan: Scan;
  /**
   * Returns a scan for values found under this name, such as the key of a JSON member: `hunter2!` alone is a word, but
   * under `password` it is a secret. Parses the name only once, so reuse the returned scan.
   */
  under(name: string): Scan;
}

/** Policy for secrets in written content. */
export type SecretPolicy = "mask" | "refuse" | "allow";

/** Scanner for written content, and the policy for the secrets it finds. */
export interface Secrets {
  readonly scanner: SecretScanner;
  readonly policy: SecretPolicy;
}
