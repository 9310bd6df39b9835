import { spawnSync } from "node:child_process";
import { POSTGRES_PROGRAMS, WITHOUT_POSTGRES } from "./own-cluster.ts";
import { canRunTokenModel } from "./token-model.ts";

/** Says once a run what is skipped, and why. */
export function setup(): void {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  if (!process.env.TEST_ELASTICSEARCH_URL)
    say("TEST_ELASTICSEARCH_URL names no node: tests that need Elasticsearch are skipped.");
  if (!process.env.TEST_ELASTICSEARCH_START)
    say("TEST_ELASTICSEARCH_START names no script: tests that kill a node of their own are skipped.");
  if (spawnSync(process.env.PROMTOOL ?? "promtool", ["--version"]).status !== 0)
    say("promtool (Debian's package prometheus) is not here: the tests that run alerts by it are skipped.");
  if (POSTGRES_PROGRAMS === null) say(`${WITHOUT_POSTGRES}. Tests of replicas and of TLS are skipped.`);
  if (!canRunTokenModel) say("onnxruntime-node is not here: tests that need the token model are skipped.");
}
