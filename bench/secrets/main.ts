/**
 * What the secret scanner finds in the corpus of test/secrets/corpus, as the tables of docs/secrets.md; with `--missed`,
 * also each kind of place where it was wrong.
 */
import { createSecretScanner } from "../../src/adapters/secret-scan/create-secret-scanner.ts";
import { corpusTables, measureCorpus } from "../../test/secrets/corpus/measure.ts";

const result = measureCorpus(createSecretScanner());
console.log(corpusTables(result));
if (process.argv.includes("--missed")) {
  for (const { about, text, findings } of result.mistaken)
    console.log(
      `masked: ${about}: ${text} ${JSON.stringify(findings.map(({ kind, start, end }) => [kind, text.slice(start, end)]))}`,
    );
  for (const { form, disguise, text } of result.missed)
    console.log(
      `missed: ${form.kind} ${form.variant ?? ""} (${disguise ?? "plain"}): ${JSON.stringify(text)}`,
    );
}
