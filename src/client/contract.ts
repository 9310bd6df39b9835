// Made from the contract by `npm run client:types`. Do not edit.

/** The token that asks */
export interface SkillCredential {
  kind: TokenKind;
  scopes: Array<Scope>;
}

/** What an agent that nobody has bound yet is answered */
export interface TemporaryAgentsContext {
  version: "1.0";
  query: string;
  budget: ContextBudget;
  items: Array<ContextItem>;
  context_text: string;
}

export interface AgentBindConfirmRequest {
  /** What the user was shown after approving; valid for 10 minutes and 5 tries. 1 to 256 characters. */
  confirmation_token?: string | undefined;
}

export interface AgentBindConfirmation {
  agent_id: string;
  status: "bound";
  trust_level: 2;

  /** The formal token, shown this once. */
  token: string;
  scopes: Array<GrantableScope>;
  expires_at: string | null;
}

export interface AgentBindDenial {
  agent_id: string;
  status: "denied";
}

export interface AgentBindStatus {
  agent_id: string;
  status: AgentBindingStatus;
  requested_at: string;
  approved_at: string | null;
  expires_at: string | null;

  /** Enough of its user's name to recognise it by; null until somebody approves. */
  owner_hint: string | null;
}

export interface AgentBoundary {
  relation: BoundaryRelation;
  ownership: BoundaryRelation;
  current_agent_id: string | null;
  current_agent_trust: AgentBoundaryCurrentAgentTrust;
  boundary_authority: "attribution_only";
  memory_agent_id: string | null;
  explanation: string;
}

export interface AgentSelfRegistrationRequest {
  /** How the agent came here. 1 to 64 characters. */
  entry_type: string;

  /** What its user knows it by. 1 to 128 characters. */
  client_name: string;

  /** Tells installations apart; no secret, and no proof of anything. 1 to 512 characters. */
  installation_fingerprint: string;
  project_id?: string | null | undefined;
  metadata?: { [key: string]: unknown } | null | undefined;

  /** 1 to 64 characters. */
  client_version?: string | null | undefined;

  /** 1 to 64 characters. */
  runtime?: string | null | undefined;

  /** 1 to 256 characters. */
  device_id_hash?: string | null | undefined;

  /** 1 to 256 characters. */
  environment_id?: string | null | undefined;

  /** 1 to 256 characters. */
  workspace_path_hash?: string | null | undefined;

  /** 1 to 256 characters. */
  project_id_hash?: string | null | undefined;

  /** 1 to 256 characters. */
  skill_package_id?: string | null | undefined;

  /** 1 to 256 characters. */
  mcp_server_id?: string | null | undefined;
}

export interface AgentSelfRegistrationResponse {
  agent_id: string;

  /** What its user types in or follows, within 24 hours. */
  claim_code: string;

  /** Where its user approves it. */
  bind_url: string;
  status: "pending";
  connection_method: "streamable_http";
  trust_level: 0;

  /** For the client's credential store only; reads and writes the agent's own quarantine. */
  temporary_token: string | null;
}

export interface AgentStatus {
  agent_id: string;
  status: AgentBindingStatus;

  /** 0 temporary, 2 bound. */
  trust_level: number;
  token_kind: TokenKind;
  scopes: Array<GrantableScope>;

  /** Enough of its user's name to recognise it by; null until somebody approves. */
  owner_hint: string | null;

  /** While it can still be approved. */
  bind_url?: string | undefined;
  expires_at: string | null;
}

export interface AgentTokenRotation {
  agent_id: string;

  /** The new formal token, shown this once. */
  token: string;
  previous_token_valid_until: string;
}

export interface ChangeEvent {
  /** The same wherever the event is told, and however often. */
  id: string;

  /** What it is about and what became of it, such as memory.created or todo.completed. */
  type: string;
  timestamp: string;
  data: ChangeEventData;
}

export interface ChangeEventData {
  subject: ChangeEventSubject;

  /** Of the memory, todo or decision. */
  id: string;
  project_id: string | null;
  team_id: string | null;

  /** Rises with every change of the same one. */
  revision: number;
}

export interface ChangeEvents {
  /** In their order, the oldest first. */
  events: Array<ChangeEvent>;

  /** What to send as `after` next time. */
  next: string;

  /** Whether there may be more already. */
  has_more: boolean;
}

export interface ContextBudget {
  max_items: number;
  max_tokens: number;
  used_items: number;
  used_tokens: number;
  skipped_items: number;
  filtered_items: number;
  structured_skipped_items: number;
  budget_skipped_items: number;
  truncated_items: number;
  candidate_items: number;
  selection_strategy: string;
  budget_tradeoff: boolean;
  token_scope: "context_text";
}

export interface ContextConflict {
  /** Of both or all sides, the newest first. */
  ids: Array<string>;
  reason: MemoryConflictReason;

  /** One author, by one agent, wrote all of them. */
  same_author: boolean;
}

export interface ContextItem {
  id: string;
  content: string;
  path: string;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  memory_type: string;
  status: MemoryStatus;
  semantic_key: string | null;
  version: number;
  superseded_by: string | null;

  /** 0 to 1. */
  importance: number;

  /** 0 to 1. */
  confidence: number;
  source: string | null;
  logic_path: string | null;
  metadata: { [key: string]: unknown };
  provenance: { [key: string]: unknown };
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  boundary: AgentBoundary;

  /**
   * Where in content is what matches best, from start to before end in UTF-16 code units. null: the
   * memory is short, so that it is all of it, or it is answered as of a past instant.
   */
  passage: Passage | null;

  /** 0 to 1. */
  score: number;
  tokens: number;
  truncated: boolean;
}

export interface DeadLetter {
  event: ChangeEvent;
  attempts: number;
  last_error: string | null;
  given_up_at: string;
}

export interface DeadLetterList {
  dead_letters: Array<DeadLetter>;
}

export interface DoctorAnswer {
  /** False where something is broken; a warning alone is no reason. */
  ok: boolean;
  summary: string;
  checked_at: string;
  findings: Array<DoctorFinding>;
}

export interface DoctorFinding {
  check: DoctorCheck;
  status: DoctorStatus;

  /** What is so, in words. */
  found: string;

  /** What to do about it. */
  advice: string | null;
}

export interface Erasure {
  /**
   * Under which the receipt is read, with no credential, as long as this service has its database. It is
   * the same in every dry run, and cannot be guessed.
   */
  id: string;
  kind: ErasedKind;

  /** It leads to nothing any more. */
  owner_id: string;

  /**
   * running: not all is removed yet. pending: all but what an index still has to let go. confirmed:
   * every store has.
   */
  state: ErasureState;

  /** How many rows went so far, by table. */
  removed: { [key: string]: number };

  /** Lines of the audit log that stay, with neither content nor a name. */
  audit_lines: number;
  started_at: string;
  finished_at: string | null;
}

export interface ErasurePlan {
  dry_run: boolean;

  /**
   * Under which the receipt is read, with no credential, as long as this service has its database. It is
   * the same in every dry run, and cannot be guessed.
   */
  erasure_id: string;
  kind: ErasedKind;
  owner_id: string;

  /** In a dry run: what confirm is to repeat. */
  name?: string | undefined;

  /** In a dry run: how many rows would go now, by table. */
  would_remove?: { [key: string]: number } | undefined;

  /** In a dry run: it holds while nothing of weight comes or goes. */
  plan_hash?: string | undefined;

  /** Once the erasure has begun. */
  receipt?: Erasure | undefined;

  /** Whether the erasure had begun before this request. */
  is_repeat: boolean;
}

export interface ErasureRequest {
  /** The team to erase; the user whose key it is where there is none. */
  team_id?: string | null | undefined;

  /** Changes nothing: counts, and answers the plan. Default: `true`. */
  dry_run?: boolean | undefined;

  /** The name of who is erased, typed, as the dry run answers it. Needed to erase. 1 to 128 characters. */
  confirm?: string | null | undefined;

  /** The plan_hash of the dry run. Needed to erase. 1 to 128 characters. */
  plan_hash?: string | null | undefined;
}

export interface ExpenseAnswer {
  /** The memory that it is kept as. */
  id: string;
  status: "recorded";

  /** As it is kept, with the currency's digits. */
  amount: string;
  currency: string;
  date: string;

  /** Whose embedding is searched by. */
  embedding?: EmbeddingSource | undefined;
  reason?: string | undefined;

  /** The secrets that were replaced by `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ExpenseRequest {
  /** What the money went for. 1 to 1024 characters. */
  item: string;

  /**
   * Kept exactly. A text is taken as it is written; a number as JSON reads it, with at most 15 digits.
   * Negative: money that came back.
   */
  amount: string | number;

  /** A currency of ISO 4217. Default: `"USD"`. */
  currency?: string | undefined;
  date?: string | null | undefined;

  /** 1 to 64 characters. */
  category?: string | null | undefined;

  /** Where it lies; ledger/expenses unless given. 1 to 512 characters. */
  path?: string | null | undefined;

  /** Which agent or speaker produced it; attribution only. 1 to 256 characters. */
  source?: string | null | undefined;
  scope?: MemoryScope | null | undefined;
  team_id?: string | null | undefined;
  project_id?: string | null | undefined;
  provenance?: { [key: string]: unknown } | null | undefined;
}

export interface KeyRotation {
  id: string;

  /** The new key, shown this once. */
  token: string;

  /** As the key that asks had it. */
  expires_at: string | null;
  previous_id: string;
  previous_token_valid_until: string;
}

export interface KeyRotationRequest {
  /** How long the key that asks stays valid, from its first rotation on. Default: `86400`. 0 to 2592000. */
  overlap_seconds?: number | undefined;
}

export interface MaskedSecrets {
  kind: string;
  count: number;
}

export interface Memory {
  id: string;
  content: string;
  path: string;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  memory_type: string;
  status: MemoryStatus;
  semantic_key: string | null;
  version: number;
  superseded_by: string | null;

  /** 0 to 1. */
  importance: number;

  /** 0 to 1. */
  confidence: number;
  source: string | null;
  logic_path: string | null;
  metadata: { [key: string]: unknown };
  provenance: { [key: string]: unknown };
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  boundary: AgentBoundary;
}

export interface MemoryBatchAnswer {
  results: Array<MemoryStoreAnswer | MemoryRememberAnswer | MemoryBatchRefusal>;
  stored: number;
  failed: number;
}

export interface MemoryBatchRefusal {
  error: MemoryBatchRefusalError;
}

export interface MemoryBatchRefusalError {
  code: string;
  detail: unknown;
}

export interface MemoryBatchRequest {
  /** Each a MemoryStoreRequest or, with `dedupe`, a MemoryRememberRequest. At most 500. */
  items: Array<unknown>;
}

export interface MemoryConflict {
  id: string;
  reason: MemoryConflictReason;
  same_author: boolean;
}

export interface MemoryDeleteMatchingAnswer {
  dry_run: boolean;
  mode: ForgetMode;
  matched: number;
  changed: number;
  plan_hash: string;
  receipt?: Receipt | undefined;
  reason?: string | undefined;

  /** The secrets that were replaced by `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface MemoryDeleteMatchingRequest {
  filter: MemoryDeleteMatchingRequestFilter;

  /** hard_delete and redact are irreversible. Default: `"soft_delete"`. */
  mode?: ForgetMode | undefined;

  /** 1 to 1024 characters. */
  reason?: string | null | undefined;

  /** Default: `true`. */
  dry_run?: boolean | undefined;

  /** 1 to 128 characters. */
  plan_hash?: string | null | undefined;
}

export interface MemoryDeleteMatchingRequestFilter {
  /** Path or pattern: `%` stands for any text, `_` is a plain character. 1 to 2048 characters. */
  path?: string | undefined;

  /** Value or pattern: `%` stands for any text, `_` is a plain character. 1 to 128 characters. */
  bucket?: string | undefined;

  /** Value or pattern: `%` stands for any text, `_` is a plain character. 1 to 128 characters. */
  memory_type?: string | undefined;

  /**
   * `active` means every live memory; another value exactly that; a pattern never matches soft_deleted.
   * 1 to 128 characters.
   */
  status?: string | undefined;
  scope?: MemoryScope | null | undefined;

  /** That team only; otherwise the caller's own and all its teams. */
  team_id?: string | null | undefined;
  project_id?: string | null | undefined;
  metadata?: { [key: string]: string } | null | undefined;
  created_before?: string | undefined;
}

export interface MemoryForgetAnswer {
  id: string;
  mode: ForgetMode;
  status: MemoryForgetAnswerStatus;
  reversible: boolean;
  receipt?: Receipt | undefined;
  reason?: string | undefined;

  /** The secrets that were replaced by `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface MemoryForgetRequest {
  /** hard_delete and redact are irreversible. Default: `"soft_delete"`. */
  mode?: ForgetMode | undefined;

  /** 1 to 1024 characters. */
  reason?: string | null | undefined;

  /**
   * Stands in place of the content of what is redacted; has no effect in another mode. 1 to 65536
   * characters.
   */
  replacement_content?: string | null | undefined;

  /**
   * soft_delete: merged into the memory's; redact: the metadata that remains; nothing is kept of a
   * hard-deleted one.
   */
  metadata?: { [key: string]: unknown } | null | undefined;
}

export interface MemoryList {
  memories: Array<Memory>;

  /** How many the filters and the credential allow. */
  total: number;
  next_cursor: string | null;
}

export interface MemoryRememberAnswer {
  id: string;
  status: "remembered";
  deduplicated: boolean;

  /** Memories this one has replaced. */
  superseded: Array<string>;

  /** Whose embedding is searched by. */
  embedding?: EmbeddingSource | undefined;

  /**
   * Where the content brings nothing new, what it was taken for: recall had just shown it (echo), it has
   * no words (empty), it says nothing by itself (trivial), or a live memory says the same (repetition).
   * `reason` says what was done with it.
   */
  junk?: JunkKind | undefined;
  reason?: string | undefined;

  /** The secrets that were replaced by `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface MemoryRememberRequest {
  /** Which agent or speaker produced it; attribution only. 1 to 256 characters. */
  source?: string | null | undefined;

  /** 1 to 512 characters. */
  logic_path?: string | null | undefined;

  /** At most 8192. */
  embedding?: Array<number> | null | undefined;

  /** 1 to 128 characters. */
  embedding_provider?: string | null | undefined;

  /** 1 to 256 characters. */
  embedding_model?: string | null | undefined;

  /** 1 to 8192. */
  embedding_dimension?: number | null | undefined;

  /** Names a fact: a newer memory of the same key supersedes it. 1 to 256 characters. */
  semantic_key?: string | null | undefined;
  superseded_by?: string | null | undefined;
  expires_at?: string | null | undefined;
  scope?: MemoryScope | null | undefined;
  team_id?: string | null | undefined;

  /** The memory itself, stored as given. 1 to 65536 characters. */
  content: string;

  /** `/`-separated place of the memory, such as notes/deploys; no segment is . or .. 1 to 512 characters. */
  path: string;
  metadata?: { [key: string]: unknown } | null | undefined;

  /** A label of the caller's choice. Default: `"public"`. 1 to 128 characters. */
  bucket?: string | undefined;

  /** An id of the caller's choice, unique per owner. */
  memory_id?: string | null | undefined;

  /** 1 to 1000000000. */
  version?: number | null | undefined;

  /** active unless given. */
  status?: MemorySettableStatus | null | undefined;
  project_id?: string | null | undefined;
  provenance?: { [key: string]: unknown } | null | undefined;

  /**
   * semantic, episodic, procedural, working, decision, reminder, knowledge or another word. Default:
   * `"semantic"`. 1 to 64 characters.
   */
  memory_type?: string | undefined;

  /** Default: `0.5`. 0 to 1. */
  importance?: number | undefined;

  /** Default: `1`. 0 to 1. */
  confidence?: number | undefined;

  /** Answer an equal live memory instead of writing one. Default: `true`. */
  dedupe?: boolean | undefined;
}

export interface MemoryRestoreAnswer {
  id: string;
  status: MemoryStatus;
}

export interface MemoryStoreAnswer {
  id: string;
  status: "stored";
  version: number;

  /** Whose embedding is searched by. */
  embedding?: EmbeddingSource | undefined;

  /**
   * Where the content brings nothing new, what it was taken for: recall had just shown it (echo), it has
   * no words (empty), it says nothing by itself (trivial), or a live memory says the same (repetition).
   * `reason` says what was done with it.
   */
  junk?: JunkKind | undefined;
  reason?: string | undefined;

  /** The secrets that were replaced by `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
  superseded: Array<string>;
}

export interface MemoryStoreRequest {
  /** Which agent or speaker produced it; attribution only. 1 to 256 characters. */
  source?: string | null | undefined;

  /** 1 to 512 characters. */
  logic_path?: string | null | undefined;

  /** At most 8192. */
  embedding?: Array<number> | null | undefined;

  /** 1 to 128 characters. */
  embedding_provider?: string | null | undefined;

  /** 1 to 256 characters. */
  embedding_model?: string | null | undefined;

  /** 1 to 8192. */
  embedding_dimension?: number | null | undefined;

  /** Names a fact: a newer memory of the same key supersedes it. 1 to 256 characters. */
  semantic_key?: string | null | undefined;
  superseded_by?: string | null | undefined;
  expires_at?: string | null | undefined;
  scope?: MemoryScope | null | undefined;
  team_id?: string | null | undefined;

  /** The memory itself, stored as given. 1 to 65536 characters. */
  content: string;

  /** `/`-separated place of the memory, such as notes/deploys; no segment is . or .. 1 to 512 characters. */
  path: string;
  metadata?: { [key: string]: unknown } | null | undefined;

  /** A label of the caller's choice. Default: `"public"`. 1 to 128 characters. */
  bucket?: string | undefined;

  /** An id of the caller's choice, unique per owner. */
  memory_id?: string | null | undefined;

  /** 1 to 1000000000. */
  version?: number | null | undefined;

  /** active unless given. */
  status?: MemorySettableStatus | null | undefined;
  project_id?: string | null | undefined;
  provenance?: { [key: string]: unknown } | null | undefined;

  /**
   * semantic, episodic, procedural, working, decision, reminder, knowledge or another word. Default:
   * `"semantic"`. 1 to 64 characters.
   */
  memory_type?: string | undefined;

  /** Default: `0.5`. 0 to 1. */
  importance?: number | undefined;

  /** Default: `1`. 0 to 1. */
  confidence?: number | undefined;
}

export interface MemoryUpdateRequest {
  /** Which agent or speaker produced it; attribution only. 1 to 256 characters. */
  source?: string | null | undefined;

  /** 1 to 512 characters. */
  logic_path?: string | null | undefined;

  /** At most 8192. */
  embedding?: Array<number> | null | undefined;

  /** 1 to 128 characters. */
  embedding_provider?: string | null | undefined;

  /** 1 to 256 characters. */
  embedding_model?: string | null | undefined;

  /** 1 to 8192. */
  embedding_dimension?: number | null | undefined;

  /** Names a fact: a newer memory of the same key supersedes it. 1 to 256 characters. */
  semantic_key?: string | null | undefined;
  superseded_by?: string | null | undefined;
  expires_at?: string | null | undefined;
  scope?: MemoryScope | null | undefined;
  team_id?: string | null | undefined;

  /** The memory itself, stored as given. 1 to 65536 characters. */
  content?: string | undefined;

  /** `/`-separated place of the memory, such as notes/deploys; no segment is . or .. 1 to 512 characters. */
  path?: string | undefined;
  metadata?: { [key: string]: unknown } | null | undefined;

  /** A label of the caller's choice. 1 to 128 characters. */
  bucket?: string | undefined;

  /**
   * semantic, episodic, procedural, working, decision, reminder, knowledge or another word. 1 to 64
   * characters.
   */
  memory_type?: string | undefined;
  status?: MemorySettableStatus | undefined;

  /** 0 to 1. */
  importance?: number | undefined;

  /** 0 to 1. */
  confidence?: number | undefined;
  provenance?: { [key: string]: unknown } | null | undefined;

  /** 1 to 1024 characters. */
  supersession_reason?: string | null | undefined;

  /** Default: `true`. */
  merge_metadata?: boolean | undefined;

  /** Default: `true`. */
  merge_provenance?: boolean | undefined;

  /** Default: `true`. */
  detect_conflicts?: boolean | undefined;
}

export interface MemoryVersion {
  id: string;
  content: string;
  path: string;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  memory_type: string;
  status: MemoryStatus;
  semantic_key: string | null;
  version: number;
  superseded_by: string | null;

  /** 0 to 1. */
  importance: number;

  /** 0 to 1. */
  confidence: number;
  source: string | null;
  logic_path: string | null;
  metadata: { [key: string]: unknown };
  provenance: { [key: string]: unknown };
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  valid_from: string;
  valid_to: string | null;
  reason: string | null;
}

export interface MemoryVersions {
  id: string;
  versions: Array<MemoryVersion>;
  chain: Array<MemoryVersionsChain>;
}

export interface MemoryVersionsChain {
  id: string;
  version: number;
  status: MemoryStatus;
  created_at: string;
}

export interface MemoryWithEtag {
  id: string;
  content: string;
  path: string;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  memory_type: string;
  status: MemoryStatus;
  semantic_key: string | null;
  version: number;
  superseded_by: string | null;

  /** 0 to 1. */
  importance: number;

  /** 0 to 1. */
  confidence: number;
  source: string | null;
  logic_path: string | null;
  metadata: { [key: string]: unknown };
  provenance: { [key: string]: unknown };
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  boundary: AgentBoundary;
  etag: string;
}

export interface NewWebhook {
  id: string;
  url: string;
  description: string | null;
  subjects: Array<ChangeEventSubject> | null;
  project_id: string | null;
  enabled: boolean;

  /**
   * failing: the last attempts failed and more follow. suspended: the credential that set it has ended,
   * or may not read any more.
   */
  state: WebhookState;

  /** Events that are taken up and not delivered yet. */
  waiting: number;

  /** Events that were given up. */
  dead_letters: number;

  /** Why the last attempt failed, such as status_500, timeout, unreachable or not_allowed. */
  last_error: string | null;
  last_delivered_at: string | null;

  /** When events were last cleared from the log before they could be delivered. */
  missed_at: string | null;
  created_at: string;
  updated_at: string;

  /** What deliveries are signed with, by the Standard Webhooks specification. It is shown once. */
  secret: string;
}

export interface OmittedItem {
  id: string;

  /** What it would cost whole. */
  tokens: number;

  /** token_budget or item_limit; repetition where another one says all of it. */
  reason: string;

  /** Of a repetition: the memory that says all of it. */
  repeats?: string | undefined;
}

export interface OwnersContext {
  version: "value-density-v2";
  query: string;
  budget: ContextBudget;
  items: Array<ContextItem>;
  context_text: string;
  retrieval_plan: RetrievalPlan;
  answer_status: OwnersContextAnswerStatus;

  /** What was found and contradicts itself on the question; first what one author wrote, then the newest. */
  conflicts: Array<ContextConflict>;

  /** 0 to 1. */
  coverage: number;

  /** The best that did not fit, at most five, then every memory left out as a repetition. */
  omitted: Array<OmittedItem>;
}

export interface Passage {
  start: number;
  end: number;
}

export interface ProjectActionItem {
  kind: ProjectActionItemKind;
  id: string;

  /** What it costs in context_text, its header line included. */
  tokens: number;

  /** The stored text, or an excerpt where truncated; null where another section shows it. */
  text: string | null;
  truncated: boolean;

  /** The section that shows the text, where this one does not. */
  shown_in: ProjectContextDomain | null;
  authority: Authority;

  /** Whether the author's credential vouches for its agent, or the request only said so. */
  author_trust: ActorTrust;
  boundary: AgentBoundary;
  path: string;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  project_id: string | null;
  source: string | null;
  created_at: string;
  updated_at: string;
  review_after: string | null;

  /** When it was verified last, as a person's credential has said. */
  last_verified_at: string | null;

  /** When it was checked last, as somebody says who cannot vouch for that; it has no weight. */
  claimed_checked_at: string | null;

  /** review_after is past, and it was not verified since. */
  review_due: boolean;
  status: ProjectActionItemStatus;

  /** null for a reminder. */
  priority: ProjectTodoPriority | null;

  /** What the section is ordered by, of unverified authors after all others; see docs/projects.md. */
  urgency: number;
  due_at: string | null;
  overdue: boolean;

  /** A recurring reminder's RRULE (RFC 5545). */
  recurrence: string | null;
  assignee_agent_id: string | null;
  accepted_by_agent_id: string | null;

  /** Finished or not, as far as the credential sees them. */
  depends_on: Array<string>;

  /** How many unfinished todos depend on it. */
  waiting: number;
  source_memory_id: string | null;
  source_memory_status: ProjectSourceStatus | null;
}

export interface ProjectAgentState {
  /** What it costs in context_text, its header line included. */
  tokens: number;
  agent_id: string;
  relation: ProjectAgentStateRelation;

  /** How far its last activity is vouched for. */
  trust: ActorTrust;

  /** null where it only has todos. */
  last_activity_at: string | null;

  /** Unfinished, and accepted by it or else assigned to it. */
  open_todos: number;

  /** Those of them that are blocked. */
  blocked_todos: number;

  /** With sessions own, its text is in no section but to the same session. */
  last_task: ProjectAgentStateLastTask | null;
}

export interface ProjectAgentStateLastTask {
  /** The working memory that says so. */
  id: string;
  status: ProjectAgentStateLastTaskStatus;
  task_id: string | null;
  at: string;
}

export interface ProjectAuditLine {
  at: string;
  operation: string;
  from: string | null;
  to: string;
  actor: ProjectAuditLineActor;
  note: string | null;
}

export interface ProjectAuditLineActor {
  agent_id: string | null;
  token_kind: string;
  trust: ActorTrust;
}

export interface ProjectCaveat {
  /** What it costs in context_text, its header line included. */
  tokens: number;
  kind: ProjectCaveatKind;

  /** What to mind, in words of the service's own. */
  statement: string;

  /** How many it is about. */
  count: number;

  /** The first of them, at most 10. */
  ids: Array<string>;
}

export interface ProjectContextDecision {
  id: string;

  /** What it costs in context_text, its header line included. */
  tokens: number;

  /** The stored text, or an excerpt where truncated; null where another section shows it. */
  text: string | null;
  truncated: boolean;

  /** The section that shows the text, where this one does not. */
  shown_in: ProjectContextDomain | null;
  authority: Authority;

  /** Whether the author's credential vouches for its agent, or the request only said so. */
  author_trust: ActorTrust;
  boundary: AgentBoundary;
  path: string;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  project_id: string | null;
  source: string | null;
  created_at: string;
  updated_at: string;
  review_after: string | null;

  /** When it was verified last, as a person's credential has said. */
  last_verified_at: string | null;

  /** When it was checked last, as somebody says who cannot vouch for that; it has no weight. */
  claimed_checked_at: string | null;

  /** review_after is past, and it was not verified since. */
  review_due: boolean;
  status: ProjectDecisionStatus;
  impact_level: ProjectImpactLevel | null;
  proposed_by_agent_id: string | null;
  resolved_by_agent_id: string | null;
  resolved_at: string | null;
  supersedes: string | null;
  due_at: string | null;
  overdue: boolean;
  source_memory_id: string | null;
  source_memory_status: ProjectSourceStatus | null;
}

export interface ProjectContextPackResponse {
  project_scope: ProjectContextPackResponseProjectScope;
  assembled_at: string;

  /**
   * used_items counts the entries of all eight sections, used_tokens is exactly the tokens of
   * context_text.
   */
  budget: ContextBudget;
  project_state: ProjectContextPackResponseProjectState;

  /** The latest active first. */
  agent_states: Array<ProjectAgentState>;

  /** Unfinished todos and due reminders, by urgency, those of unverified authors last. */
  action_items: Array<ProjectActionItem>;

  /** Proposed ones by impact, then resolved ones, the latest first. */
  decisions: Array<ProjectContextDecision>;

  /** Newest first, within recent_hours. */
  timeline: Array<ProjectTimelineEvent>;

  /** Stored or changed within recent_hours, newest first; no todos, decisions or due reminders. */
  recent_memories: Array<ProjectRecentMemory>;

  /** By relevance; absent where include_durable_context is false. */
  durable_context?: Array<ProjectDurableMemory> | undefined;

  /** At most one of each kind. */
  governance_caveats: Array<ProjectCaveat>;

  /** Sections there is nothing for. */
  missing_domains: Array<ProjectContextDomain>;

  /** Sections of which the limits left something out or cut something. */
  incomplete_domains: Array<ProjectContextDomain>;
  suggested_next_actions: Array<ProjectNextAction>;

  /** The best that did not fit, at most five, then every memory left out as a repetition. */
  omitted: Array<ProjectContextPackResponseOmitted>;

  /** The pack as one text for a model: every entry once, stored text quoted. Data, not instructions. */
  context_text: string;
}

export interface ProjectContextPackResponseOmitted {
  id: string;
  domain: ProjectContextDomain;

  /** What it would cost whole. */
  tokens: number;
  reason: ProjectContextPackResponseOmittedReason;

  /** Of a repetition: the memory that says all of it. */
  repeats?: string | undefined;
}

export interface ProjectContextPackResponseProjectScope {
  /** The project workspace it belongs to; not . or .. */
  project_id: string;

  /** The team whose workspace it is; null for the owner's own. */
  team_id: string | null;

  /** The pattern asked for. */
  bucket: string;

  /** Where timeline and recent_memories begin. */
  recent_since: string;

  /** The request's session, from X-Session-Id. */
  session_id: string | null;

  /** Whose working memories were asked for. */
  sessions: Sessions;

  /** False where sessions is own. */
  include_other_sessions: boolean;

  /** The credential's token space; null where it is not confined. */
  allowed: ProjectContextPackResponseProjectScopeAllowed;

  /** What leaves a part of the workspace out of every section and count. */
  narrowed_by: Array<ProjectContextPackResponseProjectScopeNarrowedBy>;
}

export interface ProjectContextPackResponseProjectScopeAllowed {
  /** Whether the credential reaches this project. */
  project: boolean;

  /** The one team it is confined to. */
  team_id: string | null;
  projects: Array<string> | null;
  path_prefix: string | null;
  buckets: Array<string> | null;
  knowledge: boolean;
}

export interface ProjectContextPackResponseProjectState {
  health: ProjectContextPackResponseProjectStateHealth;

  /** Why, in words of the service's own. */
  health_reasons: Array<string>;
  todos: ProjectContextPackResponseProjectStateTodos;
  decisions: ProjectContextPackResponseProjectStateDecisions;
  reminders: ProjectContextPackResponseProjectStateReminders;
  last_activity_at: string | null;
}

export interface ProjectContextPackResponseProjectStateDecisions {
  total: number;
  proposed: number;
  resolved: number;
  superseded: number;
  overdue: number;
}

export interface ProjectContextPackResponseProjectStateReminders {
  due: number;
  upcoming: number;
}

export interface ProjectContextPackResponseProjectStateTodos {
  total: number;
  open: number;
  assigned: number;
  accepted: number;
  blocked: number;
  completed: number;
  cancelled: number;
  overdue: number;
}

export interface ProjectContextRequest {
  /**
   * Value or pattern: `%` stands for any text, `_` is a plain character. Default: `"%"`. 1 to 128
   * characters.
   */
  bucket?: string | undefined;

  /** That team's workspace; otherwise the credential's owner's. */
  team_id?: string | null | undefined;

  /**
   * What lasting knowledge to recall; from what is open in the workspace unless given. 1 to 65536
   * characters.
   */
  durable_query?: string | null | undefined;

  /** Entries of all sections together. Default: `100`. 1 to 1000. */
  max_items?: number | undefined;

  /** Tokens (o200k_base) of context_text, heading included. Default: `8000`. 1 to 50000. */
  max_tokens?: number | undefined;

  /** Default: `true`. */
  include_durable_context?: boolean | undefined;

  /** How far back timeline and recent_memories go. Default: `168`. 1 to 8760. */
  recent_hours?: number | undefined;

  /**
   * own: of working memories only those of the session that X-Session-Id names, and of none; all: the
   * session's own are preferred. Default: `"all"`.
   */
  sessions?: Sessions | undefined;

  /** Of no effect: other sessions hide nothing. See sessions. */
  include_other_sessions?: boolean | undefined;
}

export interface ProjectDecision {
  /** Its memory_id in recall too. */
  decision_id: string;

  /** The same as decision_context. */
  content: string;

  /** metadata.title, or the beginning of the context. */
  title: string;

  /** The resolution, once there is one. */
  decision: string | null;

  /** metadata.rationale. */
  rationale: string | null;
  status: ProjectDecisionStatus;
  proposed_by_agent_id: string | null;
  resolved_by_agent_id: string | null;
  impact_level: ProjectImpactLevel | null;
  supersedes: string | null;
  superseded_by: string | null;
  options: Array<string>;
  resolution: string | null;
  decision_context: string;
  resolved_at: string | null;

  /** The project workspace it belongs to; not . or .. */
  project_id: string;
  source_memory_id: string | null;

  /** What has become of the source: missing where it is gone, or not this credential's to see. */
  source_memory_status: ProjectSourceStatus | null;
  bucket: string;
  path: string;
  scope: MemoryScope;
  team_id: string | null;
  due_at: string | null;
  created_at: string;
  updated_at: string;

  /** When maintenance took it out of recall and of lists without a status. */
  archived_at: string | null;

  /** When all that it said was taken out of it for good. */
  redacted_at: string | null;
  audit_trail: Array<ProjectAuditLine>;
  extra_metadata: { [key: string]: unknown };
  etag: string;
  reason?: string | undefined;

  /** The secrets that were replaced by `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ProjectDecisionCreateRequest {
  /** What is to be decided, and what bears on it. 1 to 65536 characters. */
  context: string;

  /** At most 32. */
  options?: Array<string> | null | undefined;
  impact_level?: ProjectImpactLevel | null | undefined;

  /** Recorded; a token that is bound to an agent overrides it. 1 to 256 characters. */
  proposed_by_agent_id?: string | null | undefined;

  /** The decision of the same workspace that it replaces. */
  supersedes?: string | null | undefined;

  /** A label of the caller's choice. Default: `"work"`. 1 to 128 characters. */
  bucket?: string | undefined;
  scope?: MemoryScope | null | undefined;

  /** `/`-separated place of the memory, such as notes/deploys; no segment is . or .. 1 to 512 characters. */
  path?: string | undefined;

  /** The team whose workspace it belongs to. */
  team_id?: string | null | undefined;

  /** The memory it comes from. */
  source_memory_id?: string | null | undefined;
  due_at?: string | null | undefined;
  metadata?: { [key: string]: unknown } | null | undefined;
}

export interface ProjectDecisionReference {
  decision_id: string;

  /** The project workspace it belongs to; not . or .. */
  project_id: string;
  status: ProjectDecisionStatus;
  reason?: string | undefined;

  /** The secrets that were replaced by `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ProjectDecisionResolveRequest {
  /** What was decided. 1 to 16384 characters. */
  resolution: string;
}

export interface ProjectDecisionSupersedeRequest {
  /** What is to be decided, and what bears on it. 1 to 65536 characters. */
  context: string;

  /** At most 32. */
  options?: Array<string> | null | undefined;
  impact_level?: ProjectImpactLevel | null | undefined;

  /** Recorded; a token that is bound to an agent overrides it. 1 to 256 characters. */
  proposed_by_agent_id?: string | null | undefined;

  /** 1 to 16384 characters. */
  resolution_note?: string | null | undefined;
}

export interface ProjectDecisionUpdateRequest {
  /** 1 to 65536 characters. */
  context?: string | undefined;

  /** The same as context, by its name in the answer. 1 to 65536 characters. */
  content?: string | undefined;

  /** At most 32. */
  options?: Array<string> | null | undefined;
  impact_level?: ProjectImpactLevel | null | undefined;

  /** A label of the caller's choice. 1 to 128 characters. */
  bucket?: string | undefined;

  /** `/`-separated place of the memory, such as notes/deploys; no segment is . or .. 1 to 512 characters. */
  path?: string | undefined;

  /** The memory it comes from. */
  source_memory_id?: string | null | undefined;
  due_at?: string | null | undefined;
  metadata?: { [key: string]: unknown } | null | undefined;

  /** Default: `true`. */
  merge_metadata?: boolean | undefined;
}

export interface ProjectDurableMemory {
  id: string;

  /** What it costs in context_text, its header line included. */
  tokens: number;

  /** The stored text, or an excerpt where truncated; null where another section shows it. */
  text: string | null;
  truncated: boolean;

  /** The section that shows the text, where this one does not. */
  shown_in: ProjectContextDomain | null;
  authority: Authority;

  /** Whether the author's credential vouches for its agent, or the request only said so. */
  author_trust: ActorTrust;
  boundary: AgentBoundary;
  path: string;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  project_id: string | null;
  source: string | null;
  created_at: string;
  updated_at: string;
  review_after: string | null;

  /** When it was verified last, as a person's credential has said. */
  last_verified_at: string | null;

  /** When it was checked last, as somebody says who cannot vouch for that; it has no weight. */
  claimed_checked_at: string | null;

  /** review_after is past, and it was not verified since. */
  review_due: boolean;
  memory_type: string;
  status: MemoryStatus;
  semantic_key: string | null;
  importance: number;
  confidence: number;
  occurred_at: string | null;

  /** Absolute relevance to the query. 0 to 1. */
  score: number;
}

export interface ProjectMaintenanceExecuteAnswer {
  run_id: string;

  /** The project workspace it belongs to; not . or .. */
  project_id: string;

  /** The team whose workspace it is; null for a user's own. */
  team_id: string | null;

  /**
   * running and undoing end by themselves, whatever becomes of the request; undone also where a part
   * could not be.
   */
  status: MaintenanceRunStatus;

  /** There was more to look at than scan_limit. */
  truncated: boolean;
  started_at: string;
  finished_at: string | null;
  actions: Array<ProjectMaintenanceExecuteAnswerActions>;
}

export interface ProjectMaintenanceExecuteAnswerActions {
  action: MaintenanceAction;

  /** changed + skipped + failed, once the run is completed. */
  matched: number;
  changed: number;

  /** Not due, not this credential's to change, or changed by somebody else since. */
  skipped: Array<ProjectMaintenanceExecuteAnswerActionsSkipped>;

  /** What the service could not do; the reason is `internal`. */
  failed: Array<ProjectMaintenanceExecuteAnswerActionsFailed>;

  /** purge_deleted only: proofs of the removal, for GET /v1/receipts/{id}. */
  receipts?: Array<string> | undefined;
}

export interface ProjectMaintenanceExecuteAnswerActionsFailed {
  /** null for a memory that has been deleted for good since. */
  id: string | null;

  /** A word for machines, such as not_due, changed, not_found, role_forbidden. */
  reason: string;
}

export interface ProjectMaintenanceExecuteAnswerActionsSkipped {
  /** null for a memory that has been deleted for good since. */
  id: string | null;

  /** A word for machines, such as not_due, changed, not_found, role_forbidden. */
  reason: string;
}

export interface ProjectMaintenanceExecuteRequest {
  /** That team's workspace; otherwise the credential's owner's. */
  team_id?: string | null | undefined;

  /** 1 to 4 actions, each once; done in their own order. At most 4. */
  actions: Array<MaintenanceAction>;

  /**
   * Selection: of these ids, those that are due. The others are skipped with the reason. Empty is as if
   * not given. At most 500.
   */
  target_ids?: Array<string> | null | undefined;

  /** Selection: everything that is due now. Default: `false`. */
  confirm_all_matching?: boolean | undefined;

  /** Selection: exactly what that report listed, or 409 plan_changed. 1 to 512 characters. */
  plan_hash?: string | null | undefined;

  /**
   * With confirm_all_matching; a plan_hash brings the limit of its report with it. Default: `1000`. 1 to
   * 5000.
   */
  scan_limit?: number | undefined;
}

export interface ProjectMaintenanceReport {
  /** The project workspace it belongs to; not . or .. */
  project_id: string;

  /** The team whose workspace it is; null for a user's own. */
  team_id: string | null;
  generated_at: string;
  scan_limit: number;

  /** How many memories were looked at; at most scan_limit. */
  scanned: number;

  /** There was more to look at. What is most likely due was looked at first. */
  truncated: boolean;

  /** The plan_hash of a report of this workspace, for any of the actions in it. 1 to 512 characters. */
  plan_hash: string;

  /** How many items each action would touch. */
  totals: ProjectMaintenanceReportTotals;

  /** Every action, in the order in which a run does them. */
  actions: Array<ProjectMaintenanceReportActions>;

  /** What maintenance saw and leaves alone. */
  notes: Array<string>;
}

export interface ProjectMaintenanceReportActions {
  action: MaintenanceAction;
  matched: number;

  /** Oldest memory first. */
  items: Array<ProjectMaintenanceReportActionsItems>;
}

export interface ProjectMaintenanceReportActionsItems {
  id: string;

  /** Why it is due, for people; never content. */
  reason: string;

  /** merge_duplicates only: the memory that stays in place of this one. */
  into?: string | undefined;
}

export interface ProjectMaintenanceReportTotals {
  expire_overdue: number;
  archive_stale: number;
  merge_duplicates: number;
  purge_deleted: number;
  refresh_embeddings: number;
  repair_index: number;
}

export interface ProjectMaintenanceRun {
  run_id: string;

  /** The project workspace it belongs to; not . or .. */
  project_id: string;

  /** The team whose workspace it is; null for a user's own. */
  team_id: string | null;

  /**
   * running and undoing end by themselves, whatever becomes of the request; undone also where a part
   * could not be.
   */
  status: MaintenanceRunStatus;
  trigger: ProjectMaintenanceRunTrigger;
  started_at: string;
  finished_at: string | null;
  undone_at: string | null;

  /** The agent that asked for it; the credential's id where there was no agent. */
  started_by: string;
  actions: Array<ProjectMaintenanceRunActions>;
}

export interface ProjectMaintenanceRunActions {
  action: MaintenanceAction;

  /** changed + skipped + failed, once the run is completed. */
  matched: number;
  changed: number;
  skipped: number;
  failed: number;
  undone: number;
}

export interface ProjectMaintenanceSettings {
  /** The project workspace it belongs to; not . or .. */
  project_id: string;

  /** The team whose workspace it is; null for a user's own. */
  team_id: string | null;

  /** A live memory that was neither changed nor verified for so long is stale. 1 to 3650. */
  stale_after_days: number;

  /** The cosine of two memories' vectors from which on they may be merged. 0.8 to 1. */
  duplicate_similarity: number;

  /** Finished todos and superseded decisions are archived after so long. 0 to 3650. */
  completed_retention_days: number;

  /** What was soft-deleted is erased for good after so long. 0 to 3650. */
  purge_deleted_after_days: number;

  /** What the schedule does by itself; nothing where it is empty. At most 6. */
  automatic_actions: Array<MaintenanceAction>;

  /** How long it is from one automatic run to the next. 1 to 8760. */
  schedule_hours: number;

  /** null while all are defaults that nobody has set. */
  updated_at: string | null;

  /** The agent that set them last; the credential's id where there was no agent. */
  updated_by: string | null;

  /** When the schedule is due next; null without automatic_actions. */
  next_run_at: string | null;

  /**
   * Why automatic runs do not happen now: who set them may no longer do what they ask. null where they
   * do.
   */
  suspended_reason: string | null;
}

export interface ProjectMaintenanceSettingsPatchRequest {
  /** 1 to 3650. */
  stale_after_days?: number | null | undefined;

  /** 0.8 to 1. */
  duplicate_similarity?: number | null | undefined;

  /** 0 to 3650. */
  completed_retention_days?: number | null | undefined;

  /** 0 to 3650. */
  purge_deleted_after_days?: number | null | undefined;

  /** At most 6. */
  automatic_actions?: Array<MaintenanceAction> | null | undefined;

  /** 1 to 8760. */
  schedule_hours?: number | null | undefined;

  /** That team's workspace; otherwise the credential's owner's. */
  team_id?: string | null | undefined;
}

export interface ProjectMaintenanceUndoAnswer {
  run_id: string;

  /** The project workspace it belongs to; not . or .. */
  project_id: string;

  /** The team whose workspace it is; null for a user's own. */
  team_id: string | null;

  /**
   * running and undoing end by themselves, whatever becomes of the request; undone also where a part
   * could not be.
   */
  status: MaintenanceRunStatus;
  undone_at: string | null;

  /** Those actions of the run that an undo takes back. */
  actions: Array<ProjectMaintenanceUndoAnswerActions>;
}

export interface ProjectMaintenanceUndoAnswerActions {
  action: ProjectMaintenanceUndoAnswerActionsAction;

  /** How many are as they were before the run, by this undo or an earlier one. */
  undone: number;

  /** Not as the run left it, or its place is taken by now. */
  skipped: Array<ProjectMaintenanceUndoAnswerActionsSkipped>;
  failed: Array<ProjectMaintenanceUndoAnswerActionsFailed>;
}

export interface ProjectMaintenanceUndoAnswerActionsFailed {
  /** null for a memory that has been deleted for good since. */
  id: string | null;

  /** A word for machines, such as not_due, changed, not_found, role_forbidden. */
  reason: string;
}

export interface ProjectMaintenanceUndoAnswerActionsSkipped {
  /** null for a memory that has been deleted for good since. */
  id: string | null;

  /** A word for machines, such as not_due, changed, not_found, role_forbidden. */
  reason: string;
}

export interface ProjectMaintenanceUndoRequest {
  /** That team's workspace; otherwise the credential's owner's. */
  team_id?: string | null | undefined;
}

export interface ProjectNextAction {
  /** What it costs in context_text, its header line included. */
  tokens: number;

  /** An operation that this credential may call. */
  operation: string;

  /** The MCP tool of the same. */
  tool: string | null;

  /** What it is to be done with. */
  id: string;

  /** The ids that the operation needs; what else it needs is the caller's to say. */
  input: { [key: string]: string };

  /** Why, and of what another wrote, who did; what was stored stands in double quotes. */
  because: string;
}

export interface ProjectRecentMemory {
  id: string;

  /** What it costs in context_text, its header line included. */
  tokens: number;

  /** The stored text, or an excerpt where truncated; null where another section shows it. */
  text: string | null;
  truncated: boolean;

  /** The section that shows the text, where this one does not. */
  shown_in: ProjectContextDomain | null;
  authority: Authority;

  /** Whether the author's credential vouches for its agent, or the request only said so. */
  author_trust: ActorTrust;
  boundary: AgentBoundary;
  path: string;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  project_id: string | null;
  source: string | null;
  created_at: string;
  updated_at: string;
  review_after: string | null;

  /** When it was verified last, as a person's credential has said. */
  last_verified_at: string | null;

  /** When it was checked last, as somebody says who cannot vouch for that; it has no weight. */
  claimed_checked_at: string | null;

  /** review_after is past, and it was not verified since. */
  review_due: boolean;
  memory_type: string;
  status: MemoryStatus;
  semantic_key: string | null;
  importance: number;
  confidence: number;
  occurred_at: string | null;
}

export interface ProjectTimelineEvent {
  at: string;
  kind: ProjectTimelineEventKind;

  /** Of the todo, decision or memory. */
  id: string;

  /** As in the audit trail; store or change for a memory. */
  operation: string;
  from: string | null;
  to: string;
  agent_id: string | null;
  trust: ActorTrust;

  /** What it costs in context_text, its header line included. */
  tokens: number;

  /** The stored text, or an excerpt where truncated; null where another section shows it. */
  text: string | null;
  truncated: boolean;

  /** The section that shows the text, where this one does not. */
  shown_in: ProjectContextDomain | null;
}

export interface ProjectTodo {
  /** Its memory_id in recall too. */
  todo_id: string;
  content: string;
  status: ProjectTodoStatus;
  priority: ProjectTodoPriority;
  assignee_agent_id: string | null;

  /** The agent that has it; the credential's id where it was accepted without an agent. */
  accepted_by_agent_id: string | null;
  blocked_reason: string | null;
  depends_on: Array<string>;
  completed_at: string | null;
  completion_note: string | null;
  cancelled_at: string | null;
  cancel_reason: string | null;

  /** The project workspace it belongs to; not . or .. */
  project_id: string;
  source_memory_id: string | null;

  /** What has become of the source: missing where it is gone, or not this credential's to see. */
  source_memory_status: ProjectSourceStatus | null;
  bucket: string;
  path: string;
  scope: MemoryScope;
  team_id: string | null;
  due_at: string | null;
  created_at: string;
  updated_at: string;

  /** When maintenance took it out of recall and of lists without a status. */
  archived_at: string | null;

  /** When all that it said was taken out of it for good. */
  redacted_at: string | null;
  audit_trail: Array<ProjectAuditLine>;
  extra_metadata: { [key: string]: unknown };
  etag: string;
  reason?: string | undefined;

  /** The secrets that were replaced by `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ProjectTodoAssignRequest {
  /** 1 to 256 characters. */
  assignee_agent_id?: string | undefined;
}

export interface ProjectTodoBlockRequest {
  /** 1 to 1024 characters. */
  reason: string;
}

export interface ProjectTodoCancelRequest {
  /** 1 to 1024 characters. */
  reason?: string | null | undefined;
}

export interface ProjectTodoCompleteRequest {
  /** 1 to 4096 characters. */
  note?: string | null | undefined;
}

export interface ProjectTodoCreateRequest {
  /** What is to be done. 1 to 65536 characters. */
  content: string;

  /** Default: `"normal"`. */
  priority?: ProjectTodoPriority | undefined;

  /** Only this agent may accept it. 1 to 256 characters. */
  assignee_agent_id?: string | null | undefined;

  /** Todos of the same workspace that must be finished first. At most 100. */
  depends_on?: Array<string> | null | undefined;

  /** A label of the caller's choice. Default: `"work"`. 1 to 128 characters. */
  bucket?: string | undefined;
  scope?: MemoryScope | null | undefined;

  /** `/`-separated place of the memory, such as notes/deploys; no segment is . or .. 1 to 512 characters. */
  path?: string | undefined;

  /** The team whose workspace it belongs to. */
  team_id?: string | null | undefined;

  /** The memory it comes from. */
  source_memory_id?: string | null | undefined;
  due_at?: string | null | undefined;
  metadata?: { [key: string]: unknown } | null | undefined;
}

export interface ProjectTodoReference {
  todo_id: string;

  /** The project workspace it belongs to; not . or .. */
  project_id: string;
  status: ProjectTodoStatus;
  reason?: string | undefined;

  /** The secrets that were replaced by `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ProjectTodoUpdateRequest {
  /** 1 to 65536 characters. */
  content?: string | undefined;
  priority?: ProjectTodoPriority | undefined;

  /** Todos of the same workspace that must be finished first. At most 100. */
  depends_on?: Array<string> | null | undefined;

  /** A label of the caller's choice. 1 to 128 characters. */
  bucket?: string | undefined;

  /** `/`-separated place of the memory, such as notes/deploys; no segment is . or .. 1 to 512 characters. */
  path?: string | undefined;

  /** The memory it comes from. */
  source_memory_id?: string | null | undefined;
  due_at?: string | null | undefined;
  metadata?: { [key: string]: unknown } | null | undefined;

  /** Default: `true`. */
  merge_metadata?: boolean | undefined;
}

export interface RecallContextRequest {
  /** What to recall: a question, a message or words. 1 to 65536 characters. */
  query: string;

  /**
   * Path or pattern: `%` stands for any text, `_` is a plain character. Default: `"%"`. 1 to 2048
   * characters.
   */
  path?: string | undefined;

  /**
   * Value or pattern: `%` stands for any text, `_` is a plain character. Default: `"%"`. 1 to 128
   * characters.
   */
  bucket?: string | undefined;

  /** auto: the planner chooses and retrieval_plan says what. Default: `"auto"`. 1 to 128 characters. */
  memory_type?: string | undefined;

  /**
   * `active` means every live memory; another value exactly that; a pattern never matches soft_deleted.
   * Default: `"active"`. 1 to 128 characters.
   */
  status?: string | undefined;

  /** Default: `8`. 1 to 1000. */
  max_items?: number | undefined;

  /** Default: `1500`. 1 to 50000. */
  max_tokens?: number | undefined;

  /** Default: `true`. */
  prefer_working?: boolean | undefined;

  /**
   * own: of working memories only those of the session that X-Session-Id names, and of none; all: the
   * session's own are preferred. Default: `"all"`.
   */
  sessions?: Sessions | undefined;

  /** Of no effect: other sessions hide nothing. See sessions. */
  include_other_sessions?: boolean | undefined;

  /** Default: `false`. */
  include_knowledge?: boolean | undefined;
  scope?: MemoryScope | null | undefined;
  team_id?: string | null | undefined;

  /** 0 to 1. */
  threshold?: number | null | undefined;

  /** Hits considered. 1 to 1000. */
  limit?: number | null | undefined;
  project_id?: string | null | undefined;

  /** As it was then: stored by then, not yet superseded or expired, in the version of then. */
  as_of?: string | null | undefined;

  /** When it is asked; now unless given. */
  asked_at?: string | null | undefined;

  /** Where it is asked; UTC unless given. 1 to 64 characters. */
  time_zone?: string | null | undefined;
}

export interface RecallFeedbackAnswer {
  id: string;
  status: "recorded";

  /** 0 to 1. */
  confidence?: number | undefined;
}

export interface RecallFeedbackRequest {
  memory_id: string;
  helpful: boolean;

  /** 1 to 65536 characters. */
  query?: string | null | undefined;
}

export interface RecallWhyAnswer {
  id: string;

  /** Whether the search's answer has it, or the pack. */
  found: boolean;

  /**
   * How far it comes: left out by filters, proposed by no retriever, below the threshold, beyond the
   * limit, or left out of the pack.
   */
  outcome: RecallWhyAnswerOutcome;

  /** Its place among the candidates, from 1. */
  rank: number | null;

  /** 0 to 1. */
  score: number | null;

  /**
   * Where in content is what matches best, from start to before end in UTF-16 code units. null: the
   * memory is short, so that it is all of it, or it is answered as of a past instant.
   */
  passage: Passage | null;
  signals: { [key: string]: number };

  /** All of it in words. */
  reasons: Array<string>;

  /** The filters that leave it out: what each asks for, and what the memory has. */
  filters: Array<RecallWhyAnswerFilters>;
  proposed_by: RecallWhyAnswerProposedBy | null;
  superseded_by: string | null;

  /** The item of the pack that says it already. */
  repetition_of: string | null;

  /** Its place in the pack, where it is asked for, and what it costs there. */
  pack: RecallWhyAnswerPack | null;

  /** What did not take part. */
  degraded?: Array<string> | undefined;
}

export interface RecallWhyAnswerFilters {
  filter: string;
  asked: string;
  has: string | null;
}

export interface RecallWhyAnswerPack {
  place: number | null;
  tokens: number | null;
  truncated: boolean;
}

export interface RecallWhyAnswerProposedBy {
  /** Its place among the memories with the query's words. */
  words: number | null;

  /** Its place among those near in meaning. */
  vector: number | null;

  /** Its place among those that have what the query quotes or identifies. */
  exact: number | null;
  newest: boolean;

  /** It is next to one in its session that was proposed. */
  neighbour: boolean;

  /** The database's search, where the index lacks the owner. */
  full_text: boolean;
}

export interface RecallWhyRequest {
  /** What to recall: a question, a message or words. 1 to 65536 characters. */
  query: string;

  /** The least score, on a scale that means the same for every query. 0 to 1. */
  threshold?: number | null | undefined;

  /**
   * Path or pattern: `%` stands for any text, `_` is a plain character. Default: `"%"`. 1 to 2048
   * characters.
   */
  path?: string | undefined;

  /**
   * Value or pattern: `%` stands for any text, `_` is a plain character. Default: `"%"`. 1 to 128
   * characters.
   */
  bucket?: string | undefined;

  /**
   * Value or pattern: `%` stands for any text, `_` is a plain character. Default: `"%"`. 1 to 128
   * characters.
   */
  memory_type?: string | undefined;

  /**
   * `active` means every live memory; another value exactly that; a pattern never matches soft_deleted.
   * Default: `"active"`. 1 to 128 characters.
   */
  status?: string | undefined;
  scope?: MemoryScope | null | undefined;

  /** That team only; otherwise the caller's own and all its teams. */
  team_id?: string | null | undefined;
  project_id?: string | null | undefined;
  metadata?: { [key: string]: string } | null | undefined;

  /**
   * own: of working memories only those of the session that X-Session-Id names, and of none; all: the
   * session's own are preferred. Default: `"all"`.
   */
  sessions?: Sessions | undefined;

  /** Of no effect: other sessions hide nothing. See sessions. */
  include_other_sessions?: boolean | undefined;

  /** Candidates of each retriever. 1 to 1000. */
  candidate_count?: number | null | undefined;

  /** As it was then: stored by then, not yet superseded or expired, in the version of then. */
  as_of?: string | null | undefined;

  /** When it is asked; now unless given. */
  asked_at?: string | null | undefined;

  /** Where it is asked; UTC unless given. 1 to 64 characters. */
  time_zone?: string | null | undefined;

  /** lexical or dense alone, without the ranker: to compare with. Default: `"hybrid"`. */
  retrievers?: Retrievers | undefined;
  memory_id: string;

  /** As of a search; of a pack the hits considered. Without it a search's answer has no end. 1 to 1000. */
  limit?: number | null | undefined;

  /**
   * With it or max_tokens: why of a context pack, with what a pack does unless told otherwise. 1 to
   * 1000.
   */
  max_items?: number | null | undefined;

  /** 1 to 50000. */
  max_tokens?: number | null | undefined;

  /** Unless given: false for a search, true for a pack. */
  prefer_working?: boolean | null | undefined;

  /** Unless given: a search includes what the credential may read, a pack does not. */
  include_knowledge?: boolean | null | undefined;
}

export interface Receipt {
  id: string;

  /** confirmed once every store has confirmed. */
  state: ReceiptState;

  /** How much each store held. */
  removed: { [key: string]: number };
  digest: string;

  /** Other memories of the same supersession chain, which remain. */
  remaining: Array<string>;
}

export interface RedeliverRequest {
  /** Only these; all that were given up where it is null. At most 500. */
  event_ids?: Array<string> | null | undefined;
}

export interface Redelivered {
  id: string;

  /** How many are tried again. */
  redelivered: number;
}

export interface ReminderCompleteAnswer {
  id: string;
  status: "completed";
  completed_at: string;

  /** When a recurring reminder is due next; absent once it is completed for good. */
  next_due_at?: string | undefined;
  reason?: string | undefined;

  /** The secrets that were replaced by `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ReminderCompleteRequest {
  /** 1 to 4096 characters. */
  note?: string | null | undefined;
}

export interface RemovedWebhook {
  id: string;
  deleted: true;
}

export interface RetrievalPlan {
  engine: string;
  retrievers: Array<string>;
  memory_types: Array<string>;
  time_range: RetrievalPlanTimeRange | null;
  weights: { [key: string]: number };
  candidate_count: number;
  degraded: Array<string>;
  because: string;
}

export interface RetrievalPlanTimeRange {
  from: string | null;
  to: string | null;
  because: string;
}

export interface RotatedWebhookSecret {
  id: string;

  /** What deliveries are signed with, by the Standard Webhooks specification. It is shown once. */
  secret: string;

  /** Until then deliveries carry the former signature too. */
  former_secret_until: string;
}

export interface SearchAnswer {
  results: Array<SearchResult>;

  /** The least share of the visible memories that every retriever could consider. 0 to 1. */
  coverage: number;

  /** What did not take part that should have. */
  degraded?: Array<string> | undefined;
}

export interface SearchRequest {
  /** What to recall: a question, a message or words. 1 to 65536 characters. */
  query: string;

  /** Default: `5`. 1 to 100. */
  limit?: number | undefined;

  /** The least score, on a scale that means the same for every query. 0 to 1. */
  threshold?: number | null | undefined;

  /**
   * Path or pattern: `%` stands for any text, `_` is a plain character. Default: `"%"`. 1 to 2048
   * characters.
   */
  path?: string | undefined;

  /**
   * Value or pattern: `%` stands for any text, `_` is a plain character. Default: `"%"`. 1 to 128
   * characters.
   */
  bucket?: string | undefined;

  /**
   * Value or pattern: `%` stands for any text, `_` is a plain character. Default: `"%"`. 1 to 128
   * characters.
   */
  memory_type?: string | undefined;

  /**
   * `active` means every live memory; another value exactly that; a pattern never matches soft_deleted.
   * Default: `"active"`. 1 to 128 characters.
   */
  status?: string | undefined;
  scope?: MemoryScope | null | undefined;

  /** That team only; otherwise the caller's own and all its teams. */
  team_id?: string | null | undefined;
  project_id?: string | null | undefined;
  metadata?: { [key: string]: string } | null | undefined;

  /** Adds signals and reasons to each result. Default: `false`. */
  explain?: boolean | undefined;

  /** Default: `false`. */
  prefer_working?: boolean | undefined;

  /**
   * own: of working memories only those of the session that X-Session-Id names, and of none; all: the
   * session's own are preferred. Default: `"all"`.
   */
  sessions?: Sessions | undefined;

  /** Of no effect: other sessions hide nothing. See sessions. */
  include_other_sessions?: boolean | undefined;

  /** Candidates of each retriever. 1 to 1000. */
  candidate_count?: number | null | undefined;

  /** As it was then: stored by then, not yet superseded or expired, in the version of then. */
  as_of?: string | null | undefined;

  /** When it is asked; now unless given. */
  asked_at?: string | null | undefined;

  /** Where it is asked; UTC unless given. 1 to 64 characters. */
  time_zone?: string | null | undefined;

  /** lexical or dense alone, without the ranker: to compare with. Default: `"hybrid"`. */
  retrievers?: Retrievers | undefined;
}

export interface SearchResult {
  id: string;
  content: string;
  path: string;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  memory_type: string;
  status: MemoryStatus;
  semantic_key: string | null;
  version: number;
  superseded_by: string | null;

  /** 0 to 1. */
  importance: number;

  /** 0 to 1. */
  confidence: number;
  source: string | null;
  logic_path: string | null;
  metadata: { [key: string]: unknown };
  provenance: { [key: string]: unknown };
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  boundary: AgentBoundary;

  /**
   * Where in content is what matches best, from start to before end in UTF-16 code units. null: the
   * memory is short, so that it is all of it, or it is answered as of a past instant.
   */
  passage: Passage | null;

  /** Absolute relevance; results are ordered by the ranker, not by it. 0 to 1. */
  score: number;
  explanation?: SearchResultExplanation | undefined;
}

export interface SearchResultExplanation {
  /** What the results are ordered by. */
  rank_score: number;
  signals: { [key: string]: number };
  reasons: Array<string>;
}

export interface SkillCatalogue {
  endpoint: "/v1/skill/operations";

  /** How an operation is called. */
  how: string;
  credential: SkillCredential;
  operations: Array<SkillCatalogueEntry>;
}

export interface SkillCatalogueEntry {
  operation: SkillOperationName;
  summary: string;

  /** One of these is needed; none where there is none. */
  scopes: Array<Scope>;

  /** Whether this token may call it. */
  may_call: boolean;
  why_not: string | null;
  effect: OperationEffect;

  /** JSON Schema of `input`. */
  input_schema: { [key: string]: unknown };

  /** A body that can be sent as it is. */
  example: { [key: string]: unknown };
}

export interface SkillToken {
  id: string;

  /** The skill token, shown this once. */
  token: string;
  scopes: Array<GrantableScope>;
  projects: Array<string> | null;
  path_prefix: string | null;
  buckets: Array<string> | null;
  expires_at: string;
}

export interface SkillTokenRequest {
  /** What it will be recognised by. 1 to 128 characters. */
  name?: string | null | undefined;

  /** The issuer's unless given. At most 32. */
  scopes?: Array<SkillTokenRequestScopes> | null | undefined;

  /** At most 100. */
  projects?: Array<string> | null | undefined;

  /** 1 to 512 characters. */
  path_prefix?: string | null | undefined;

  /** At most 100. */
  buckets?: Array<string> | null | undefined;

  /** Default: `90`. 1 to 90. */
  expires_in_days?: number | undefined;
}

export interface TestEvent {
  /** Its webhook-id; no event of the log has it. */
  id: string;
  type: "webhook.test";
  timestamp: string;
  data: TestEventData;
}

export interface TestEventData {
  webhook_id: string;
}

export interface TestedWebhook {
  id: string;

  /** What was sent. */
  event: TestEvent;
  delivered: boolean;

  /** Why it was not delivered, such as status_500, timeout, unreachable or not_allowed. */
  error: string | null;
}

export interface UpdatedMemory {
  id: string;
  content: string;
  path: string;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  memory_type: string;
  status: MemoryStatus;
  semantic_key: string | null;
  version: number;
  superseded_by: string | null;

  /** 0 to 1. */
  importance: number;

  /** 0 to 1. */
  confidence: number;
  source: string | null;
  logic_path: string | null;
  metadata: { [key: string]: unknown };
  provenance: { [key: string]: unknown };
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  boundary: AgentBoundary;
  conflicts: Array<MemoryConflict>;
  etag: string;
  reason?: string | undefined;

  /** The secrets that were replaced by `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface UpdatedMemoryReference {
  id: string;
  status: MemoryStatus;
  reason?: string | undefined;

  /** The secrets that were replaced by `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ValidationIssue {
  /** Where: body, query, path or header, then the field. */
  loc: Array<string | number>;

  /** What is wrong, for people. */
  msg: string;

  /** The kind of rule that failed, for machines. */
  type: string;
}

export interface Webhook {
  id: string;
  url: string;
  description: string | null;
  subjects: Array<ChangeEventSubject> | null;
  project_id: string | null;
  enabled: boolean;

  /**
   * failing: the last attempts failed and more follow. suspended: the credential that set it has ended,
   * or may not read any more.
   */
  state: WebhookState;

  /** Events that are taken up and not delivered yet. */
  waiting: number;

  /** Events that were given up. */
  dead_letters: number;

  /** Why the last attempt failed, such as status_500, timeout, unreachable or not_allowed. */
  last_error: string | null;
  last_delivered_at: string | null;

  /** When events were last cleared from the log before they could be delivered. */
  missed_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface WebhookList {
  webhooks: Array<Webhook>;
}

export interface WebhookPatchRequest {
  /**
   * Where events are POSTed to: https, and on the public internet unless the operator allows it. 0 to
   * 2048 characters.
   */
  url?: string | undefined;

  /** For people. 1 to 256 characters. */
  description?: string | null | undefined;

  /** Only events about these; all where it is null. At most 3. */
  subjects?: Array<ChangeEventSubject> | null | undefined;

  /** Only events in this project; all where it is null. */
  project_id?: string | null | undefined;

  /** Whether anything is delivered. */
  enabled?: boolean | undefined;
}

export interface WebhookRequest {
  /**
   * Where events are POSTed to: https, and on the public internet unless the operator allows it. 0 to
   * 2048 characters.
   */
  url: string;

  /** For people. 1 to 256 characters. */
  description?: string | null | undefined;

  /** Only events about these; all where it is null. At most 3. */
  subjects?: Array<ChangeEventSubject> | null | undefined;

  /** Only events in this project; all where it is null. */
  project_id?: string | null | undefined;
}

export type ActorTrust = "token_bound" | "client_asserted" | "unattributed";

export type AgentBindingStatus =
  | "pending"
  | "awaiting_confirmation"
  | "bound"
  | "denied"
  | "expired"
  | "revoked";

export type AgentBoundaryCurrentAgentTrust = "token_bound" | "client_asserted";

export type Authority = "inference" | "observation" | "directive" | "verified";

export type BoundaryRelation = "self" | "same_agent_other_instance" | "other_agent" | "unattributed";

export type ChangeEventSubject = "memory" | "todo" | "decision";

export type ContextAnswer = OwnersContext | TemporaryAgentsContext;

export type DoctorCheck = "credential" | "scopes" | "reach" | "clock" | "service" | "index";

export type DoctorStatus = "ok" | "warning" | "broken";

export type EmbeddingSource = "caller" | "service";

export type ErasedKind = "user" | "team";

export type ErasureState = "running" | "pending" | "confirmed";

export type ErrorCode =
  | "malformed_host"
  | "validation_failed"
  | "invalid_token"
  | "insufficient_scope"
  | "knowledge_scope_required"
  | "host_not_allowed"
  | "origin_not_allowed"
  | "role_forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "memory_id_conflict"
  | "not_restorable"
  | "invalid_transition"
  | "already_accepted"
  | "assigned_to_other"
  | "dependency_incomplete"
  | "plan_changed"
  | "events_gone"
  | "precondition_failed"
  | "payload_too_large"
  | "secret_detected"
  | "quota_exceeded"
  | "rate_limited"
  | "unsupported_media_type"
  | "internal"
  | "overloaded"
  | "dependency_unavailable";

export type ForgetMode = "soft_delete" | "hard_delete" | "redact";

export type GrantableScope =
  | "memory:read"
  | "memory:write"
  | "memory:update"
  | "memory:delete"
  | "memory:restore"
  | "memory:redact"
  | "memory:hard_delete"
  | "knowledge:read"
  | "ledger:write";

export type JunkKind = "echo" | "empty" | "trivial" | "repetition";

export type ListDecisionsAnswer = Array<ProjectDecision>;

export type ListMaintenanceRunsAnswer = Array<ProjectMaintenanceRun>;

export type ListTodosAnswer = Array<ProjectTodo>;

export type MaintenanceAction =
  | "expire_overdue"
  | "archive_stale"
  | "merge_duplicates"
  | "purge_deleted"
  | "refresh_embeddings"
  | "repair_index";

export type MaintenanceRunStatus = "running" | "completed" | "undoing" | "undone";

export type MemoryConflictReason = "same_semantic_key" | "other_values";

export type MemoryForgetAnswerStatus =
  | "active"
  | "started"
  | "completed"
  | "archived"
  | "superseded"
  | "soft_deleted"
  | "redacted"
  | "expired"
  | "hard_deleted";

export type MemoryScope = "private" | "team";

export type MemorySettableStatus = "active" | "started" | "completed" | "archived";

export type MemoryStatus =
  | "active"
  | "started"
  | "completed"
  | "archived"
  | "superseded"
  | "soft_deleted"
  | "redacted"
  | "expired";

export type MemoryUpdateAnswer = UpdatedMemory | UpdatedMemoryReference;

export type OperationEffect = "read" | "write" | "destroy";

export type OwnersContextAnswerStatus =
  | "confirmed_answer"
  | "conflicting_answers"
  | "partial_answer"
  | "no_confirmed_answer"
  | "no_memories";

export type ProjectActionItemKind = "todo" | "reminder";

export type ProjectActionItemStatus =
  | "open"
  | "assigned"
  | "accepted"
  | "blocked"
  | "completed"
  | "cancelled"
  | "active"
  | "started";

export type ProjectAgentStateLastTaskStatus = "started" | "completed";

export type ProjectAgentStateRelation = "self" | "other_agent";

export type ProjectCaveatKind =
  | "degraded_recall"
  | "conflict"
  | "overdue"
  | "dead_source"
  | "review_due"
  | "unverified_author";

export type ProjectContextDomain =
  | "governance_caveats"
  | "suggested_next_actions"
  | "action_items"
  | "decisions"
  | "durable_context"
  | "recent_memories"
  | "timeline"
  | "agent_states";

export type ProjectContextPackResponseOmittedReason = "token_budget" | "item_limit" | "repetition";

export type ProjectContextPackResponseProjectScopeNarrowedBy =
  | "bucket"
  | "team"
  | "projects"
  | "path_prefix"
  | "buckets"
  | "knowledge"
  | "session";

export type ProjectContextPackResponseProjectStateHealth =
  | "empty"
  | "on_track"
  | "needs_attention"
  | "stalled";

export type ProjectDecisionAnswer = ProjectDecision | ProjectDecisionReference;

export type ProjectDecisionStatus = "proposed" | "resolved" | "superseded";

export type ProjectImpactLevel = "low" | "medium" | "high" | "critical";

export type ProjectMaintenanceRunTrigger = "request" | "schedule";

export type ProjectMaintenanceUndoAnswerActionsAction =
  | "expire_overdue"
  | "archive_stale"
  | "merge_duplicates";

export type ProjectSourceStatus =
  | "active"
  | "started"
  | "completed"
  | "archived"
  | "superseded"
  | "soft_deleted"
  | "redacted"
  | "expired"
  | "missing";

export type ProjectTimelineEventKind = "todo" | "decision" | "memory";

export type ProjectTodoAnswer = ProjectTodo | ProjectTodoReference;

export type ProjectTodoPriority = "low" | "normal" | "high" | "urgent";

export type ProjectTodoStatus = "open" | "assigned" | "accepted" | "blocked" | "completed" | "cancelled";

export type RecallWhyAnswerOutcome =
  | "found"
  | "filtered"
  | "not_proposed"
  | "below_threshold"
  | "beyond_limit"
  | "omitted";

export type ReceiptState = "pending" | "confirmed";

export type Retrievers = "hybrid" | "lexical" | "dense";

export type Scope =
  | "memory:read"
  | "memory:write"
  | "memory:update"
  | "memory:delete"
  | "memory:restore"
  | "memory:redact"
  | "memory:hard_delete"
  | "knowledge:read"
  | "ledger:write"
  | "owner:erase";

export type Sessions = "own" | "all";

export type SkillOperationName =
  | "remember"
  | "recall"
  | "search"
  | "save-state"
  | "restore-state"
  | "todo-add"
  | "todo-list"
  | "todo-done"
  | "expense-add"
  | "doctor";

export type SkillTokenRequestScopes =
  | "memory:read"
  | "memory:write"
  | "memory:update"
  | "memory:delete"
  | "memory:restore"
  | "memory:redact"
  | "memory:hard_delete"
  | "knowledge:read"
  | "ledger:write"
  | "read:memories"
  | "write:memories";

export type SupersedeDecisionAnswer = Array<ProjectDecisionAnswer>;

export type TokenKind = "api_key" | "oauth" | "agent_temporary" | "agent_formal" | "skill" | "session";

export type WebhookState = "working" | "failing" | "suspended" | "disabled";

/** What is sent and answered, by operation. */
export interface Operations {
  /**
   * Bind this agent to the user who approved it.
   *
   * Takes the one-time confirmation token that only the user has seen. The temporary token ends; what
   * the agent wrote moves to the user. The same confirmation within its 10 minutes answers a new token
   * and revokes the first, for an answer that was lost.
   */
  confirmBinding: { input: AgentBindConfirmRequest; answer: AgentBindConfirmation };

  /** Give up the binding, and this temporary agent with it. */
  denyBinding: { input: Record<never, never>; answer: AgentBindDenial };

  /** How far the binding to a user has come. */
  getBindStatus: { input: Record<never, never>; answer: AgentBindStatus };

  /**
   * Register an agent that has no credential yet.
   *
   * Always makes a new identity, with a quarantine of its own to write to and a link under which its
   * user may bind it within 24 hours. Limited per network address.
   */
  registerAgent: { input: AgentSelfRegistrationRequest; answer: AgentSelfRegistrationResponse };

  /**
   * Replace this agent's formal token.
   *
   * The token that asks stays valid for 60 seconds, so that nothing under way is cut off.
   */
  rotateAgentToken: { input: Record<never, never>; answer: AgentTokenRotation };

  /** What has become of this agent. */
  getAgentStatus: { input: Record<never, never>; answer: AgentStatus };

  /**
   * Diagnose this credential, its scopes, the clock, the service and its index, in words.
   *
   * Changes nothing, and shows nothing that is stored. A credential that is not valid is 401.
   */
  doctor: {
    input: {
      /** What the clock of whoever asks says now, to be compared with the service's. */
      client_time?: string | null | undefined;
    };
    answer: DoctorAnswer;
  };

  /**
   * Erase the user or a team, with everything they own, for good.
   *
   * In two steps. A dry run, which is the default, counts by table and answers the name, a plan_hash and
   * the id of the receipt. With dry_run false, that name as confirm and that hash, all access ends at
   * once, this key's included where its user is erased, and everything is removed by the service from
   * then on, through restarts too: read the receipt under its id until it is confirmed. Asked again, it
   * answers the same erasure. A team is erased by a user who has the role owner in it; what a user wrote
   * to teams stays theirs, without saying who wrote it. A key that is confined to a part may not, and
   * neither may a team's own.
   *
   * Scope: `owner:erase`.
   */
  eraseOwner: { input: ErasureRequest; answer: ErasurePlan };

  /**
   * Read the receipt of an erasure.
   *
   * Who was erased has no credential any more: whoever knows the id reads it. It holds ids and numbers,
   * neither a name nor content.
   */
  getErasure: {
    input: {
      /** The erasure_id of the dry run. */
      erasure_id: string;
    };
    answer: Erasure;
  };

  /**
   * Follow what becomes of memories, todos and decisions.
   *
   * Every change that this credential may know of, in order for each memory, at least once. With
   * `Accept: text/event-stream` it is a stream of server-sent events that goes on until either side ends
   * it, and begins with what comes next unless it is told where to go on. A block without data says only
   * how far the stream is. `events_gone`: what is asked from is no longer kept.
   *
   * Scope: `memory:read`.
   */
  listEvents: {
    input: {
      /**
       * What was read last: the id of an event, or `next`; `now` for what comes next. Without it a list
       * begins with the oldest event that is kept, and a stream with what comes next.
       */
      after?: string | null | undefined;

      /** At most so many. 1 to 500. */
      limit?: number | undefined;

      /** Only events about these. */
      subject?: ChangeEventSubject | null | undefined;

      /** Only events in this project. */
      project_id?: string | null | undefined;

      /** Only events of this memory, todo or decision. */
      memory_id?: string | null | undefined;

      /** The same, as a browser says it; it wins. */
      last_event_id?: string | undefined;
    };
    answer: ChangeEvents;
  };

  /**
   * Replace the key that asks.
   *
   * The new key may do what the old one may, and ends when that would have ended. The old one stays
   * valid for the overlap, so that nothing under way is cut off; with 0 it ends at once. Within the
   * overlap, and until the new key was used, the old one may ask again, for an answer that was lost:
   * then the first answer's key ends, and the deadline stays.
   */
  rotateKey: { input: KeyRotationRequest; answer: KeyRotation };

  /**
   * Write an expense into the ledger.
   *
   * Kept as a memory of the bucket ledger and the type expense, with the amount as an exact decimal of
   * its currency in metadata. Two equal expenses are two; an Idempotency-Key makes a retry safe. It is
   * read, corrected and forgotten as any other memory.
   *
   * Scope: `ledger:write`.
   */
  addExpense: { input: ExpenseRequest; answer: ExpenseAnswer };

  /**
   * List memories, newest first.
   *
   * Scope: `memory:read`.
   */
  listMemories: {
    input: {
      /** 1 to 1000. */
      limit?: number | undefined;

      /** 0 to 1000000000. */
      offset?: number | undefined;

      /** next_cursor of the page before; goes on where it ended. 1 to 256 characters. */
      cursor?: string | null | undefined;

      /** Path or pattern: `%` stands for any text, `_` is a plain character. 1 to 2048 characters. */
      path?: string | undefined;

      /** Value or pattern: `%` stands for any text, `_` is a plain character. 1 to 128 characters. */
      bucket?: string | undefined;

      /** Value or pattern: `%` stands for any text, `_` is a plain character. 1 to 128 characters. */
      memory_type?: string | undefined;

      /**
       * `active` means every live memory; another value exactly that; a pattern never matches soft_deleted.
       * 1 to 128 characters.
       */
      status?: string | undefined;
      scope?: MemoryScope | null | undefined;

      /** That team only; otherwise the caller's own and all its teams. */
      team_id?: string | null | undefined;

      /** The project workspace it belongs to; not . or .. */
      project_id?: string | null | undefined;

      /**
       * Top-level metadata members and the text they must equal, both in NFC. In a query string:
       * metadata.<key>=<value>.
       */
      metadata?: { [key: string]: string } | undefined;
    };
    answer: MemoryList;
  };

  /**
   * Store a memory as given.
   *
   * Scope: `memory:write`.
   */
  storeMemory: { input: MemoryStoreRequest; answer: MemoryStoreAnswer };

  /**
   * Store up to 500 memories, each on its own.
   *
   * Each item is stored or refused on its own; a refused one changes nothing and does not stop the
   * others.
   *
   * Scope: `memory:write`.
   */
  storeBatch: {
    input: Omit<MemoryBatchRequest, "items"> & { items: Array<MemoryRememberRequest> };
    answer: MemoryBatchAnswer;
  };

  /**
   * Forget every memory that matches a filter, in two steps.
   *
   * A dry run answers a count and a plan_hash; the real run must give that hash and refuses if the world
   * has changed.
   *
   * Scope: `memory:write` or `memory:delete` or `memory:redact` or `memory:hard_delete`.
   */
  deleteMatching: { input: MemoryDeleteMatchingRequest; answer: MemoryDeleteMatchingAnswer };

  /**
   * Search memories by meaning and words.
   *
   * Scope: `memory:read`.
   */
  searchMemories: {
    input: {
      /** What to recall: a question, a message or words. 1 to 65536 characters. */
      query: string;

      /** 1 to 100. */
      limit?: number | undefined;

      /** The least score, on a scale that means the same for every query. 0 to 1. */
      threshold?: number | null | undefined;

      /** Path or pattern: `%` stands for any text, `_` is a plain character. 1 to 2048 characters. */
      path?: string | undefined;

      /** Value or pattern: `%` stands for any text, `_` is a plain character. 1 to 128 characters. */
      bucket?: string | undefined;

      /** Value or pattern: `%` stands for any text, `_` is a plain character. 1 to 128 characters. */
      memory_type?: string | undefined;

      /**
       * `active` means every live memory; another value exactly that; a pattern never matches soft_deleted.
       * 1 to 128 characters.
       */
      status?: string | undefined;
      scope?: MemoryScope | null | undefined;

      /** That team only; otherwise the caller's own and all its teams. */
      team_id?: string | null | undefined;

      /** The project workspace it belongs to; not . or .. */
      project_id?: string | null | undefined;

      /**
       * Top-level metadata members and the text they must equal, both in NFC. In a query string:
       * metadata.<key>=<value>.
       */
      metadata?: { [key: string]: string } | undefined;

      /** Adds signals and reasons to each result. */
      explain?: boolean | undefined;
      prefer_working?: boolean | undefined;

      /**
       * own: of working memories only those of the session that X-Session-Id names, and of none; all: the
       * session's own are preferred.
       */
      sessions?: Sessions | undefined;

      /** Of no effect: other sessions hide nothing. See sessions. */
      include_other_sessions?: boolean | undefined;

      /** Candidates of each retriever. 1 to 1000. */
      candidate_count?: number | null | undefined;

      /** As it was then: stored by then, not yet superseded or expired, in the version of then. */
      as_of?: string | null | undefined;

      /** When it is asked; now unless given. */
      asked_at?: string | null | undefined;

      /** Where it is asked; UTC unless given. 1 to 64 characters. */
      time_zone?: string | null | undefined;

      /** lexical or dense alone, without the ranker: to compare with. */
      retrievers?: Retrievers | undefined;
    };
    answer: SearchAnswer;
  };

  /**
   * Search memories, with the members in a body.
   *
   * The same search, for queries too long for an address.
   *
   * Scope: `memory:read`.
   */
  searchMemoriesByBody: { input: SearchRequest; answer: SearchAnswer };

  /**
   * Forget a memory.
   *
   * Scope: `memory:write` or `memory:delete` or `memory:redact` or `memory:hard_delete`.
   */
  deleteMemory: {
    input: {
      memory_id: string;

      /** hard_delete and redact are irreversible. */
      mode?: ForgetMode | undefined;

      /** 1 to 1024 characters. */
      reason?: string | null | undefined;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    };
    answer: MemoryForgetAnswer;
  };

  /**
   * Read one memory.
   *
   * Scope: `memory:read`.
   */
  getMemory: { input: { memory_id: string }; answer: MemoryWithEtag };

  /**
   * Change a memory.
   *
   * null clears a nullable member. metadata and provenance merge at the top level unless told otherwise;
   * null deletes a key.
   *
   * Scope: `memory:write` or `memory:update`.
   */
  updateMemory: {
    input: {
      memory_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    } & MemoryUpdateRequest;
    answer: MemoryUpdateAnswer;
  };

  /**
   * Forget a memory, with what stands in its place.
   *
   * Scope: `memory:write` or `memory:delete` or `memory:redact` or `memory:hard_delete`.
   */
  forgetMemory: {
    input: {
      memory_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    } & MemoryForgetRequest;
    answer: MemoryForgetAnswer;
  };

  /**
   * Bring back a soft-deleted memory.
   *
   * Scope: `memory:write` or `memory:restore`.
   */
  restoreMemory: {
    input: {
      memory_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    };
    answer: MemoryRestoreAnswer;
  };

  /**
   * Read the history of a memory and its supersession chain.
   *
   * Scope: `memory:read`.
   */
  listVersions: { input: { memory_id: string }; answer: MemoryVersions };

  /**
   * Read what matters in a project now, in one pack that fits a budget.
   *
   * Open todos and due reminders, decisions, what happened lately, who works on what, what is known, and
   * what to mind.
   *
   * Scope: `memory:read`.
   */
  projectContext: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
    } & ProjectContextRequest;
    answer: ProjectContextPackResponse;
  };

  /**
   * List a project's decisions, the open ones first.
   *
   * Proposed ones by impact, then resolved ones, the latest first, then superseded ones.
   *
   * Scope: `memory:read`.
   */
  listDecisions: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      status?: ProjectDecisionStatus | null | undefined;
      impact_level?: ProjectImpactLevel | null | undefined;

      /** That team's workspace; otherwise the credential's owner's. */
      team_id?: string | null | undefined;
    };
    answer: ListDecisionsAnswer;
  };

  /**
   * Put a decision up in a project.
   *
   * Scope: `memory:write`.
   */
  createDecision: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
    } & ProjectDecisionCreateRequest;
    answer: ProjectDecisionAnswer;
  };

  /**
   * Delete or redact a decision.
   *
   * What it has superseded stays superseded.
   *
   * Scope: `memory:write` or `memory:delete` or `memory:redact` or `memory:hard_delete`.
   */
  deleteDecision: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      decision_id: string;

      /** hard_delete and redact are irreversible. */
      mode?: ForgetMode | undefined;

      /** 1 to 1024 characters. */
      reason?: string | null | undefined;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    };
    answer: MemoryForgetAnswer;
  };

  /**
   * Read one decision.
   *
   * Scope: `memory:read`.
   */
  getDecision: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      decision_id: string;
    };
    answer: ProjectDecision;
  };

  /**
   * Correct what a decision says.
   *
   * What a resolved or superseded decision says stays: its context, options, impact and due date are
   * invalid_transition to change; its metadata, source and place are not. null clears a nullable member;
   * metadata merges as a todo's does.
   *
   * Scope: `memory:write` or `memory:update`.
   */
  updateDecision: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      decision_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    } & ProjectDecisionUpdateRequest;
    answer: ProjectDecisionAnswer;
  };

  /**
   * Take a resolved decision up again.
   *
   * Scope: `memory:write`.
   */
  reopenDecision: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      decision_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    };
    answer: ProjectDecisionAnswer;
  };

  /**
   * Say what was decided.
   *
   * Scope: `memory:write`.
   */
  resolveDecision: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      decision_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    } & ProjectDecisionResolveRequest;
    answer: ProjectDecisionAnswer;
  };

  /**
   * Bring back a soft-deleted decision.
   *
   * Scope: `memory:write` or `memory:restore`.
   */
  restoreDecision: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      decision_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    };
    answer: ProjectDecisionAnswer;
  };

  /**
   * Put another decision in the place of one.
   *
   * The new one is resolved where a resolution_note is given, else proposed. Answers both, the old one
   * first.
   *
   * Scope: `memory:write`.
   */
  supersedeDecision: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      decision_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    } & ProjectDecisionSupersedeRequest;
    answer: SupersedeDecisionAnswer;
  };

  /**
   * List what maintenance would do in a project, and why.
   *
   * Changes nothing. Its plan_hash lets an execution do exactly what was listed, for any of the actions,
   * or be refused.
   *
   * Scope: `memory:read`.
   */
  reportMaintenance: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;

      /** That team's workspace; otherwise the credential's owner's. */
      team_id?: string | null | undefined;

      /** How many of the workspace's memories are looked at, at most. 1 to 5000. */
      scan_limit?: number | undefined;
    };
    answer: ProjectMaintenanceReport;
  };

  /**
   * Maintain a project.
   *
   * One run, which goes on by itself if this request is cut off. Name exactly one of target_ids,
   * confirm_all_matching and plan_hash.
   *
   * Scope: `memory:write`.
   */
  executeMaintenance: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
    } & ProjectMaintenanceExecuteRequest;
    answer: ProjectMaintenanceExecuteAnswer;
  };

  /**
   * List the maintenance runs of a project, the newest first.
   *
   * Runs are kept for 90 days. A credential that sees only a part of the workspace is shown its own.
   *
   * Scope: `memory:read`.
   */
  listMaintenanceRuns: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;

      /** That team's workspace; otherwise the credential's owner's. */
      team_id?: string | null | undefined;

      /** 1 to 100. */
      limit?: number | undefined;
    };
    answer: ListMaintenanceRunsAnswer;
  };

  /**
   * Take back what a maintenance run archived or merged.
   *
   * Item by item, where it is still as the run left it. A second undo answers the same and changes
   * nothing. `conflict` while the run goes on, and where it did nothing that can be undone:
   * purge_deleted, refresh_embeddings and repair_index cannot.
   *
   * Scope: `memory:write`.
   */
  undoMaintenanceRun: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      run_id: string;
    } & ProjectMaintenanceUndoRequest;
    answer: ProjectMaintenanceUndoAnswer;
  };

  /**
   * Read how a project is maintained.
   *
   * A workspace that nobody has set anything for answers the defaults, under which nothing runs by
   * itself.
   *
   * Scope: `memory:read`.
   */
  getMaintenanceSettings: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;

      /** That team's workspace; otherwise the credential's owner's. */
      team_id?: string | null | undefined;
    };
    answer: ProjectMaintenanceSettings;
  };

  /**
   * Say how a project is maintained, and what happens by itself.
   *
   * Automatic runs act with the authority of this credential, checked anew at each run. A body without a
   * setting changes nothing.
   *
   * Scope: `memory:write`.
   */
  updateMaintenanceSettings: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
    } & ProjectMaintenanceSettingsPatchRequest;
    answer: ProjectMaintenanceSettings;
  };

  /**
   * List a project's todos, the most urgent first.
   *
   * Unfinished ones by urgency, then finished ones, the latest first.
   *
   * Scope: `memory:read`.
   */
  listTodos: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      status?: ProjectTodoStatus | null | undefined;
      priority?: ProjectTodoPriority | null | undefined;

      /** 1 to 256 characters. */
      assignee_agent_id?: string | null | undefined;

      /** That team's workspace; otherwise the credential's owner's. */
      team_id?: string | null | undefined;
    };
    answer: ListTodosAnswer;
  };

  /**
   * Add a todo to a project.
   *
   * Scope: `memory:write`.
   */
  createTodo: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
    } & ProjectTodoCreateRequest;
    answer: ProjectTodoAnswer;
  };

  /**
   * Delete or redact a todo.
   *
   * For todos that depend on it it counts as cancelled.
   *
   * Scope: `memory:write` or `memory:delete` or `memory:redact` or `memory:hard_delete`.
   */
  deleteTodo: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /** hard_delete and redact are irreversible. */
      mode?: ForgetMode | undefined;

      /** 1 to 1024 characters. */
      reason?: string | null | undefined;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    };
    answer: MemoryForgetAnswer;
  };

  /**
   * Read one todo.
   *
   * Scope: `memory:read`.
   */
  getTodo: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      todo_id: string;
    };
    answer: ProjectTodo;
  };

  /**
   * Correct what a todo says.
   *
   * Its state is changed by its operations alone. null clears a nullable member; metadata merges at the
   * top level unless told otherwise, null deletes a key; depends_on replaces the dependencies that this
   * credential sees.
   *
   * Scope: `memory:write` or `memory:update`.
   */
  updateTodo: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    } & ProjectTodoUpdateRequest;
    answer: ProjectTodoAnswer;
  };

  /**
   * Take a todo on.
   *
   * Of several at once one gets it. Accepting again what one has changes nothing.
   *
   * Scope: `memory:write`.
   */
  acceptTodo: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    };
    answer: ProjectTodoAnswer;
  };

  /**
   * Give a todo to an agent, who alone may then accept it.
   *
   * Scope: `memory:write`.
   */
  assignTodo: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    } & ProjectTodoAssignRequest;
    answer: ProjectTodoAnswer;
  };

  /**
   * Say that a todo cannot go on, and why.
   *
   * Scope: `memory:write`.
   */
  blockTodo: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    } & ProjectTodoBlockRequest;
    answer: ProjectTodoAnswer;
  };

  /**
   * Say that a todo will not be done.
   *
   * Scope: `memory:write`.
   */
  cancelTodo: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    } & ProjectTodoCancelRequest;
    answer: ProjectTodoAnswer;
  };

  /**
   * Say that a todo is done.
   *
   * Refused while a todo that it depends on is unfinished; a cancelled one counts as finished.
   *
   * Scope: `memory:write`.
   */
  completeTodo: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    } & ProjectTodoCompleteRequest;
    answer: ProjectTodoAnswer;
  };

  /**
   * Bring back a soft-deleted todo.
   *
   * Scope: `memory:write` or `memory:restore`.
   */
  restoreTodo: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    };
    answer: ProjectTodoAnswer;
  };

  /**
   * Let a blocked todo go on as it was before.
   *
   * It comes back as assigned where it was given to an agent while it was blocked.
   *
   * Scope: `memory:write`.
   */
  unblockTodo: {
    input: {
      /** The project workspace it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The ETag last read, or several; 412 where the memory is in none of these states by now. 1 to 4096
       * characters.
       */
      if_match?: string | undefined;
    };
    answer: ProjectTodoAnswer;
  };

  /**
   * Recall a pack of memories that fits a budget, ready to be given to a model.
   *
   * Scope: `memory:read`.
   */
  recallContext: { input: RecallContextRequest; answer: ContextAnswer };

  /**
   * Say whether a recalled memory helped.
   *
   * Moves the memory's confidence a tenth of the way to 1 or to 0.
   *
   * Scope: `memory:write` or `memory:update`.
   */
  recallFeedback: { input: RecallFeedbackRequest; answer: RecallFeedbackAnswer };

  /**
   * Explain why a search finds a memory, or why not.
   *
   * Scope: `memory:read`.
   */
  recallWhy: { input: RecallWhyRequest; answer: RecallWhyAnswer };

  /**
   * Read the receipt of a permanent removal.
   *
   * Scope: `memory:read` or `memory:write` or `memory:redact` or `memory:hard_delete`.
   */
  getReceipt: { input: { receipt_id: string }; answer: Receipt };

  /**
   * Remember something, once.
   *
   * Stores a memory unless an equal live one is there (then its id is answered), and replaces the older
   * fact of the same semantic key.
   *
   * Scope: `memory:write`.
   */
  remember: { input: MemoryRememberRequest; answer: MemoryRememberAnswer };

  /**
   * Complete a reminder.
   *
   * A recurring one (metadata.recurrence) is due again at its next occurrence. Completing again before
   * another occurrence has come changes nothing and answers the same.
   *
   * Scope: `memory:write` or `memory:update`.
   */
  completeReminder: {
    input: { reminder_id: string } & ReminderCompleteRequest;
    answer: ReminderCompleteAnswer;
  };

  /**
   * What the skill runtime does, and which of it this token may call.
   *
   * Each operation with the JSON Schema of its input, its scope and an example.
   */
  listSkillOperations: { input: Record<never, never>; answer: SkillCatalogue };

  /**
   * Issue a skill token, never wider than the token that asks.
   *
   * It shares this agent's rate limits and ends with the agent, with its own expiry, or with that of the
   * token that asks.
   */
  issueSkillToken: { input: SkillTokenRequest; answer: SkillToken };

  /**
   * List webhooks, and how they do.
   *
   * Those of the owner; of a confined credential those that it set itself.
   *
   * Scope: `memory:read`.
   */
  listWebhooks: { input: Record<never, never>; answer: WebhookList };

  /**
   * Have events delivered to an address.
   *
   * Events from now on are POSTed there, signed, each at least once and in order for each memory, with
   * the authority of this credential, judged anew for each. An owner has at most 20.
   *
   * Scope: `memory:write`.
   */
  createWebhook: { input: WebhookRequest; answer: NewWebhook };

  /**
   * Remove a webhook, with all that waits for it.
   *
   * Scope: `memory:write`.
   */
  deleteWebhook: {
    input: {
      /** The webhook. */
      webhook_id: string;
    };
    answer: RemovedWebhook;
  };

  /**
   * Read a webhook, and how it does.
   *
   * Scope: `memory:read`.
   */
  getWebhook: {
    input: {
      /** The webhook. */
      webhook_id: string;
    };
    answer: Webhook;
  };

  /**
   * Change a webhook.
   *
   * It acts with the authority of this credential from now on. A failing one is tried at once; one that
   * is enabled again goes on where it stopped.
   *
   * Scope: `memory:write`.
   */
  updateWebhook: {
    input: {
      /** The webhook. */
      webhook_id: string;
    } & WebhookPatchRequest;
    answer: Webhook;
  };

  /**
   * List the events that a webhook has given up.
   *
   * Those that this credential may know of, for 30 days.
   *
   * Scope: `memory:read`.
   */
  listDeadLetters: {
    input: {
      /** The webhook. */
      webhook_id: string;

      /** At most so many, the oldest. 1 to 500. */
      limit?: number | undefined;
    };
    answer: DeadLetterList;
  };

  /**
   * Deliver again what a webhook has given up.
   *
   * They come after what was delivered meanwhile: `revision` tells which change is the newer.
   *
   * Scope: `memory:write`.
   */
  redeliverDeadLetters: {
    input: {
      /** The webhook. */
      webhook_id: string;
    } & RedeliverRequest;
    answer: Redelivered;
  };

  /**
   * Give a webhook a new secret.
   *
   * For 24 hours deliveries carry a signature by each of the two.
   *
   * Scope: `memory:write`.
   */
  rotateWebhookSecret: {
    input: {
      /** The webhook. */
      webhook_id: string;
    };
    answer: RotatedWebhookSecret;
  };

  /**
   * Send a webhook an event of nothing, and say what its receiver answered.
   *
   * One attempt, signed as deliveries are, of the type webhook.test. It is made in every state of the
   * webhook and changes none, and waits for the receiver as long as a delivery does. A webhook is tested
   * every five seconds at most.
   *
   * Scope: `memory:write`.
   */
  testWebhook: {
    input: {
      /** The webhook. */
      webhook_id: string;
    };
    answer: TestedWebhook;
  };
}
