import type { Lexicon } from "../recall/language/lexicon.ts";
import type { Pace } from "../recall/work.ts";
import type { CredentialStore } from "./access/credential-store.ts";
import type { ErasureStore } from "./access/erasure.ts";
import type { AgentStore } from "./agent/agent-store.ts";
import type { Health } from "./doctor/health.ts";
import type { EndUserStore } from "./end-user/end-user-store.ts";
import type { ReportFault, Settings } from "./environment.ts";
import type { EvalSetStore } from "./evaluation/eval-set-store.ts";
import type { WebhookSender } from "./events/delivery.ts";
import type { EventLog } from "./events/event-log.ts";
import type { WebhookStore } from "./events/webhook-store.ts";
import type { MemoryPorts } from "./memory/memory-store.ts";
import type { OnProgress } from "./progress.ts";
import type { RecallNotes } from "./recall/recall-log.ts";
import type { Reranker } from "./recall/reranker.ts";
import type { Serving } from "./recall/serving.ts";
import type { SystemOfRecord } from "./system-of-record.ts";
import type { EndUserExport } from "./transfer/export-source.ts";
import type { FigureStore } from "./watch/figure-store.ts";
import type { Watch } from "./watch/watch.ts";

/**
 * All ports of the use cases. A use case declares those it needs with `Pick`, from this type or from its own module's
 * ports.
 */
export interface Ports extends MemoryPorts {
  readonly store: SystemOfRecord;
  readonly agents: AgentStore;
  readonly keys: Pick<CredentialStore, "rotate" | "issue">;
  readonly endUsers: EndUserStore;
  readonly endUserExport: EndUserExport;
  readonly erasures: ErasureStore;
  readonly events: EventLog;
  readonly webhooks: WebhookStore;
  readonly webhookSender: WebhookSender;
  readonly settings: Settings;
  readonly serving: () => Serving;
  /** Null if none is configured. */
  readonly reranker: Reranker | null;
  readonly lexicon: Lexicon;
  /** The current request's pace, if there is a request. */
  readonly pace: Pace;
  /** The current request's callback, if the caller wants progress reports. */
  readonly onProgress?: OnProgress;
  readonly report: ReportFault;
  readonly watch: Watch;
  readonly evalSets: EvalSetStore;
  readonly recalls: RecallNotes;
  /** The service's stored figures. */
  readonly figures: Pick<FigureStore, "read" | "memories">;
  /** Checks the health of the service. Rejects if the record does not answer. */
  readonly health: () => Promise<Health>;
}
