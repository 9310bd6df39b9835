import type { Client } from "@elastic/elasticsearch";
import { type EngineFound, inspectEngine, unsupported } from "../../adapters/elasticsearch/inspect-engine.ts";
import type { Config } from "../../compose/config.ts";
import type { ElasticsearchConfig } from "../../compose/elasticsearch-settings.ts";
import { clientFor } from "../../compose/search-engine.ts";
import type { ProjectionStatus } from "../../core/projection/projection-status.ts";
import { explain } from "../failure.ts";
import { broken, type Finding, ok, warning } from "./check.ts";

const ANSWER_WITHIN_MS = 5000;
const LATE_SECONDS = 60;

/** Whether the search engine of the settings is there, what it is, and how far its index is. Changes nothing. */
export async function checkSearchEngine(
  { elasticsearch }: Config,
  status: ProjectionStatus | null,
): Promise<Finding[]> {
  if (elasticsearch === null) return [];
  let client: Client;
  try {
    client = await clientFor(elasticsearch);
  } catch (error) {
    return [broken("search engine", "not usable", explain(error))];
  }
  try {
    const found = await inspectEngine(client, ANSWER_WITHIN_MS);
    const engine = found.kind === "supported" ? await checkHealth(client, found.version) : absent(found);
    return [engine, ...plainPassword(elasticsearch), ...(status === null ? [] : indexFindings(status))];
  } finally {
    await client.close();
  }
}

function absent(found: Exclude<EngineFound, { kind: "supported" }>): Finding {
  if (found.kind === "unsupported") {
    return broken(
      "search engine",
      `${unsupported(found.found)}.`,
      "Upgrade it; the service does not start with it.",
    );
  }
  return broken(
    "search engine",
    `Elasticsearch: ${found.why}`,
    "Recall is answered from memory meanwhile. Check ELASTICSEARCH_URL, the credentials, and the engine's log.",
  );
}

async function checkHealth(client: Client, version: string): Promise<Finding> {
  const product = `Elasticsearch ${version}`;
  const health = await client.cluster.health({}, { requestTimeout: ANSWER_WITHIN_MS }).catch(() => null);
  if (health === null) {
    return warning(
      "search engine",
      `${product}, which does not tell its health`,
      "Give the credentials the cluster privilege `monitor`.",
    );
  }
  const found = `${product}, ${health.number_of_nodes} nodes, ${health.status}`;
  if (health.status !== "red") return ok("search engine", found);
  return broken(
    "search engine",
    found,
    "Some shards have no copy that answers: see GET _cluster/allocation/explain.",
  );
}

/** A password that anybody on the way can read. */
function plainPassword({ nodes, auth }: ElasticsearchConfig): Finding[] {
  const isElsewhere = (url: string) =>
    url.startsWith("http:") && !/^(localhost|127\.|\[::1\])/.test(new URL(url).hostname);
  if (auth === null || !nodes.some(isElsewhere)) return [];
  return [
    warning(
      "search TLS",
      "the credentials go to the search engine in plain text",
      "Use https in ELASTICSEARCH_URL, unless the network between is yours alone.",
    ),
  ];
}

function indexFindings({ indexes, pending, oldestSeconds, setAside }: ProjectionStatus): Finding[] {
  const active = indexes.find(({ state }) => state === "active");
  const building = indexes.find(({ state }) => state === "building");
  const progress = building
    ? `${building.name} is being built: ${building.scanned} of ${building.total}`
    : null;
  const index = active
    ? ok("search index", progress === null ? active.name : `${active.name}; ${progress}`)
    : warning(
        "search index",
        progress ?? "there is none yet",
        "A running service builds it; until then recall is answered from memory.",
      );
  return [index, lagFinding(pending, oldestSeconds), ...setAsideFindings(setAside)];
}

function lagFinding(pending: number, oldestSeconds: number | null): Finding {
  const found =
    pending === 0
      ? "nothing waits"
      : `${pending} changes wait, the oldest for ${Math.round(oldestSeconds ?? 0)} s`;
  if ((oldestSeconds ?? 0) < LATE_SECONDS) return ok("projection", found);
  return warning(
    "projection",
    found,
    "Recall finds them all the same, more slowly. Start the service, or look at its log if it runs.",
  );
}

function setAsideFindings(setAside: ProjectionStatus["setAside"]): Finding[] {
  const reasons = Object.entries(setAside).map(([reason, count]) => `${count} by ${reason}`);
  if (reasons.length === 0) return [];
  return [
    warning(
      "set aside",
      `changes that are not tried any more: ${reasons.join(", ")}`,
      "recollect reindex tries them again once the reason is gone.",
    ),
  ];
}
