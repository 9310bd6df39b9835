/**
 * Words and frames of one script. A word is `stored/asked`: the form in which sentences have it, and another one in which
 * people ask for it (another case, with an article or without, unvocalised, a part of the compound); a word without `/`
 * has one form. Words are separated by `;`. Where the script writes no spaces, those in words and frames mark the words
 * and go.
 */
export interface Script {
  readonly name: string;
  readonly hasSpaces: boolean;
  readonly who: string;
  /** 15 at least: with the places they make more than two hundred pairs. */
  readonly what: string;
  /** 14 at least. */
  readonly where: string;
  /** A sentence and a question, `=>` between them. */
  readonly frames: readonly string[];
}
