import type { Finding, SecretScanner } from "../../core/secrets/secret-scanner.ts";
import { assignedSecrets, secretByName } from "./assignments.ts";
import { knownTokens } from "./known-tokens.ts";
import { authorizationHeaders, privateKeys, telegramTokens, urlPasswords } from "./structured.ts";

/** The most specific first: where two find the same place, the first names it. */
const DETECTORS = [
  privateKeys,
  knownTokens,
  telegramTokens,
  authorizationHeaders,
  urlPasswords,
  assignedSecrets,
];

/** Finds credentials by their form and by the names they are given. Needs no network and stores nothing. */
export function createSecretScanner(): SecretScanner {
  return {
    scan(original, name) {
      const visible = visibleText(original);
      const found = DETECTORS.flatMap((detect) => detect(visible.text));
      const named = name === undefined ? [] : secretByName(visible.text, name);
      return withoutOverlaps([...found, ...named]).map(visible.inOriginal);
    },
  };
}

/** In order, with overlapping ones merged: the rest of a half-masked secret would still be part of it. */
function withoutOverlaps(findings: readonly Finding[]): Finding[] {
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

const INVISIBLE = /[\u00AD\u200B-\u200D\u2060\uFEFF]/;

/** A text as people see it: zero-width characters are left out, so that they hide no secret. */
interface VisibleText {
  readonly text: string;
  /** The same finding in the original text. */
  inOriginal(finding: Finding): Finding;
}

function visibleText(original: string): VisibleText {
  if (!INVISIBLE.test(original)) return { text: original, inOriginal: (finding) => finding };
  let text = "";
  const positions: number[] = [];
  for (let position = 0; position < original.length; position += 1) {
    const unit = original[position] as string;
    if (INVISIBLE.test(unit)) continue;
    text += unit;
    positions.push(position);
  }
  const at = (index: number) => positions[index] as number;
  return {
    text,
    inOriginal: ({ kind, start, end }) => ({ kind, start: at(start), end: at(end - 1) + 1 }),
  };
}
