import type { Finding, SecretScanner } from "../../core/secrets/secret-scanner.ts";
import { assignmentReader, PASSWORD_NAME } from "./assignments.ts";
import { knownTokens } from "./known-tokens.ts";
import { asciiFor } from "./look-alikes.ts";
import { type Reading, readingsOf } from "./readings.ts";
import { authorizationHeaders, privateKeys, telegramTokens, urlPasswords } from "./structured.ts";

const understood = (names: string) => [...names].map((letter) => asciiFor(letter) ?? letter).join("");
/** Uses the names as they are, and as they become when look-alikes are replaced with ASCII. */
const { assignedSecrets, secretByName } = assignmentReader([
  PASSWORD_NAME,
  understood(PASSWORD_NAME),
  understood(PASSWORD_NAME.toUpperCase()),
]);

/** Most specific first: if two detectors find the same place, the first decides its kind. */
const DETECTORS = [
  privateKeys,
  knownTokens,
  telegramTokens,
  authorizationHeaders,
  urlPasswords,
  assignedSecrets,
];

/**
 * Finds credentials by their form and by the names they are given, as a reader would see them: `readingsOf` says how.
 * Needs no network and stores nothing. Each detector says in its own place why it is linear; a text is read in at most
 * three ways by each of the six, and what they find, at most one secret for four characters, is sorted.
 */
export function createSecretScanner(): SecretScanner {
  return {
    scan: (text) => findingsIn(text, []),
    under(name) {
      let names: readonly Reading[] | undefined;
      return (text) => {
        names ??= readingsOf(name.slice(-NAME_END));
        return findingsIn(text, names);
      };
    },
  };
}

function findingsIn(original: string, names: readonly Reading[]): readonly Finding[] {
  if (original.length < SHORTEST) return [];
  const found = readingsOf(original).flatMap(({ text, inOriginal }) =>
    [
      ...DETECTORS.map((detect) => detect(text)),
      names.flatMap((seen) => secretByName(text, seen.text)),
    ].flatMap((findings, rank) => findings.map((finding) => ({ finding: inOriginal(finding), rank }))),
  );
  return withoutOverlaps(found);
}

/** No detector finds anything in a shorter text, so that most small values of metadata are skipped. */
const SHORTEST = 4;
/** How many characters at the end of a name are read. The significant word comes last. */
const NAME_END = 256;

interface Ranked {
  readonly finding: Finding;
  readonly rank: number;
}

/** Sorts findings and merges overlapping ones, so that no secret is only half masked. */
function withoutOverlaps(found: Ranked[]): Finding[] {
  found.sort((a, b) => a.finding.start - b.finding.start || a.rank - b.rank);
  const merged: Ranked[] = [];
  for (const next of found) {
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
