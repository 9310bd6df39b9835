/** Creates the ports of the use cases on an open database. */
import { uuidv7 } from "uuidv7";
import { createGuardedFetch, outboundAllow } from "../adapters/outbound/guarded-fetch.ts";
import { createWebhookSender } from "../adapters/outbound/webhook-sender.ts";
import { createAgentStore } from "../adapters/postgres/access/agent-store.ts";
import { createCredentialStore } from "../adapters/postgres/access/credential-store.ts";
import { createEndUserStore } from "../adapters/postgres/access/end-user-store.ts";
import type { Sql } from "../adapters/postgres/database/client.ts";
import { createErasureStore } from "../adapters/postgres/erasure/erasure-store.ts";
import { createEventLog } from "../adapters/postgres/events/event-log.ts";
import { createWebhookStore } from "../adapters/postgres/events/webhook-store.ts";
import { createEvalSetStore } from "../adapters/postgres/recall/eval-set-store.ts";
import { createProjectionStatus } from "../adapters/postgres/recall/outbox.ts";
import { createRetentionStore } from "../adapters/postgres/retention/retention-store.ts";
import { createSystemOfRecord } from "../adapters/postgres/system-of-record.ts";
import { createEndUserExport } from "../adapters/postgres/transfer/export-source.ts";
import { createSecretScanner } from "../adapters/secret-scan/create-secret-scanner.ts";
import type { WebhookSender } from "../core/events/delivery.ts";
import { type NoteExchange, RecentAnswers } from "../core/memory/recent-answers.ts";
import type { Ports } from "../core/ports.ts";
import type { Config } from "./config.ts";
import { after, rerankerOf } from "./providers.ts";
import type { openRecall } from "./recall.ts";
import { sha256 } from "./sha256.ts";
import type { Watching } from "./watching.ts";

interface PortNeeds extends Pick<Ports, "lexicon" | "pace" | "report"> {
  readonly sql: Sql;
  readonly recall: Awaited<ReturnType<typeof openRecall>>;
  readonly watching: Watching;
  readonly siblings: NoteExchange | null;
  /** Key of the digests of recently returned texts. */
  readonly digestKey: string;
  readonly log: (message: string) => void;
}

/** Returns the ports, and separately the stores that other parts of the service use. */
export function createPorts(config: Config, needs: PortNeeds) {
  const { sql, recall, watching, siblings, digestKey, log, ...given } = needs;
  const { embedder, generation } = recall;
  const credentials = createCredentialStore(sql, config.storage);
  const handedOut = new RecentAnswers({
    hash: sha256,
    clock: Date.now,
    key: digestKey,
    later: setImmediate,
    siblings,
  });
  const erasures = createErasureStore(
    sql,
    (ids) => handedOut.forget(ids),
    () => credentials.forgetCached(),
  );
  const projection = createProjectionStatus(sql);
  const reranker = config.rerank && rerankerOf(config.rerank, { after, log });
  const ports: Ports = {
    store: createSystemOfRecord(sql, generation, config.storage, (ids) => handedOut.forget(ids)),
    agents: createAgentStore(sql, () => credentials.forgetCached(), config.storage),
    keys: credentials,
    endUsers: createEndUserStore(sql),
    endUserExport: createEndUserExport(sql),
    erasures,
    events: createEventLog(sql),
    webhooks: createWebhookStore(sql),
    evalSets: createEvalSetStore(sql),
    webhookSender: webhookSenderOf(config.events.webhooks),
    settings: { publicUrl: config.publicUrl, selfRegistration: config.selfRegistration },
    serving: recall.serving,
    reranker,
    embedder,
    clock: Date.now,
    newId: uuidv7,
    hash: sha256,
    secrets: { scanner: createSecretScanner(), policy: config.secretPolicy },
    junk: { policy: config.junkPolicy, handedOut },
    ...given,
    watch: watching.watch,
    figures: watching.figures,
    recalls: watching.recalls,
    health: async () => {
      const { oldestSeconds, unembedded } = await projection();
      return { outages: recall.outages(), oldestSeconds, isEmbeddingLate: unembedded > 0 };
    },
  };
  const retention = createRetentionStore(sql, { generation, onErased: (ids) => handedOut.forget(ids) });
  return { ports, credentials, erasures, retention, reranker };
}

function webhookSenderOf({ allow, timeoutSeconds }: Config["events"]["webhooks"]): WebhookSender {
  const allowed = outboundAllow(allow);
  return createWebhookSender({
    allow: allowed,
    fetch: createGuardedFetch({
      allow: allowed,
      methods: ["POST"],
      ignoresBody: true,
      timeoutMs: timeoutSeconds * 1000,
    }),
  });
}
