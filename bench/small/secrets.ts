import { createSecretScanner } from "../../src/adapters/secret-scan/create-secret-scanner.ts";
import { corpusTables, measureCorpus } from "../../test/secrets/corpus/measure.ts";
import { bench } from "./bench.ts";

const HELP = `Prints what the secret scanner finds in the corpus of test/secrets/corpus, as the tables of docs/secrets.md.

  npm run bench:secrets -- [--missed]

With --missed, also each kind of place where it was wrong.
`;

export const program = bench(HELP, { missed: false }, async ({ missed }) => {
  const result = measureCorpus(createSecretScanner());
  console.log(corpusTables(result));
  if (missed) {
    for (const { about, text, findings } of result.mistaken)
      console.log(
        `masked: ${about}: ${text} ${JSON.stringify(findings.map(({ kind, start, end }) => [kind, text.slice(start, end)]))}`,
      );
    for (const { form, disguise, text } of result.missed)
      console.log(
        `missed: ${form.kind} ${form.variant ?? ""} (${disguise ?? "plain"}): ${JSON.stringify(text)}`,
      );
  }
});
