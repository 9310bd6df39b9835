/** A setting that is not valid. The message names it and says what it may be; it never holds the value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
