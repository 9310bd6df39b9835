import type { ExportedMemory } from "../../contract/transfer.ts";
import { DomainError } from "../error.ts";
import { screen } from "../secrets/screen.ts";
import type { Secrets } from "../secrets/secret-scanner.ts";
import type { ReadLine } from "./line.ts";

/** A line as the policy for secrets lets it in. */
export type ScreenedLine =
  | { readonly line: ExportedMemory; readonly isMasked: boolean }
  | Extract<ReadLine, { readonly issues: unknown }>;

/**
 * Applies the policy for secrets to a line and each of its earlier versions. What was masked is another memory than
 * the request that made it asked for, so the hash of that request goes: it was made over the secret.
 */
export function screenLine(secrets: Secrets, read: ReadLine): ScreenedLine {
  if ("issues" in read) return read;
  try {
    const whole = screen(secrets, read.line);
    const versions = read.line.versions.map((version) => screen(secrets, version));
    if (![whole, ...versions].some(({ masked }) => masked.length > 0))
      return { line: read.line, isMasked: false };
    const line = { ...whole.input, versions: versions.map(({ input }) => input), create_hash: null };
    return { line, isMasked: true };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { issues: [{ loc: [], msg: error.message, type: error.code }] };
  }
}
