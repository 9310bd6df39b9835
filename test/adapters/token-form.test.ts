import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FORMS, knownTokens } from "../../src/adapters/secret-scan/known-tokens.ts";
import { FormReader, type TokenForm } from "../../src/adapters/secret-scan/token-form.ts";
import type { Finding } from "../../src/core/secrets/secret-scanner.ts";
import { SECRET_FORMS } from "../secrets/corpus/forms.ts";
import { SeededRandom } from "../secrets/corpus/random.ts";
import { runs } from "../support/random.ts";

type Part = TokenForm["body"][number];

/** The same body as an expression that goes back and tries again: what a form means, at any cost. */
function expression({ body, more }: TokenForm): RegExp {
  const source = (part: Part) => {
    if (typeof part === "string") return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const members = part.isMember.flatMap((isMember, code) =>
      isMember ? [`\\x${code.toString(16).padStart(2, "0")}`] : [],
    );
    const most = Number.isFinite(part.max) ? part.max : "";
    return `[${members.join("")}]{${part.min},${most}}(?![${members.join("")}])`;
  };
  const tail = (more ?? []).reduceRight((rest, parts) => `(?:${parts.map(source).join("")}${rest})?`, "");
  return new RegExp(body.map(source).join("") + tail, "y");
}

const FORMS_WITH_EXPRESSIONS = FORMS.map((form) => ({ form, body: expression(form) }));
const STARTS = [...new Set(FORMS.flatMap((form) => form.starts))].sort((a, b) => b.length - a.length);

/** The tokens of a text by the plain rule: from each beginning on, what an expression of it matches. */
function byExpressions(text: string): Finding[] {
  const findings: Finding[] = [];
  for (let at = 0; at < text.length; ) {
    const start = /[A-Za-z0-9]/.test(text[at - 1] ?? "")
      ? undefined
      : STARTS.find((one) => text.startsWith(one, at));
    if (start === undefined) {
      at += 1;
      continue;
    }
    const from = at + start.length;
    at = from;
    for (const { form, body } of FORMS_WITH_EXPRESSIONS) {
      if (!form.starts.includes(start)) continue;
      body.lastIndex = from;
      const matched = body.exec(text)?.[0];
      if (matched === undefined) continue;
      if (/^(?=.{0,128}$)(?:([xX0*._-])\1*|[a-z]+(?:[_-][a-z]+)*)$/.test(matched)) continue;
      const end = from + matched.length;
      findings.push({ kind: form.kind, start: form.keepsStart ? from : from - start.length, end });
      break;
    }
  }
  return findings;
}

const random = new SeededRandom(1);
const realTokens = SECRET_FORMS.filter(({ within }) => within === undefined).flatMap(({ make }) =>
  make.map((one) => one(random)),
);
const piece = fc.oneof(
  fc.constantFrom(...STARTS),
  fc.constantFrom("eyJ", "SG.", "PMAK-", "AKIA", "sk-", "tskey-", "dp.st."),
  fc.constantFrom("-", "_", ".", "..", "/", "=", " ", "\n", "а", "密", "T", "B"),
  fc.constantFrom("abcdefghij", "0123456789abcdef", "ABCDEFGHIJKLMNOP", "x", "7", "aaaaaaaaaaaaaaaaaaaaaaaa"),
  fc.constantFrom(...realTokens),
  fc
    .constantFrom(...realTokens)
    .chain((token) => fc.nat(token.length).map((length) => token.slice(0, length))),
  fc.constantFrom(...realTokens).chain((token) => fc.nat(token.length).map((from) => token.slice(from))),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

test("what is read once finds what an expression finds that tries again from each beginning", () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(knownTokens(one)).toEqual(byExpressions(one));
    }),
    { numRuns: runs(6000) },
  );
});

test.each(realTokens.map((token) => ({ token, prefix: token.slice(0, 4) })))(
  "behind any run of beginnings a token is found that begins with $prefix",
  ({ token }) => {
    for (const start of STARTS)
      for (const separator of [" ", "/", "-", "\n"]) {
        const before = start.repeat(20) + separator;
        const [alone] = knownTokens(token);
        const behind = knownTokens(before + token).filter((finding) => finding.start >= before.length);
        expect(behind[0]?.end).toBe(alone && before.length + alone.end);
      }
  },
);

describe.each(FORMS)("$kind, $starts.0", (form) => {
  const lengths = (parts: readonly Part[]) =>
    parts.map((part) => (typeof part === "string" ? part.length : 2));
  const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
  /** A run looks at a character once, and once more at the one that ends it; a separator at its own. */
  const most = sum(lengths([...form.body, ...(form.more ?? []).flat()]));

  test("a text of beginnings is read no more often than the form has parts, whatever is between them", () => {
    for (const separator of ["", "-", "_", ".", "..", "/", "abcdefghij.", "abcdefghijk-", "=", "a"]) {
      const hostile = `${form.starts[0]}${separator}`.repeat(400);
      let reads = 0;
      const reader = new FormReader(form, {
        charCodeAt: (index) => {
          reads += 1;
          return hostile.charCodeAt(index);
        },
      });
      for (let at = 0; at < hostile.length; at += 1) reader.endOf(at);
      expect(reads).toBeLessThanOrEqual(most * (hostile.length + 1));
    }
  });
});
