import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * Reads the tokens of `o200k_base` as OpenAI publishes them, a file of gpt-tokenizer. Its module of the same tokens has
 * 200,000 strings, which take 25 MB until the process ends.
 */
export function readTokenVocabulary(): Uint8Array {
  return readFileSync(createRequire(import.meta.url).resolve("gpt-tokenizer/data/o200k_base.tiktoken"));
}
