import type { Finding, SecretScanner } from "../../core/secrets/secret-scanner.ts";
import { assignedSecrets, secretByName } from "./assignments.ts";
import { knownTokens } from "./known-tokens.ts";
import { authorizationHeaders, privateKeys, telegramTokens, urlPasswords } from "./structured.ts";
import { visibleText } from "./visible-text.ts";

/** Most telling first: where two find the same place, the first names it. */
const DETECTORS = [
  privateKeys,
  knownTokens,
  telegramTokens,
  authorizationHeaders,
  urlPasswords,
  assignedSecrets,
];

/** Finds credentials by their form and by what they are called. Needs no network and keeps nothing. */
export function createSecretScanner(): SecretScanner {
  return {
    scan(original, name) {
      const visible = visibleText(original);
      const found = DETECTORS.flatMap((detect) => detect(visible.text));
      const named = name === undefined ? [] : secretByName(visible.text, name);
      return apart([...found, ...named]).map(visible.inOriginal);
    },
  };
}

/** In order, with those that overlap made one: what is left of a half-masked secret would still be part of it. */
function apart(findings: readonly Finding[]): Finding[] {
  const ranked = findings.map((finding, rank) => ({ finding, rank }));
  ranked.sort((a, b) => a.finding.start - b.finding.start || a.rank - b.rank);
  const merged: typeof ranked = [];
  for (const next of ranked) {
    const last = merged.at(-1);
    if (!last || next.finding.start >= last.finding.end) {
      merged.push(next);
      continue;
    }
    const best = next.rank < last.rank ? next : last;
    const end = Math.max(last.finding.end, next.finding.end);
    merged[merged.length - 1] = {
      rank: best.rank,
      finding: { kind: best.finding.kind, start: last.finding.start, end },
    };
  }
  return merged.map(({ finding }) => finding);
}
