import type { Lexicon } from "../recall/language/lexicon.ts";
import type { Pace } from "../recall/work.ts";
import type { KeyRotator } from "./access/credential-store.ts";
import type { ErasureStore } from "./access/erasure.ts";
import type { AgentStore } from "./agent/agent-store.ts";
import type { Health } from "./doctor/health.ts";
import type { Embedder } from "./embedding/embedder.ts";
import type { Clock, Hash, IdSource, ReportFault, Settings } from "./environment.ts";
import type { WebhookSender } from "./events/delivery.ts";
import type { EventLog } from "./events/event-log.ts";
import type { WebhookStore } from "./events/webhook-store.ts";
import type { Junk } from "./memory/junk-policy.ts";
import type { OnProgress } from "./progress.ts";
import type { Reranker } from "./recall/reranker.ts";
import type { Serving } from "./recall/serving.ts";
import type { Secrets } from "./secrets/secret-scanner.ts";
import type { SystemOfRecord } from "./system-of-record.ts";
import type { FigureStore } from "./watch/figure-store.ts";
import type { Watch } from "./watch/watch.ts";

/**
 * Everything that the use cases stand on. A use case takes the part that it needs by `Pick`, of this or of the ports of
 * its own room.
 */
export interface Ports {
  readonly store: SystemOfRecord;
  readonly agents: AgentStore;
  readonly keys: KeyRotator;
  readonly erasures: ErasureStore;
  readonly events: EventLog;
  readonly webhooks: WebhookStore;
  readonly webhookSender: WebhookSender;
  readonly settings: Settings;
  readonly serving: () => Serving;
  /** Null where none is set up. */
  readonly reranker: Reranker | null;
  /** For what is written. */
  readonly embedder: Embedder;
  readonly lexicon: Lexicon;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly hash: Hash;
  readonly secrets: Secrets;
  readonly junk: Junk;
  /** The request's own, where a request is carried out. */
  readonly pace: Pace;
  /** The request's own, where somebody wants to know how far it has come. */
  readonly onProgress?: OnProgress;
  readonly report: ReportFault;
  readonly watch: Watch;
  /** The service's stored figures. */
  readonly figures: Pick<FigureStore, "read" | "memories">;
  /** For who asks how the service is. Rejects where the record does not answer. */
  readonly health: () => Promise<Health>;
}
