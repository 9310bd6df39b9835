import { FORMS } from "../../../src/adapters/secret-scan/known-tokens.ts";
import type { Finding, SecretScanner } from "../../../src/core/secrets/secret-scanner.ts";
import { CARRIERS } from "./carriers.ts";
import { DISGUISES } from "./disguises.ts";
import { SECRET_FORMS, type SecretForm } from "./forms.ts";
import { type Negative, negatives } from "./negatives.ts";
import { SeededRandom } from "./random.ts";

/** Secrets made of each form; each is tried in every carrier, and in every disguise. */
const SECRETS_EACH = 25;

export interface Count {
  readonly found: number;
  readonly of: number;
}

export interface Missed {
  readonly form: SecretForm;
  /** The disguise; null where it stood there as issued. */
  readonly disguise: string | null;
  readonly text: string;
}

export interface FormResult {
  readonly form: SecretForm;
  readonly plain: Count;
  readonly disguised: Count;
  /** Of the texts without a secret, those in which this form was found. */
  readonly falsePositives: Count;
}

export interface CorpusResult {
  readonly forms: readonly FormResult[];
  readonly disguises: ReadonlyMap<string, Count>;
  /** Secrets with which more than themselves was masked. */
  readonly beyond: Count;
  readonly negatives: Count;
  readonly missed: readonly Missed[];
  readonly mistaken: readonly (Negative & { readonly findings: readonly Finding[] })[];
}

/** How a secret in a text was found: with its kind and whole, and without anything besides. */
function judged(scanner: SecretScanner, { kind }: SecretForm, carrier: string, secret: string) {
  const text = carrier.replaceAll("{}", () => secret);
  const start = carrier.indexOf("{}");
  const end = start + secret.length;
  const finding = scanner.scan(text).find((one) => one.start <= start && one.end >= end && one.kind === kind);
  return {
    text,
    isFound: finding !== undefined,
    isBeyond: finding !== undefined && finding.end - finding.start > end - start,
  };
}

/** What the scanner makes of the corpus: the same numbers each time. */
export function measureCorpus(scanner: SecretScanner): CorpusResult {
  const missed: Missed[] = [];
  const disguises = new Map(DISGUISES.map(({ name }) => [name, { found: 0, of: 0 }]));
  const beyond = { found: 0, of: 0 };
  const mistaken = negatives()
    .map((negative) => ({ ...negative, findings: scanner.scan(negative.text) }))
    .filter(({ findings }) => findings.length > 0);
  const negativesCount = negatives().length;

  const forms = SECRET_FORMS.map((form, index): FormResult => {
    const random = new SeededRandom(index + 1);
    const carriers = form.within ?? CARRIERS;
    const plain = { found: 0, of: 0 };
    const disguised = { found: 0, of: 0 };
    const tried = (
      count: { found: number; of: number },
      disguise: string | null,
      carrier: string,
      secret: string,
    ) => {
      const { text, isFound, isBeyond } = judged(scanner, form, carrier, secret);
      count.of += 1;
      beyond.of += 1;
      if (isFound) count.found += 1;
      else missed.push({ form, disguise, text });
      if (isBeyond) beyond.found += 1;
      return isFound;
    };
    for (let number = 0; number < SECRETS_EACH; number += 1) {
      const make = form.make[number % form.make.length] as (random: SeededRandom) => string;
      const secret = make(random);
      for (const carrier of carriers) tried(plain, null, carrier, secret);
      for (const { name, apply } of DISGUISES) {
        const isFound = tried(disguised, name, random.of(carriers), apply(secret, random));
        const count = disguises.get(name) as { found: number; of: number };
        count.of += 1;
        if (isFound) count.found += 1;
      }
    }
    const inNegatives = mistaken.filter(({ findings, text }) =>
      findings.some((finding) => finding.kind === form.kind && isOfVariant(form, text, finding)),
    ).length;
    return { form, plain, disguised, falsePositives: { found: inNegatives, of: negativesCount } };
  });
  return {
    forms,
    disguises,
    beyond,
    negatives: { found: mistaken.length, of: negativesCount },
    missed,
    mistaken,
  };
}

/** A password in a URL is followed by the host. */
function isOfVariant({ variant }: SecretForm, text: string, { end }: Finding): boolean {
  return variant === undefined || (variant === "in a URL") === (text[end] === "@");
}

/** The beginnings of a kind, as the code has them. */
export function startsOf(kind: string): readonly string[] {
  return [...new Set(FORMS.filter((form) => form.kind === kind).flatMap(({ starts }) => starts))];
}

const ratio = ({ found, of }: Count) => `${found}/${of}`;

/** The tables of docs/secrets.md. */
export function corpusTables({ forms, disguises, beyond, negatives: wrong }: CorpusResult): string {
  const rows = forms.map(({ form, plain, disguised, falsePositives }) => {
    const starts = startsOf(form.kind)
      .map((start) => `\`${start}\``)
      .join(" ");
    const name = `\`${form.kind}\`${form.variant ? `, ${form.variant}` : ""}`;
    const looks = starts === "" ? form.looksLike : `${starts}: ${form.looksLike}`;
    return `| ${name} | ${looks} | ${form.source} | ${ratio(plain)} | ${ratio(disguised)} | ${ratio(falsePositives)} |`;
  });
  return [
    "| kind | what it looks like | source | found | found in disguise | false positives |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
    "| disguise | found |",
    "|---|---|",
    ...[...disguises].map(([name, count]) => `| ${name} | ${ratio(count)} |`),
    "",
    `With ${ratio(beyond)} of the secrets something besides them was masked. In ${ratio(wrong)} of the texts without a secret something was`,
    "masked.",
  ].join("\n");
}
