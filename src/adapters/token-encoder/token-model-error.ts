/** The token model cannot be run. The message says why and what to do, and holds nothing of any text. */
export class TokenModelError extends Error {
  override readonly name = "TokenModelError";
}
