import { loadLexicon } from "../../adapters/embedding/builtin.ts";
import type { Config } from "../../compose/config.ts";
import { create } from "../../compose/embedders.ts";
import type { EmbedderConfig } from "../../compose/embedding-settings.ts";
import { broken, type Finding, ok } from "./check.ts";

/** Whether the embedding providers of the settings answer, with vectors of their dimension. */
export async function checkProviders({ embedding }: Config): Promise<Finding[]> {
  const { current, previous, timeoutMs } = embedding;
  const named = [
    { check: "provider", config: current },
    ...(previous ? [{ check: "previous", config: previous }] : []),
  ];
  const findings = await Promise.all(
    named.map(({ check, config }) => checkProvider(check, config, timeoutMs)),
  );
  return findings.filter((finding) => finding !== null);
}

async function checkProvider(
  check: string,
  config: EmbedderConfig,
  timeoutMs: number,
): Promise<Finding | null> {
  if (config.provider === "builtin") return null;
  const asked = create(config, timeoutMs, await loadLexicon());
  const found = `${config.provider}, ${config.model}, ${config.dimensions} dimensions`;
  const problem = await asked.check?.();
  if (!problem) return ok(check, `${found}, answers`);
  return broken(
    check,
    `${found}: ${problem.problem}`,
    problem.isWrongDimension
      ? "Set EMBEDDING_DIMENSIONS to what the model has; the service does not start so."
      : "What is written is embedded when it answers; until then recall goes by words.",
  );
}
