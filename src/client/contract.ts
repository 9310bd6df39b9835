// Made from the contract by `npm run client:types`. Do not edit.

/** As `recollect export` writes it and `recollect import` reads it */
export type ExportLine = { [key: string]: unknown };

/** The answer to an agent that has not been bound yet */
export interface TemporaryAgentsContext {
  version: "1.0";
  query: string;
  budget: ContextBudget;
  items: Array<ContextItem>;
  context_text: string;
}

/** The token of this request */
export interface SkillCredential {
  kind: TokenKind;
  scopes: Array<Scope>;
}

export interface AgentBindConfirmRequest {
  /**
   * The token that the user was shown after approving; valid for 10 minutes and 5 attempts. 1 to 256
   * characters.
   */
  confirmation_token?: string | undefined;
}

export interface AgentBindConfirmation {
  agent_id: string;
  status: "bound";
  trust_level: 2;

  /** The formal token; shown only this once. */
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

  /** Part of the user's name, enough to recognise it; null until somebody approves the agent. */
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
  /** How the agent connects. 1 to 64 characters. */
  entry_type: string;

  /** A name that the agent's user will recognise. 1 to 128 characters. */
  client_name: string;

  /** Tells installations apart. It is not a secret and proves nothing. 1 to 512 characters. */
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

  /** The code that the user enters, within 24 hours. */
  claim_code: string;

  /** The page where the user approves the agent. */
  bind_url: string;
  status: "pending";
  connection_method: "streamable_http";
  trust_level: 0;

  /** Keep it in the client's credential store only. It reads and writes the agent's own quarantine. */
  temporary_token: string | null;
}

export interface AgentStatus {
  agent_id: string;
  status: AgentBindingStatus;

  /** 0: temporary, 2: bound. */
  trust_level: number;
  token_kind: TokenKind;
  scopes: Array<GrantableScope>;

  /** Part of the user's name, enough to recognise it; null until somebody approves the agent. */
  owner_hint: string | null;

  /** Present while the agent can still be approved. */
  bind_url?: string | undefined;
  expires_at: string | null;
}

export interface AgentTokenRotation {
  agent_id: string;

  /** The new formal token; shown only this once. */
  token: string;
  previous_token_valid_until: string;
}

export interface ChangeEvent {
  /** The same in every delivery of this event. */
  id: string;

  /** The subject and what happened to it, such as memory.created, todo.completed or alert.raised. */
  type: string;
  timestamp: string;
  data: ChangeEventData;
}

export interface ChangeEventData {
  subject: ChangeEventSubject;

  /**
   * Of the memory, todo or decision; of an alert its measure, such as recall_p95, and for a silent agent
   * a colon and its id.
   */
  id: string;
  project_id: string | null;
  team_id: string | null;

  /** Rises with every change to the same memory, todo or decision. */
  revision: number;

  /** The end user in whose space it happened, if any. */
  user_id?: string | undefined;
}

export interface ChangeEvents {
  /** Oldest first. */
  events: Array<ChangeEvent>;

  /** Send this as `after` in your next request. */
  next: string;

  /** Whether more events may already be waiting. */
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
  /** The memories on every side, newest first. */
  ids: Array<string>;
  reason: MemoryConflictReason;

  /** Whether one author, through one agent, wrote all of them. */
  same_author: boolean;
}

export interface ContextItem {
  id: string;

  /** The memory as context_text shows it: an excerpt if truncated. All of it with full. */
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

  /** One of the application's own memories, which an end user only reads. */
  shared?: true | undefined;

  /** With form compact: the id that context_text uses for it, valid in this answer only. */
  ref?: string | undefined;
  tokens: number;

  /** context_text shows an excerpt; GET /v1/memories/{memory_id} has all of it. */
  truncated: boolean;

  /**
   * To keep the answer below about 1 MiB, content is what context_text shows, and metadata and
   * provenance are left out.
   */
  reduced?: true | undefined;

  /** The name of the team that it belongs to, for a user's credential; null for the user's own. */
  team_name: string | null;

  /**
   * The team member who set its importance, authority and review dates; null if it was the caller. Set
   * by others, they count for less.
   */
  claimed_by: string | null;

  /**
   * The part of the memory that matches best, in UTF-16 code units of its whole content. null if the
   * memory is a single passage, or if the answer is as of a past instant.
   */
  passage: Passage | null;

  /** 0 to 1. */
  score: number;
}

export interface ConversationAnswer {
  session_id: string;

  /** The number of messages that are now memories. */
  kept: number;

  /** The number of messages that were memories before. */
  joined: number;
  left_out: number;

  /** In the order of the messages. */
  results: Array<KeptMessage | OmittedMessage>;
}

export interface ConversationRequest {
  /** A label of your choice. Default: `"public"`. 1 to 128 characters. */
  bucket?: string | undefined;
  project_id?: string | null | undefined;
  scope?: MemoryScope | null | undefined;
  team_id?: string | null | undefined;

  /**
   * The conversation. Use the same name each time: messages sent again are recognised by it. 1 to 256
   * characters.
   */
  session_id: string;

  /**
   * In order: messages of OpenAI's or Anthropic's API, of the AI SDK, or {speaker, text, at}. At most
   * 500.
   */
  messages: Array<{ [key: string]: unknown }>;

  /**
   * The memory's place, such as notes/deploys; no segment may be . or ... Default: `"conversations"`. 1
   * to 512 characters.
   */
  path?: string | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
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
  /** False when something is broken; warnings alone leave it true. */
  ok: boolean;
  summary: string;
  checked_at: string;
  findings: Array<DoctorFinding>;
}

export interface DoctorFinding {
  check: DoctorCheck;
  status: DoctorStatus;

  /** What was found, in words. */
  found: string;

  /** What to do about it; null when nothing needs doing. */
  advice: string | null;
}

export interface EndUser {
  user_id: string;

  /** Its memories, without todos, decisions and deleted ones. */
  memories: number;
  first_seen: string;

  /** When a request last named it, accurate to the minute. */
  last_active: string;
}

export interface EndUserExport {
  lines: Array<ExportLine>;
  next_cursor: string | null;
}

export interface EndUserList {
  users: Array<EndUser>;
  next_cursor: string | null;
}

export interface EndUserToken {
  id: string;

  /** Shown only this once. */
  token: string;
  user_id: string;
  scopes: Array<Scope>;
  projects: Array<string> | null;
  path_prefix: string | null;
  buckets: Array<string> | null;
  expires_at: string;
}

export interface EndUserTokenRequest {
  /** A name to recognise it by. 1 to 128 characters. */
  name?: string | null | undefined;

  /** Default: the scopes of the requesting key that make sense for one end user. At most 32. */
  scopes?: Array<EndUserScopeName> | null | undefined;

  /** At most 100. */
  projects?: Array<string> | null | undefined;

  /** 1 to 512 characters. */
  path_prefix?: string | null | undefined;

  /** At most 100. */
  buckets?: Array<string> | null | undefined;

  /**
   * An hour by default, 90 days at most, never longer than the requesting key. Default: `3600`. 60 to
   * 7776000.
   */
  expires_in_seconds?: number | undefined;
}

export interface Erasure {
  /**
   * The id of the receipt. It can be read without a credential for as long as the service keeps its
   * database. Every dry run returns the same id, and it cannot be guessed.
   */
  id: string;
  kind: ErasedKind;

  /** The former owner's id; it no longer refers to anything. */
  owner_id: string;

  /**
   * running: removal is under way. pending: only an index still has something to remove. confirmed:
   * every store has removed everything.
   */
  state: ErasureState;

  /** Rows removed so far, by table. */
  removed: { [key: string]: number };

  /** Lines of the audit log that remain; they hold neither content nor a name. */
  audit_lines: number;
  started_at: string;
  finished_at: string | null;
}

export interface ErasurePlan {
  dry_run: boolean;

  /**
   * The id of the receipt. It can be read without a credential for as long as the service keeps its
   * database. Every dry run returns the same id, and it cannot be guessed.
   */
  erasure_id: string;
  kind: ErasedKind;
  owner_id: string;

  /** In a dry run: the name to repeat in confirm. */
  name?: string | undefined;

  /** In a dry run: rows that would be removed now, by table. */
  would_remove?: { [key: string]: number } | undefined;

  /** In a dry run: the hash to send back. It stays valid until something significant is added or removed. */
  plan_hash?: string | undefined;

  /** Present once the erasure has begun. */
  receipt?: Erasure | undefined;

  /** Whether the erasure had already begun before this request. */
  is_repeat: boolean;
}

export interface ErasureRequest {
  /** The team to erase. Default: the user whose key this is. */
  team_id?: string | null | undefined;

  /** Only count and return the plan; nothing changes. Default: `true`. */
  dry_run?: boolean | undefined;

  /** The name of the user or team, as the dry run returned it. Required to erase. 1 to 128 characters. */
  confirm?: string | null | undefined;

  /** The plan_hash of the dry run. Required to erase. 1 to 128 characters. */
  plan_hash?: string | null | undefined;
}

export interface EvalSet {
  /** The name of the set. 1 to 60 characters. */
  name: string;
  questions: Array<EvalSetQuestions>;
}

export interface EvalSetQuestions {
  id: string;

  /** The query and its filters, as a search takes them. */
  asked: { [key: string]: unknown };
  relevant: Array<string>;
  stale: Array<string>;
}

export interface ExpenseAnswer {
  /** The id of the memory that holds it. */
  id: string;
  status: "recorded";

  /** As stored, with the number of decimals of its currency. */
  amount: string;
  currency: string;
  date: string;

  /** Whose embedding is used for search: yours or the service's. */
  embedding?: EmbeddingSource | undefined;
  reason?: string | undefined;

  /** The secrets that were replaced with `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ExpenseRequest {
  /** What the money was spent on. 1 to 1024 characters. */
  item: string;

  /**
   * Stored exactly. A string is taken as written, a number as JSON reads it, with at most 15 digits.
   * Negative for a refund.
   */
  amount: string | number;

  /** An ISO 4217 currency code. Default: `"USD"`. */
  currency?: string | undefined;
  date?: string | null | undefined;

  /** 1 to 64 characters. */
  category?: string | null | undefined;

  /** Default: ledger/expenses. 1 to 512 characters. */
  path?: string | null | undefined;

  /** The agent or speaker that produced it; recorded for attribution only. 1 to 256 characters. */
  source?: string | null | undefined;
  scope?: MemoryScope | null | undefined;
  team_id?: string | null | undefined;
  project_id?: string | null | undefined;
  provenance?: { [key: string]: unknown } | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface KeptMessage {
  index: number;
  outcome: KeptMessageOutcome;
  id: string;
}

export interface KeyRotation {
  id: string;

  /** The new key; shown only this once. */
  token: string;

  /** The same as that of the old key. */
  expires_at: string | null;
  previous_id: string;
  previous_token_valid_until: string;
}

export interface KeyRotationRequest {
  /** How long the old key stays valid, counted from its first rotation. Default: `86400`. 0 to 2592000. */
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

  /** One of the application's own memories, which an end user only reads. */
  shared?: true | undefined;
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
  /** Each item is a MemoryStoreRequest or, with `dedupe`, a MemoryRememberRequest. At most 500. */
  items: Array<unknown>;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
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

  /** The secrets that were replaced with `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface MemoryDeleteMatchingRequest {
  filter: MemoryDeleteMatchingRequestFilter;

  /** hard_delete and redact cannot be undone. Default: `"soft_delete"`. */
  mode?: ForgetMode | undefined;

  /** 1 to 1024 characters. */
  reason?: string | null | undefined;

  /** Default: `true`. */
  dry_run?: boolean | undefined;

  /** 1 to 128 characters. */
  plan_hash?: string | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface MemoryDeleteMatchingRequestFilter {
  /** Path or pattern: `%` matches any text, `_` only itself. 1 to 2048 characters. */
  path?: string | undefined;

  /** Only memories at this path or below it, by whole segments: no `%`. 1 to 512 characters. */
  path_under?: string | null | undefined;

  /** Value or pattern: `%` matches any text, `_` only itself. 1 to 128 characters. */
  bucket?: string | undefined;

  /** Value or pattern: `%` matches any text, `_` only itself. 1 to 128 characters. */
  memory_type?: string | undefined;

  /**
   * `active` matches every live memory; any other status matches exactly that. Patterns never match
   * soft_deleted. 1 to 128 characters.
   */
  status?: string | undefined;
  scope?: MemoryScope | null | undefined;

  /** Only this team's memories. Default: the caller's own and those of all its teams. */
  team_id?: string | null | undefined;
  project_id?: string | null | undefined;

  /** Only memories that this agent produced (provenance.agent_id). 1 to 256 characters. */
  agent_id?: string | null | undefined;

  /** Only memories with this source. 1 to 256 characters. */
  source?: string | null | undefined;
  metadata?: { [key: string]: string | number | boolean | null } | null | undefined;
  created_before?: string | undefined;
}

export interface MemoryForgetAnswer {
  id: string;
  mode: ForgetMode;
  status: MemoryForgetAnswerStatus;
  reversible: boolean;
  receipt?: Receipt | undefined;
  reason?: string | undefined;

  /** The secrets that were replaced with `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface MemoryForgetRequest {
  /** hard_delete and redact cannot be undone. Default: `"soft_delete"`. */
  mode?: ForgetMode | undefined;

  /** 1 to 1024 characters. */
  reason?: string | null | undefined;

  /** Replaces the redacted content; ignored in the other modes. 1 to 65536 characters. */
  replacement_content?: string | null | undefined;

  /**
   * soft_delete: merged into the memory's metadata. redact: the metadata that remains. hard_delete:
   * ignored.
   */
  metadata?: { [key: string]: unknown } | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface MemoryList {
  memories: Array<Memory>;

  /** The number of memories that match the filters and that the credential may see. */
  total: number;
  next_cursor: string | null;
}

export interface MemoryRememberAnswer {
  id: string;
  status: "remembered";
  deduplicated: boolean;

  /** The memories that this one supersedes. */
  superseded: Array<string>;

  /** Whose embedding is used for search: yours or the service's. */
  embedding?: EmbeddingSource | undefined;

  /**
   * Set if the content adds nothing new. echo: recall had just shown it. empty: it has no words.
   * trivial: it says nothing by itself. repetition: a live memory says the same. `reason` says what was
   * done with it.
   */
  junk?: JunkKind | undefined;
  reason?: string | undefined;

  /** The secrets that were replaced with `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface MemoryRememberRequest {
  /** The agent or speaker that produced it; recorded for attribution only. 1 to 256 characters. */
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

  /** Names a fact: a newer memory with the same key supersedes it. 1 to 256 characters. */
  semantic_key?: string | null | undefined;
  superseded_by?: string | null | undefined;
  expires_at?: string | null | undefined;
  scope?: MemoryScope | null | undefined;
  team_id?: string | null | undefined;

  /** The text of the memory, stored as given. 1 to 65536 characters. */
  content: string;

  /** The memory's place, such as notes/deploys; no segment may be . or .. 1 to 512 characters. */
  path: string;
  metadata?: { [key: string]: unknown } | null | undefined;

  /** A label of your choice. Default: `"public"`. 1 to 128 characters. */
  bucket?: string | undefined;

  /** An id of your choice, unique per owner. */
  memory_id?: string | null | undefined;

  /** 1 to 1000000000. */
  version?: number | null | undefined;

  /** Default: active. */
  status?: MemorySettableStatus | null | undefined;
  project_id?: string | null | undefined;
  provenance?: { [key: string]: unknown } | null | undefined;

  /**
   * semantic, episodic, procedural, working, decision, reminder, knowledge or a word of your own.
   * Default: `"semantic"`. 1 to 64 characters.
   */
  memory_type?: string | undefined;

  /** Default: `0.5`. 0 to 1. */
  importance?: number | undefined;

  /** Default: `1`. 0 to 1. */
  confidence?: number | undefined;

  /** If an equal live memory exists, return it instead of storing another. Default: `true`. */
  dedupe?: boolean | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface MemoryRestoreAnswer {
  id: string;
  status: MemoryStatus;
}

export interface MemoryStoreAnswer {
  id: string;
  status: "stored";
  version: number;

  /** Whose embedding is used for search: yours or the service's. */
  embedding?: EmbeddingSource | undefined;

  /**
   * Set if the content adds nothing new. echo: recall had just shown it. empty: it has no words.
   * trivial: it says nothing by itself. repetition: a live memory says the same. `reason` says what was
   * done with it.
   */
  junk?: JunkKind | undefined;
  reason?: string | undefined;

  /** The secrets that were replaced with `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
  superseded: Array<string>;
}

export interface MemoryStoreRequest {
  /** The agent or speaker that produced it; recorded for attribution only. 1 to 256 characters. */
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

  /** Names a fact: a newer memory with the same key supersedes it. 1 to 256 characters. */
  semantic_key?: string | null | undefined;
  superseded_by?: string | null | undefined;
  expires_at?: string | null | undefined;
  scope?: MemoryScope | null | undefined;
  team_id?: string | null | undefined;

  /** The text of the memory, stored as given. 1 to 65536 characters. */
  content: string;

  /** The memory's place, such as notes/deploys; no segment may be . or .. 1 to 512 characters. */
  path: string;
  metadata?: { [key: string]: unknown } | null | undefined;

  /** A label of your choice. Default: `"public"`. 1 to 128 characters. */
  bucket?: string | undefined;

  /** An id of your choice, unique per owner. */
  memory_id?: string | null | undefined;

  /** 1 to 1000000000. */
  version?: number | null | undefined;

  /** Default: active. */
  status?: MemorySettableStatus | null | undefined;
  project_id?: string | null | undefined;
  provenance?: { [key: string]: unknown } | null | undefined;

  /**
   * semantic, episodic, procedural, working, decision, reminder, knowledge or a word of your own.
   * Default: `"semantic"`. 1 to 64 characters.
   */
  memory_type?: string | undefined;

  /** Default: `0.5`. 0 to 1. */
  importance?: number | undefined;

  /** Default: `1`. 0 to 1. */
  confidence?: number | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface MemoryUpdateRequest {
  /** The agent or speaker that produced it; recorded for attribution only. 1 to 256 characters. */
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

  /** Names a fact: a newer memory with the same key supersedes it. 1 to 256 characters. */
  semantic_key?: string | null | undefined;
  superseded_by?: string | null | undefined;
  expires_at?: string | null | undefined;
  scope?: MemoryScope | null | undefined;
  team_id?: string | null | undefined;

  /** The text of the memory, stored as given. 1 to 65536 characters. */
  content?: string | undefined;

  /** The memory's place, such as notes/deploys; no segment may be . or .. 1 to 512 characters. */
  path?: string | undefined;
  metadata?: { [key: string]: unknown } | null | undefined;

  /** A label of your choice. 1 to 128 characters. */
  bucket?: string | undefined;

  /**
   * semantic, episodic, procedural, working, decision, reminder, knowledge or a word of your own. 1 to
   * 64 characters.
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

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
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

  /** One of the application's own memories, which an end user only reads. */
  shared?: true | undefined;
  valid_from: string;
  valid_to: string | null;
  reason: string | null;
}

export interface MemoryVersions {
  id: string;
  versions: Array<MemoryVersion>;
  chain: Array<MemoryVersionsChain>;
  next_cursor: string | null;
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

  /** One of the application's own memories, which an end user only reads. */
  shared?: true | undefined;
  etag: string;

  /** Where content begins, if that is not 0. */
  content_offset?: number | undefined;
}

export interface NewWebhook {
  id: string;
  url: string;
  description: string | null;
  subjects: Array<ChangeEventSubject> | null;
  project_id: string | null;
  end_users: boolean;
  enabled: boolean;

  /**
   * failing: the last attempts failed, and more will follow. suspended: the credential that it acts for
   * has ended or may no longer read.
   */
  state: WebhookState;

  /** Events waiting to be delivered. */
  waiting: number;

  /** Events that were given up on. */
  dead_letters: number;

  /**
   * Why the last attempt failed, such as status_500, timeout, unreachable, or no_public_address, which
   * does not say whether the name exists.
   */
  last_error: string | null;
  last_delivered_at: string | null;

  /** When events were last removed from the log before they could be delivered. */
  missed_at: string | null;
  created_at: string;
  updated_at: string;

  /**
   * The secret that deliveries are signed with, following the Standard Webhooks specification. Shown
   * only once.
   */
  secret: string;
}

export interface OmittedItem {
  id: string;

  /** Tokens it would take in full. */
  tokens: number;

  /** token_budget, item_limit, or repetition if another memory already says all of it. */
  reason: string;

  /** For a repetition: the memory that already says all of it. */
  repeats?: string | undefined;
}

export interface OmittedMessage {
  index: number;
  outcome: "left_out";

  /**
   * instructions, tool, thinking, injected (by a program), empty, trivial, echo (recall has just shown
   * it), invalid (no message), or the code of the error that refused it.
   */
  reason: string;
  detail: string;
}

export interface OwnersContext {
  version: "value-density-v2";
  query: string;
  budget: ContextBudget;
  items: Array<ContextItem>;
  context_text: string;
  retrieval_plan: RetrievalPlan;
  answer_status: OwnersContextAnswerStatus;

  /**
   * Memories found that contradict each other on the question; those by one author first, then the
   * newest.
   */
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

export interface Profile {
  project_id: string | null;

  /** The team whose profile it is; null for the owner's own. */
  team_id: string | null;
  assembled_at: string;
  budget: ContextBudget;

  /** In the order of the text. None is superseded. */
  items: Array<ProfileItem>;

  /** Memories of the profile that contradict each other, the newest first. */
  conflicts: Array<ContextConflict>;

  /** The profile for a model, in the compact form of a context: one line for each item. */
  context_text: string;
}

export interface ProfileItem {
  id: string;

  /** The memory as context_text shows it: an excerpt if truncated. */
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

  /** One of the application's own memories, which an end user only reads. */
  shared?: true | undefined;

  /** With form compact: the id that context_text uses for it, valid in this answer only. */
  ref?: string | undefined;
  tokens: number;

  /** context_text shows an excerpt; GET /v1/memories/{memory_id} has all of it. */
  truncated: boolean;

  /**
   * To keep the answer below about 1 MiB, content is what context_text shows, and metadata and
   * provenance are left out.
   */
  reduced?: true | undefined;

  /** The name of the team that it belongs to, for a user's credential; null for the user's own. */
  team_name: string | null;

  /**
   * The team member who set its importance, authority and review dates; null if it was the caller. Set
   * by others, they count for less.
   */
  claimed_by: string | null;

  /**
   * instructions: directives, verified memories, preferences and procedures, by authority; facts: the
   * current value of each semantic key; working: notes on work in progress; todos: open todos and due
   * reminders; recent: the newest other memories.
   */
  section: ProfileItemSection;
  due_at: string | null;
}

export interface ProjectActionItem {
  kind: ProjectActionItemKind;
  id: string;

  /** Tokens it takes in context_text, including its header line. */
  tokens: number;

  /** The stored text, or an excerpt if truncated; null if another section shows it. */
  text: string | null;
  truncated: boolean;

  /** The section that shows the text, if this one does not. */
  shown_in: ProjectContextDomain | null;
  authority: Authority;

  /** Whether the author's credential vouches for the agent, or the request merely claimed it. */
  author_trust: ActorTrust;
  boundary: AgentBoundary;
  path: string;

  /**
   * To keep the answer below about 1 MiB, path is truncated, and source, semantic_key and depends_on are
   * left out.
   */
  reduced?: true | undefined;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  project_id: string | null;
  source: string | null;

  /** One of the application's own memories, which an end user only reads. */
  shared?: true | undefined;
  created_at: string;
  updated_at: string;
  review_after: string | null;

  /** When it was last verified, according to a person's credential. */
  last_verified_at: string | null;

  /** When an author who cannot verify it claims to have checked it; has no effect. */
  claimed_checked_at: string | null;

  /** review_after has passed and it has not been verified since. */
  review_due: boolean;
  status: ProjectActionItemStatus;

  /** null for a reminder. */
  priority: ProjectTodoPriority | null;

  /** The section is ordered by this, with items by unverified authors last; see docs/project-rules.md. */
  urgency: number;
  due_at: string | null;
  overdue: boolean;

  /** A recurring reminder's RRULE (RFC 5545). */
  recurrence: string | null;
  assignee_agent_id: string | null;
  accepted_by_agent_id: string | null;

  /** The todos it depends on, finished or not, that the credential may see. */
  depends_on: Array<string>;

  /** The number of unfinished todos that depend on it. */
  waiting: number;
  source_memory_id: string | null;
  source_memory_status: ProjectSourceStatus | null;
}

export interface ProjectAgentState {
  /** Tokens it takes in context_text, including its header line. */
  tokens: number;
  agent_id: string;
  relation: ProjectAgentStateRelation;

  /** Whether a credential vouches for its last activity. */
  trust: ActorTrust;

  /** null if it only has todos. */
  last_activity_at: string | null;

  /** Unfinished todos that it has accepted or, if nobody has, that are assigned to it. */
  open_todos: number;

  /** The blocked ones among them. */
  blocked_todos: number;

  /** With sessions=own, the memory's text is shown only to the session that wrote it. */
  last_task: ProjectAgentStateLastTask | null;
}

export interface ProjectAgentStateLastTask {
  /** The working memory that records it. */
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
  /** Tokens it takes in context_text, including its header line. */
  tokens: number;
  kind: ProjectCaveatKind;

  /** The warning, in the service's own words. */
  statement: string;

  /** The number of items concerned. */
  count: number;

  /** The first of these items, at most 10. */
  ids: Array<string>;
}

export interface ProjectContextDecision {
  id: string;

  /** Tokens it takes in context_text, including its header line. */
  tokens: number;

  /** The stored text, or an excerpt if truncated; null if another section shows it. */
  text: string | null;
  truncated: boolean;

  /** The section that shows the text, if this one does not. */
  shown_in: ProjectContextDomain | null;
  authority: Authority;

  /** Whether the author's credential vouches for the agent, or the request merely claimed it. */
  author_trust: ActorTrust;
  boundary: AgentBoundary;
  path: string;

  /**
   * To keep the answer below about 1 MiB, path is truncated, and source, semantic_key and depends_on are
   * left out.
   */
  reduced?: true | undefined;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  project_id: string | null;
  source: string | null;

  /** One of the application's own memories, which an end user only reads. */
  shared?: true | undefined;
  created_at: string;
  updated_at: string;
  review_after: string | null;

  /** When it was last verified, according to a person's credential. */
  last_verified_at: string | null;

  /** When an author who cannot verify it claims to have checked it; has no effect. */
  claimed_checked_at: string | null;

  /** review_after has passed and it has not been verified since. */
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
   * used_items counts the entries of all eight sections; used_tokens is the exact number of tokens in
   * context_text.
   */
  budget: ContextBudget;
  project_state: ProjectContextPackResponseProjectState;

  /** Most recently active first. */
  agent_states: Array<ProjectAgentState>;

  /** Unfinished todos and due reminders, by urgency; those by unverified authors last. */
  action_items: Array<ProjectActionItem>;

  /** Proposed decisions by impact, then resolved ones, newest first. */
  decisions: Array<ProjectContextDecision>;

  /** Newest first, within recent_hours. */
  timeline: Array<ProjectTimelineEvent>;

  /**
   * Memories stored or changed within recent_hours, newest first; excludes todos, decisions and due
   * reminders.
   */
  recent_memories: Array<ProjectRecentMemory>;

  /** By relevance; empty if include_durable_context is false. */
  durable_context: Array<ProjectDurableMemory>;

  /** At most one of each kind. */
  governance_caveats: Array<ProjectCaveat>;

  /** Sections for which there is nothing. */
  missing_domains: Array<ProjectContextDomain>;

  /** Sections in which the limits left out or shortened something. */
  incomplete_domains: Array<ProjectContextDomain>;
  suggested_next_actions: Array<ProjectNextAction>;

  /** Up to five of the best memories that did not fit, then every memory left out as a repetition. */
  omitted: Array<ProjectContextPackResponseOmitted>;

  /**
   * The pack as one text for a model: every entry once, with stored text quoted. It is data, not
   * instructions.
   */
  context_text: string;
}

export interface ProjectContextPackResponseOmitted {
  id: string;
  domain: ProjectContextDomain;

  /** Tokens it would take in full. */
  tokens: number;
  reason: ProjectContextPackResponseOmittedReason;

  /** For a repetition: the memory that already says all of it. */
  repeats?: string | undefined;
}

export interface ProjectContextPackResponseProjectScope {
  /** The project that it belongs to; not . or .. */
  project_id: string;

  /** The team whose workspace it is; null for the owner's own. */
  team_id: string | null;

  /** The requested pattern. */
  bucket: string;

  /** The start of timeline and recent_memories. */
  recent_since: string;

  /** The session of the request, from X-Session-Id. */
  session_id: string | null;

  /** The requested value of sessions. */
  sessions: Sessions;

  /** False if sessions is own. */
  include_other_sessions: boolean;

  /** The credential's token space; null means not confined. */
  allowed: ProjectContextPackResponseProjectScopeAllowed;

  /** What excludes part of the workspace from every section and count. */
  narrowed_by: Array<ProjectContextPackResponseProjectScopeNarrowedBy>;
}

export interface ProjectContextPackResponseProjectScopeAllowed {
  /** Whether the credential has access to this project. */
  project: boolean;

  /** The team it is confined to. */
  team_id: string | null;
  projects: Array<string> | null;
  path_prefix: string | null;
  buckets: Array<string> | null;
  knowledge: boolean;
}

export interface ProjectContextPackResponseProjectState {
  health: ProjectContextPackResponseProjectStateHealth;

  /** The reasons, in the service's own words. */
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
  /** Value or pattern: `%` matches any text, `_` only itself. Default: `"%"`. 1 to 128 characters. */
  bucket?: string | undefined;

  /** This team's workspace. Default: the credential's owner's. */
  team_id?: string | null | undefined;

  /** What lasting knowledge to recall. Default: whatever bears on the open items. 1 to 65536 characters. */
  durable_query?: string | null | undefined;

  /** The most entries, over all sections. Default: `100`. 1 to 1000. */
  max_items?: number | undefined;

  /** The most tokens (o200k_base) in context_text, heading included. Default: `8000`. 1 to 50000. */
  max_tokens?: number | undefined;

  /** Default: `true`. */
  include_durable_context?: boolean | undefined;

  /**
   * For an end user: also the application's own memories, read-only, each marked with shared. Without an
   * end user it changes nothing. Default: `false`.
   */
  include_shared?: boolean | undefined;

  /** How many hours back timeline and recent_memories reach. Default: `168`. 1 to 8760. */
  recent_hours?: number | undefined;

  /**
   * own: leaves out working memories of sessions other than X-Session-Id. all: includes every session's,
   * this one's first. Default: `"all"`.
   */
  sessions?: Sessions | undefined;

  /** Has no effect; use sessions instead. */
  include_other_sessions?: boolean | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface ProjectDecision {
  /** The same as its memory_id in recall. */
  decision_id: string;

  /** The same as decision_context. */
  content: string;

  /** metadata.title, or else the beginning of the context. */
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

  /** The project that it belongs to; not . or .. */
  project_id: string;
  source_memory_id: string | null;

  /** The source's current status; missing if it is gone or this credential may not see it. */
  source_memory_status: ProjectSourceStatus | null;
  bucket: string;
  path: string;
  scope: MemoryScope;
  team_id: string | null;
  due_at: string | null;
  created_at: string;
  updated_at: string;

  /** When maintenance removed it from recall and from lists without a status filter. */
  archived_at: string | null;

  /** When its content was permanently removed. */
  redacted_at: string | null;

  /** The newest lines, oldest first: at most 200, and about 64 KiB of notes. */
  audit_trail: Array<ProjectAuditLine>;

  /** How many older lines audit_trail leaves out, if any. */
  audit_trail_omitted?: number | undefined;
  extra_metadata: { [key: string]: unknown };
  etag: string;
  reason?: string | undefined;

  /** The secrets that were replaced with `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ProjectDecisionCreateRequest {
  /** What needs to be decided, and what bears on it. 1 to 65536 characters. */
  context: string;

  /** At most 32. */
  options?: Array<string> | null | undefined;
  impact_level?: ProjectImpactLevel | null | undefined;

  /** Recorded as given, unless the token is bound to an agent. 1 to 256 characters. */
  proposed_by_agent_id?: string | null | undefined;

  /** The decision in the same workspace that this one replaces. */
  supersedes?: string | null | undefined;

  /** A label of your choice. Default: `"work"`. 1 to 128 characters. */
  bucket?: string | undefined;
  scope?: MemoryScope | null | undefined;

  /** The memory's place, such as notes/deploys; no segment may be . or .. 1 to 512 characters. */
  path?: string | undefined;

  /** The team whose workspace it belongs to. */
  team_id?: string | null | undefined;

  /** The memory that it comes from. */
  source_memory_id?: string | null | undefined;
  due_at?: string | null | undefined;
  metadata?: { [key: string]: unknown } | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface ProjectDecisionReference {
  decision_id: string;

  /** The project that it belongs to; not . or .. */
  project_id: string;
  status: ProjectDecisionStatus;
  reason?: string | undefined;

  /** The secrets that were replaced with `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ProjectDecisionResolveRequest {
  /** What was decided. 1 to 16384 characters. */
  resolution: string;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface ProjectDecisionSupersedeRequest {
  /** What needs to be decided, and what bears on it. 1 to 65536 characters. */
  context: string;

  /** At most 32. */
  options?: Array<string> | null | undefined;
  impact_level?: ProjectImpactLevel | null | undefined;

  /** Recorded as given, unless the token is bound to an agent. 1 to 256 characters. */
  proposed_by_agent_id?: string | null | undefined;

  /** 1 to 16384 characters. */
  resolution_note?: string | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface ProjectDecisionUpdateRequest {
  /** 1 to 65536 characters. */
  context?: string | undefined;

  /** The same as context, under its name in answers. 1 to 65536 characters. */
  content?: string | undefined;

  /** At most 32. */
  options?: Array<string> | null | undefined;
  impact_level?: ProjectImpactLevel | null | undefined;

  /** A label of your choice. 1 to 128 characters. */
  bucket?: string | undefined;

  /** The memory's place, such as notes/deploys; no segment may be . or .. 1 to 512 characters. */
  path?: string | undefined;

  /** The memory that it comes from. */
  source_memory_id?: string | null | undefined;
  due_at?: string | null | undefined;
  metadata?: { [key: string]: unknown } | null | undefined;

  /** Default: `true`. */
  merge_metadata?: boolean | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface ProjectDurableMemory {
  id: string;

  /** Tokens it takes in context_text, including its header line. */
  tokens: number;

  /** The stored text, or an excerpt if truncated; null if another section shows it. */
  text: string | null;
  truncated: boolean;

  /** The section that shows the text, if this one does not. */
  shown_in: ProjectContextDomain | null;
  authority: Authority;

  /** Whether the author's credential vouches for the agent, or the request merely claimed it. */
  author_trust: ActorTrust;
  boundary: AgentBoundary;
  path: string;

  /**
   * To keep the answer below about 1 MiB, path is truncated, and source, semantic_key and depends_on are
   * left out.
   */
  reduced?: true | undefined;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  project_id: string | null;
  source: string | null;

  /** One of the application's own memories, which an end user only reads. */
  shared?: true | undefined;
  created_at: string;
  updated_at: string;
  review_after: string | null;

  /** When it was last verified, according to a person's credential. */
  last_verified_at: string | null;

  /** When an author who cannot verify it claims to have checked it; has no effect. */
  claimed_checked_at: string | null;

  /** review_after has passed and it has not been verified since. */
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

  /** The project that it belongs to; not . or .. */
  project_id: string;

  /** The team whose workspace it is; null for a user's own. */
  team_id: string | null;

  /**
   * running and undoing continue even if the request is cut off. undone: as far as possible; some items
   * may have been skipped.
   */
  status: MaintenanceRunStatus;

  /** There were more memories than scan_limit. */
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

  /** Items that are not due, that this credential may not change, or that have been changed since. */
  skipped: Array<ProjectMaintenanceExecuteAnswerActionsSkipped>;

  /** Items that failed; the reason is `internal`. */
  failed: Array<ProjectMaintenanceExecuteAnswerActionsFailed>;

  /** How many of skipped and failed are not listed: the answer would exceed about 1 MiB. */
  left_out?: number | undefined;

  /** purge_deleted only: receipts of the removal, for GET /v1/receipts/{id}. */
  receipts?: Array<string> | undefined;
}

export interface ProjectMaintenanceExecuteAnswerActionsFailed {
  /** null for a memory that has since been permanently deleted. */
  id: string | null;

  /** A machine code, such as not_due, changed, not_found or role_forbidden. */
  reason: string;
}

export interface ProjectMaintenanceExecuteAnswerActionsSkipped {
  /** null for a memory that has since been permanently deleted. */
  id: string | null;

  /** A machine code, such as not_due, changed, not_found or role_forbidden. */
  reason: string;
}

export interface ProjectMaintenanceExecuteRequest {
  /** This team's workspace. Default: the credential's owner's. */
  team_id?: string | null | undefined;

  /** 1 to 4 different actions; they run in their fixed order. At most 4. */
  actions: Array<MaintenanceAction>;

  /**
   * Selection: those of these ids that are due. The others are skipped, with the reason. An empty list
   * counts as not given. At most 500.
   */
  target_ids?: Array<string> | null | undefined;

  /** Selection: everything that is due now. Default: `false`. */
  confirm_all_matching?: boolean | undefined;

  /**
   * Selection: exactly what that report listed; 409 plan_changed if it no longer applies. 1 to 512
   * characters.
   */
  plan_hash?: string | null | undefined;

  /**
   * Used with confirm_all_matching; a plan_hash carries the limit of its report. Default: `1000`. 1 to
   * 5000.
   */
  scan_limit?: number | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface ProjectMaintenanceReport {
  /** The project that it belongs to; not . or .. */
  project_id: string;

  /** The team whose workspace it is; null for a user's own. */
  team_id: string | null;
  generated_at: string;
  scan_limit: number;

  /** Memories looked at; at most scan_limit. */
  scanned: number;

  /** There were more memories than scan_limit; those most likely to be due were checked first. */
  truncated: boolean;

  /** The plan_hash of a report on this workspace; valid for any of its actions. 1 to 512 characters. */
  plan_hash: string;

  /** The number of items that each action would change. */
  totals: ProjectMaintenanceReportTotals;

  /** Every action, in the order in which a run performs them. */
  actions: Array<ProjectMaintenanceReportActions>;

  /** What maintenance noticed but leaves alone. */
  notes: Array<string>;
}

export interface ProjectMaintenanceReportActions {
  action: MaintenanceAction;
  matched: number;

  /**
   * Oldest memory first; fewer than `matched` if the report would be larger than about 1 MiB. The
   * plan_hash covers all of them.
   */
  items: Array<ProjectMaintenanceReportActionsItems>;
}

export interface ProjectMaintenanceReportActionsItems {
  id: string;

  /** Why it is due, in words; never content. */
  reason: string;

  /** merge_duplicates only: the memory that is kept instead of this one. */
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

  /** The project that it belongs to; not . or .. */
  project_id: string;

  /** The team whose workspace it is; null for a user's own. */
  team_id: string | null;

  /**
   * running and undoing continue even if the request is cut off. undone: as far as possible; some items
   * may have been skipped.
   */
  status: MaintenanceRunStatus;
  trigger: ProjectMaintenanceRunTrigger;
  started_at: string;
  finished_at: string | null;
  undone_at: string | null;

  /** The agent that started it, or the credential's id if there was no agent. */
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
  /** The project that it belongs to; not . or .. */
  project_id: string;

  /** The team whose workspace it is; null for a user's own. */
  team_id: string | null;

  /** After this many days without being changed or verified, a live memory is stale. 1 to 3650. */
  stale_after_days: number;

  /** The cosine similarity of two memories' vectors at which they may be merged. 0.8 to 1. */
  duplicate_similarity: number;

  /** Days after which finished todos and superseded decisions are archived. 0 to 3650. */
  completed_retention_days: number;

  /** Days after which soft-deleted memories are permanently erased. 0 to 3650. */
  purge_deleted_after_days: number;

  /** The actions that run on the schedule; none if empty. At most 6. */
  automatic_actions: Array<MaintenanceAction>;

  /** Hours between automatic runs. 1 to 8760. */
  schedule_hours: number;

  /** null while every setting is the default. */
  updated_at: string | null;

  /** The agent that changed them last, or the credential's id if there was no agent. */
  updated_by: string | null;

  /** When the next automatic run is due; null without automatic_actions. */
  next_run_at: string | null;

  /**
   * Why automatic runs are suspended: whoever set them up no longer has the access that they need. null
   * if they are not suspended.
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

  /** This team's workspace. Default: the credential's owner's. */
  team_id?: string | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface ProjectMaintenanceUndoAnswer {
  run_id: string;

  /** The project that it belongs to; not . or .. */
  project_id: string;

  /** The team whose workspace it is; null for a user's own. */
  team_id: string | null;

  /**
   * running and undoing continue even if the request is cut off. undone: as far as possible; some items
   * may have been skipped.
   */
  status: MaintenanceRunStatus;
  undone_at: string | null;

  /** The actions of the run that can be undone. */
  actions: Array<ProjectMaintenanceUndoAnswerActions>;
}

export interface ProjectMaintenanceUndoAnswerActions {
  action: ProjectMaintenanceUndoAnswerActionsAction;

  /** Items restored to their state before the run, by this undo or an earlier one. */
  undone: number;

  /** Items that have changed since the run, or whose semantic_key another memory has now. */
  skipped: Array<ProjectMaintenanceUndoAnswerActionsSkipped>;
  failed: Array<ProjectMaintenanceUndoAnswerActionsFailed>;

  /** How many of skipped and failed are not listed: the answer would exceed about 1 MiB. */
  left_out?: number | undefined;
}

export interface ProjectMaintenanceUndoAnswerActionsFailed {
  /** null for a memory that has since been permanently deleted. */
  id: string | null;

  /** A machine code, such as not_due, changed, not_found or role_forbidden. */
  reason: string;
}

export interface ProjectMaintenanceUndoAnswerActionsSkipped {
  /** null for a memory that has since been permanently deleted. */
  id: string | null;

  /** A machine code, such as not_due, changed, not_found or role_forbidden. */
  reason: string;
}

export interface ProjectMaintenanceUndoRequest {
  /** This team's workspace. Default: the credential's owner's. */
  team_id?: string | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface ProjectNextAction {
  /** Tokens it takes in context_text, including its header line. */
  tokens: number;

  /** An operation that this credential may call. */
  operation: string;

  /** The MCP tool for the same operation. */
  tool: string | null;

  /** The item that the operation is for. */
  id: string;

  /** The ids that the operation needs; any other input is up to you. */
  input: { [key: string]: string };

  /** The reason, with the author if it was not you; stored text is in double quotes. */
  because: string;
}

export interface ProjectRecentMemory {
  id: string;

  /** Tokens it takes in context_text, including its header line. */
  tokens: number;

  /** The stored text, or an excerpt if truncated; null if another section shows it. */
  text: string | null;
  truncated: boolean;

  /** The section that shows the text, if this one does not. */
  shown_in: ProjectContextDomain | null;
  authority: Authority;

  /** Whether the author's credential vouches for the agent, or the request merely claimed it. */
  author_trust: ActorTrust;
  boundary: AgentBoundary;
  path: string;

  /**
   * To keep the answer below about 1 MiB, path is truncated, and source, semantic_key and depends_on are
   * left out.
   */
  reduced?: true | undefined;
  bucket: string;
  scope: MemoryScope;
  team_id: string | null;
  project_id: string | null;
  source: string | null;

  /** One of the application's own memories, which an end user only reads. */
  shared?: true | undefined;
  created_at: string;
  updated_at: string;
  review_after: string | null;

  /** When it was last verified, according to a person's credential. */
  last_verified_at: string | null;

  /** When an author who cannot verify it claims to have checked it; has no effect. */
  claimed_checked_at: string | null;

  /** review_after has passed and it has not been verified since. */
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

  /** As in the audit trail; `store` or `change` for a memory. */
  operation: string;
  from: string | null;
  to: string;
  agent_id: string | null;
  trust: ActorTrust;

  /** Tokens it takes in context_text, including its header line. */
  tokens: number;

  /** The stored text, or an excerpt if truncated; null if another section shows it. */
  text: string | null;
  truncated: boolean;

  /** The section that shows the text, if this one does not. */
  shown_in: ProjectContextDomain | null;
}

export interface ProjectTodo {
  /** The same as its memory_id in recall. */
  todo_id: string;
  content: string;
  status: ProjectTodoStatus;
  priority: ProjectTodoPriority;
  assignee_agent_id: string | null;

  /** The agent that accepted it, or the credential's id if it was accepted without an agent. */
  accepted_by_agent_id: string | null;
  blocked_reason: string | null;
  depends_on: Array<string>;
  completed_at: string | null;
  completion_note: string | null;
  cancelled_at: string | null;
  cancel_reason: string | null;

  /** The project that it belongs to; not . or .. */
  project_id: string;
  source_memory_id: string | null;

  /** The source's current status; missing if it is gone or this credential may not see it. */
  source_memory_status: ProjectSourceStatus | null;
  bucket: string;
  path: string;
  scope: MemoryScope;
  team_id: string | null;
  due_at: string | null;
  created_at: string;
  updated_at: string;

  /** When maintenance removed it from recall and from lists without a status filter. */
  archived_at: string | null;

  /** When its content was permanently removed. */
  redacted_at: string | null;

  /** The newest lines, oldest first: at most 200, and about 64 KiB of notes. */
  audit_trail: Array<ProjectAuditLine>;

  /** How many older lines audit_trail leaves out, if any. */
  audit_trail_omitted?: number | undefined;
  extra_metadata: { [key: string]: unknown };
  etag: string;
  reason?: string | undefined;

  /** The secrets that were replaced with `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ProjectTodoAssignRequest {
  /** 1 to 256 characters. */
  assignee_agent_id?: string | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface ProjectTodoBlockRequest {
  /** 1 to 1024 characters. */
  reason: string;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface ProjectTodoCancelRequest {
  /** 1 to 1024 characters. */
  reason?: string | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface ProjectTodoCompleteRequest {
  /** 1 to 4096 characters. */
  note?: string | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface ProjectTodoCreateRequest {
  /** What needs to be done. 1 to 65536 characters. */
  content: string;

  /** Default: `"normal"`. */
  priority?: ProjectTodoPriority | undefined;

  /** Only this agent may accept it. 1 to 256 characters. */
  assignee_agent_id?: string | null | undefined;

  /** Todos in the same workspace that must be finished first. At most 100. */
  depends_on?: Array<string> | null | undefined;

  /** A label of your choice. Default: `"work"`. 1 to 128 characters. */
  bucket?: string | undefined;
  scope?: MemoryScope | null | undefined;

  /** The memory's place, such as notes/deploys; no segment may be . or .. 1 to 512 characters. */
  path?: string | undefined;

  /** The team whose workspace it belongs to. */
  team_id?: string | null | undefined;

  /** The memory that it comes from. */
  source_memory_id?: string | null | undefined;
  due_at?: string | null | undefined;
  metadata?: { [key: string]: unknown } | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface ProjectTodoReference {
  todo_id: string;

  /** The project that it belongs to; not . or .. */
  project_id: string;
  status: ProjectTodoStatus;
  reason?: string | undefined;

  /** The secrets that were replaced with `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ProjectTodoUpdateRequest {
  /** 1 to 65536 characters. */
  content?: string | undefined;
  priority?: ProjectTodoPriority | undefined;

  /** Todos in the same workspace that must be finished first. At most 100. */
  depends_on?: Array<string> | null | undefined;

  /** A label of your choice. 1 to 128 characters. */
  bucket?: string | undefined;

  /** The memory's place, such as notes/deploys; no segment may be . or .. 1 to 512 characters. */
  path?: string | undefined;

  /** The memory that it comes from. */
  source_memory_id?: string | null | undefined;
  due_at?: string | null | undefined;
  metadata?: { [key: string]: unknown } | null | undefined;

  /** Default: `true`. */
  merge_metadata?: boolean | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface RecallContextRequest {
  /** What to recall: a question, a message or keywords. 1 to 65536 characters. */
  query: string;

  /** Path or pattern: `%` matches any text, `_` only itself. Default: `"%"`. 1 to 2048 characters. */
  path?: string | undefined;

  /** Only memories at this path or below it, by whole segments: no `%`. 1 to 512 characters. */
  path_under?: string | null | undefined;

  /** Value or pattern: `%` matches any text, `_` only itself. Default: `"%"`. 1 to 128 characters. */
  bucket?: string | undefined;

  /** auto: the planner chooses, and retrieval_plan says what. Default: `"auto"`. 1 to 128 characters. */
  memory_type?: string | undefined;

  /**
   * `active` matches every live memory; any other status matches exactly that. Patterns never match
   * soft_deleted. Default: `"active"`. 1 to 128 characters.
   */
  status?: string | undefined;
  scope?: MemoryScope | null | undefined;

  /** Only this team's memories. Default: the caller's own and those of all its teams. */
  team_id?: string | null | undefined;
  project_id?: string | null | undefined;

  /** Only memories that this agent produced (provenance.agent_id). 1 to 256 characters. */
  agent_id?: string | null | undefined;

  /** Only memories with this source. 1 to 256 characters. */
  source?: string | null | undefined;
  metadata?: { [key: string]: string | number | boolean | null } | null | undefined;

  /** Default: `8`. 1 to 1000. */
  max_items?: number | undefined;

  /** Default: `1500`. 1 to 50000. */
  max_tokens?: number | undefined;

  /** Default: `true`. */
  prefer_working?: boolean | undefined;

  /**
   * own: leaves out working memories of sessions other than X-Session-Id. all: includes every session's,
   * this one's first. Default: `"all"`.
   */
  sessions?: Sessions | undefined;

  /** Has no effect; use sessions instead. */
  include_other_sessions?: boolean | undefined;

  /** Default: `false`. */
  include_knowledge?: boolean | undefined;

  /** 0 to 1. */
  threshold?: number | null | undefined;

  /** The most hits to consider. 1 to 1000. */
  limit?: number | null | undefined;

  /** As of this instant: stored by then, not yet superseded or expired, in the version of that time. */
  as_of?: string | null | undefined;

  /**
   * The form of context_text. compact: one line for each memory, `YYMMDD, authority id> content`, with
   * the short id that the item has as ref; an observation's authority is left out. Default:
   * `"standard"`.
   */
  format?: RecallContextRequestFormat | undefined;

  /** Return each item's whole content. Default: what context_text shows of it. Default: `false`. */
  full?: boolean | undefined;

  /** When the question is asked. Default: now. */
  asked_at?: string | null | undefined;

  /** The time zone of whoever asks. Default: UTC. 1 to 64 characters. */
  time_zone?: string | null | undefined;

  /**
   * For an end user: also the application's own memories, read-only, each marked with shared. Without an
   * end user it changes nothing. Default: `false`.
   */
  include_shared?: boolean | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
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

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface RecallWhyAnswer {
  id: string;

  /** Whether the answer to the search, or the pack, includes it. */
  found: boolean;

  /**
   * How far it got: filtered out, proposed by no retriever, below the threshold, beyond the limit, left
   * out of the pack, or found.
   */
  outcome: RecallWhyAnswerOutcome;

  /** Its place among the candidates, counted from 1. */
  rank: number | null;

  /** 0 to 1. */
  score: number | null;

  /**
   * The part of content that matches best, from start up to but not including end, in UTF-16 code units.
   * null if the memory is short enough to be a single passage, or if the answer is as of a past instant.
   */
  passage: Passage | null;
  signals: { [key: string]: number };

  /** The explanation in words. */
  reasons: Array<string>;

  /** The filters that exclude it: what each requires, and what the memory has. */
  filters: Array<RecallWhyAnswerFilters>;
  proposed_by: RecallWhyAnswerProposedBy | null;
  superseded_by: string | null;

  /** The item of the pack that already says it. */
  repetition_of: string | null;

  /** If a pack was requested: its place in the pack and the tokens it takes. */
  pack: RecallWhyAnswerPack | null;

  /** The parts of recall that could not take part. */
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
  /** Its place among the memories that share words with the query. */
  words: number | null;

  /** Its place among those close in meaning. */
  vector: number | null;

  /** Its place among those that contain what the query quotes or identifies. */
  exact: number | null;
  newest: boolean;

  /** Whether it is next to a proposed memory of the same session. */
  neighbour: boolean;

  /** Whether the database's own search proposed it, because the index does not have the owner. */
  full_text: boolean;
}

export interface RecallWhyRequest {
  /** What to recall: a question, a message or keywords. 1 to 65536 characters. */
  query: string;

  /** The lowest score to return, on a scale that is comparable between queries. 0 to 1. */
  threshold?: number | null | undefined;

  /** Path or pattern: `%` matches any text, `_` only itself. Default: `"%"`. 1 to 2048 characters. */
  path?: string | undefined;

  /** Only memories at this path or below it, by whole segments: no `%`. 1 to 512 characters. */
  path_under?: string | null | undefined;

  /** Value or pattern: `%` matches any text, `_` only itself. Default: `"%"`. 1 to 128 characters. */
  bucket?: string | undefined;

  /** Value or pattern: `%` matches any text, `_` only itself. Default: `"%"`. 1 to 128 characters. */
  memory_type?: string | undefined;

  /**
   * `active` matches every live memory; any other status matches exactly that. Patterns never match
   * soft_deleted. Default: `"active"`. 1 to 128 characters.
   */
  status?: string | undefined;
  scope?: MemoryScope | null | undefined;

  /** Only this team's memories. Default: the caller's own and those of all its teams. */
  team_id?: string | null | undefined;
  project_id?: string | null | undefined;

  /** Only memories that this agent produced (provenance.agent_id). 1 to 256 characters. */
  agent_id?: string | null | undefined;

  /** Only memories with this source. 1 to 256 characters. */
  source?: string | null | undefined;
  metadata?: { [key: string]: string | number | boolean | null } | null | undefined;

  /**
   * own: leaves out working memories of sessions other than X-Session-Id. all: includes every session's,
   * this one's first. Default: `"all"`.
   */
  sessions?: Sessions | undefined;

  /** Has no effect; use sessions instead. */
  include_other_sessions?: boolean | undefined;

  /** The number of candidates from each retriever. 1 to 1000. */
  candidate_count?: number | null | undefined;

  /** As of this instant: stored by then, not yet superseded or expired, in the version of that time. */
  as_of?: string | null | undefined;

  /** When the question is asked. Default: now. */
  asked_at?: string | null | undefined;

  /** The time zone of whoever asks. Default: UTC. 1 to 64 characters. */
  time_zone?: string | null | undefined;

  /**
   * For an end user: also the application's own memories, read-only, each marked with shared. Without an
   * end user it changes nothing. Default: `false`.
   */
  include_shared?: boolean | undefined;

  /** lexical or dense uses that retriever alone, without the ranker, for comparison. Default: `"hybrid"`. */
  retrievers?: Retrievers | undefined;
  memory_id: string;

  /** For a search, its limit (default: none); for a pack, the most hits to consider. 1 to 1000. */
  limit?: number | null | undefined;

  /**
   * If this or max_tokens is given, explains a context pack instead of a search, with a pack's defaults.
   * 1 to 1000.
   */
  max_items?: number | null | undefined;

  /** 1 to 50000. */
  max_tokens?: number | null | undefined;

  /** Default: false for a search, true for a pack. */
  prefer_working?: boolean | null | undefined;

  /** Default: a search includes the knowledge that the credential may read, a pack does not. */
  include_knowledge?: boolean | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface Receipt {
  id: string;

  /** confirmed once every store has confirmed the removal. */
  state: ReceiptState;

  /** How many entries each store held. */
  removed: { [key: string]: number };
  digest: string;

  /** Other memories in the same supersession chain; these remain. */
  remaining: Array<string>;
}

export interface RedeliverRequest {
  /** Only these events; null means all that were given up on. At most 500. */
  event_ids?: Array<string> | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface Redelivered {
  id: string;

  /** The number of events that will be retried. */
  redelivered: number;
}

export interface ReminderCompleteAnswer {
  id: string;
  status: "completed";
  completed_at: string;

  /** When a recurring reminder is due next; absent once it will not recur. */
  next_due_at?: string | undefined;
  reason?: string | undefined;

  /** The secrets that were replaced with `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ReminderCompleteRequest {
  /** 1 to 4096 characters. */
  note?: string | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
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

  /**
   * The secret that deliveries are signed with, following the Standard Webhooks specification. Shown
   * only once.
   */
  secret: string;

  /** Until then, deliveries carry the old signature too. */
  former_secret_until: string;
}

export interface SearchAnswer {
  results: Array<SearchResult>;

  /** The smallest share of the visible memories that any retriever could consider. 0 to 1. */
  coverage: number;

  /** The parts of recall that should have taken part but could not. */
  degraded?: Array<string> | undefined;

  /** Where the rest of the results begins; absent unless all of them exceed about 1 MiB. */
  next_cursor?: string | undefined;
}

export interface SearchRequest {
  /** What to recall: a question, a message or keywords. 1 to 65536 characters. */
  query: string;

  /** Default: `5`. 1 to 100. */
  limit?: number | undefined;

  /**
   * next_cursor of an answer to the same request: goes on with the rest of its `limit` results. 1 to 3
   * characters.
   */
  cursor?: string | null | undefined;

  /** The lowest score to return, on a scale that is comparable between queries. 0 to 1. */
  threshold?: number | null | undefined;

  /** Path or pattern: `%` matches any text, `_` only itself. Default: `"%"`. 1 to 2048 characters. */
  path?: string | undefined;

  /** Only memories at this path or below it, by whole segments: no `%`. 1 to 512 characters. */
  path_under?: string | null | undefined;

  /** Value or pattern: `%` matches any text, `_` only itself. Default: `"%"`. 1 to 128 characters. */
  bucket?: string | undefined;

  /** Value or pattern: `%` matches any text, `_` only itself. Default: `"%"`. 1 to 128 characters. */
  memory_type?: string | undefined;

  /**
   * `active` matches every live memory; any other status matches exactly that. Patterns never match
   * soft_deleted. Default: `"active"`. 1 to 128 characters.
   */
  status?: string | undefined;
  scope?: MemoryScope | null | undefined;

  /** Only this team's memories. Default: the caller's own and those of all its teams. */
  team_id?: string | null | undefined;
  project_id?: string | null | undefined;

  /** Only memories that this agent produced (provenance.agent_id). 1 to 256 characters. */
  agent_id?: string | null | undefined;

  /** Only memories with this source. 1 to 256 characters. */
  source?: string | null | undefined;
  metadata?: { [key: string]: string | number | boolean | null } | null | undefined;

  /** Add signals and reasons to each result. Default: `false`. */
  explain?: boolean | undefined;

  /** Default: `false`. */
  prefer_working?: boolean | undefined;

  /**
   * own: leaves out working memories of sessions other than X-Session-Id. all: includes every session's,
   * this one's first. Default: `"all"`.
   */
  sessions?: Sessions | undefined;

  /** Has no effect; use sessions instead. */
  include_other_sessions?: boolean | undefined;

  /** The number of candidates from each retriever. 1 to 1000. */
  candidate_count?: number | null | undefined;

  /** As of this instant: stored by then, not yet superseded or expired, in the version of that time. */
  as_of?: string | null | undefined;

  /** When the question is asked. Default: now. */
  asked_at?: string | null | undefined;

  /** The time zone of whoever asks. Default: UTC. 1 to 64 characters. */
  time_zone?: string | null | undefined;

  /**
   * For an end user: also the application's own memories, read-only, each marked with shared. Without an
   * end user it changes nothing. Default: `false`.
   */
  include_shared?: boolean | undefined;

  /** lexical or dense uses that retriever alone, without the ranker, for comparison. Default: `"hybrid"`. */
  retrievers?: Retrievers | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
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

  /** One of the application's own memories, which an end user only reads. */
  shared?: true | undefined;

  /**
   * The part of content that matches best, from start up to but not including end, in UTF-16 code units.
   * null if the memory is short enough to be a single passage, or if the answer is as of a past instant.
   */
  passage: Passage | null;

  /** Absolute relevance. Results are ordered by the ranker, not by this. 0 to 1. */
  score: number;
  explanation?: SearchResultExplanation | undefined;
}

export interface SearchResultExplanation {
  /** The results are ordered by this. */
  rank_score: number;
  signals: { [key: string]: number };
  reasons: Array<string>;
}

export interface SkillCatalogue {
  endpoint: "/v1/skill/operations";

  /** How to call an operation. */
  how: string;
  credential: SkillCredential;
  operations: Array<SkillCatalogueEntry>;
}

export interface SkillCatalogueEntry {
  operation: SkillOperationName;
  summary: string;

  /** Any one of these is enough; none is needed if the list is empty. */
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

  /** The skill token; shown only this once. */
  token: string;
  scopes: Array<GrantableScope>;
  projects: Array<string> | null;
  path_prefix: string | null;
  buckets: Array<string> | null;
  expires_at: string;
}

export interface SkillTokenRequest {
  /** A name to recognise it by. 1 to 128 characters. */
  name?: string | null | undefined;

  /** Default: the scopes of the token that issues it. At most 32. */
  scopes?: Array<GrantableScopeName> | null | undefined;

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
  /** Its webhook-id; no event in the log has this id. */
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

  /**
   * Why it was not delivered, such as status_500, timeout, unreachable, or no_public_address, which does
   * not say whether the name exists.
   */
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

  /** One of the application's own memories, which an end user only reads. */
  shared?: true | undefined;
  conflicts: Array<MemoryConflict>;
  etag: string;
  reason?: string | undefined;

  /** The secrets that were replaced with `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface UpdatedMemoryReference {
  id: string;
  status: MemoryStatus;
  reason?: string | undefined;

  /** The secrets that were replaced with `[secret:<kind>]` before anything was stored. */
  masked?: Array<MaskedSecrets> | undefined;
}

export interface ValidationIssue {
  /** Where: body, query, path or header, then the member. */
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
  end_users: boolean;
  enabled: boolean;

  /**
   * failing: the last attempts failed, and more will follow. suspended: the credential that it acts for
   * has ended or may no longer read.
   */
  state: WebhookState;

  /** Events waiting to be delivered. */
  waiting: number;

  /** Events that were given up on. */
  dead_letters: number;

  /**
   * Why the last attempt failed, such as status_500, timeout, unreachable, or no_public_address, which
   * does not say whether the name exists.
   */
  last_error: string | null;
  last_delivered_at: string | null;

  /** When events were last removed from the log before they could be delivered. */
  missed_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface WebhookList {
  webhooks: Array<Webhook>;
}

export interface WebhookPatchRequest {
  /**
   * The URL that events are POSTed to. It must use https and be on the public internet, unless the
   * operator allows otherwise. 0 to 2048 characters.
   */
  url?: string | undefined;

  /** A note for people. 1 to 256 characters. */
  description?: string | null | undefined;

  /** Only events about these kinds; null means all. At most 4. */
  subjects?: Array<ChangeEventSubject> | null | undefined;

  /** Only events in this project; null means all. */
  project_id?: string | null | undefined;

  /**
   * Whether to deliver events of all end users too, each with its user_id. Needs users:act. Default:
   * false.
   */
  end_users?: boolean | null | undefined;

  /** Whether events are delivered. */
  enabled?: boolean | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
}

export interface WebhookRequest {
  /**
   * The URL that events are POSTed to. It must use https and be on the public internet, unless the
   * operator allows otherwise. 0 to 2048 characters.
   */
  url: string;

  /** A note for people. 1 to 256 characters. */
  description?: string | null | undefined;

  /** Only events about these kinds; null means all. At most 4. */
  subjects?: Array<ChangeEventSubject> | null | undefined;

  /** Only events in this project; null means all. */
  project_id?: string | null | undefined;

  /**
   * Whether to deliver events of all end users too, each with its user_id. Needs users:act. Default:
   * false.
   */
  end_users?: boolean | null | undefined;

  /**
   * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
   * users:act. Default: the application's own space.
   */
  user_id?: string | null | undefined;
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

export type ChangeEventSubject = "memory" | "todo" | "decision" | "alert";

export type ContextAnswer = OwnersContext | TemporaryAgentsContext;

export type DoctorCheck = "credential" | "scopes" | "reach" | "clock" | "service" | "index";

export type DoctorStatus = "ok" | "warning" | "broken";

export type EmbeddingSource = "caller" | "service";

export type EndUserScopeName =
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

export type ErasedKind = "user" | "team" | "end_user";

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
  | "ledger:write"
  | "users:act";

export type GrantableScopeName =
  | "memory:read"
  | "memory:write"
  | "memory:update"
  | "memory:delete"
  | "memory:restore"
  | "memory:redact"
  | "memory:hard_delete"
  | "knowledge:read"
  | "ledger:write"
  | "users:act"
  | "read:memories"
  | "write:memories";

export type JunkKind = "echo" | "empty" | "trivial" | "repetition";

export type KeptMessageOutcome = "kept" | "joined";

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

export type ProfileItemSection = "instructions" | "facts" | "working" | "todos" | "recent";

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

export type RecallContextRequestFormat = "standard" | "compact";

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
  | "users:act"
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

export type SupersedeDecisionAnswer = Array<ProjectDecisionAnswer>;

export type TokenKind =
  | "api_key"
  | "oauth"
  | "agent_temporary"
  | "agent_formal"
  | "skill"
  | "session"
  | "end_user";

export type WebhookState = "working" | "failing" | "suspended" | "disabled";

/** What is sent and answered, by operation. */
export interface Operations {
  /**
   * Bind this agent to the user who approved it.
   *
   * Takes the one-time confirmation token that only the user has seen. The temporary token stops
   * working, and what the agent wrote moves to the user. If the answer was lost, send the same
   * confirmation again within its 10 minutes: it returns a new token and revokes the first.
   */
  confirmBinding: { input: AgentBindConfirmRequest; answer: AgentBindConfirmation };

  /** Refuse the binding and end this temporary agent. */
  denyBinding: { input: Record<never, never>; answer: AgentBindDenial };

  /** Read the progress of binding this agent to a user. */
  getBindStatus: { input: Record<never, never>; answer: AgentBindStatus };

  /**
   * Register an agent that has no credential yet.
   *
   * Every registration creates a new agent with its own quarantine, and a link at which its user can
   * bind it within 24 hours. Limited per network address.
   */
  registerAgent: { input: AgentSelfRegistrationRequest; answer: AgentSelfRegistrationResponse };

  /**
   * Replace this agent's formal token.
   *
   * The token used for this request stays valid for another 60 seconds, so that requests in flight still
   * succeed.
   */
  rotateAgentToken: { input: Record<never, never>; answer: AgentTokenRotation };

  /** Read this agent's status. */
  getAgentStatus: { input: Record<never, never>; answer: AgentStatus };

  /**
   * Store what was said in a conversation, each message once.
   *
   * Each message becomes an episodic memory with its speaker as source. Instructions, tool calls,
   * thinking, injected context and what says nothing are left out. Sending messages again stores them
   * once.
   *
   * Scope: `memory:write`.
   */
  storeConversation: { input: ConversationRequest; answer: ConversationAnswer };

  /**
   * Diagnose this credential, its scopes, the clock, the service and its index, in plain words.
   *
   * Changes nothing, and shows nothing that is stored. An invalid credential gets 401.
   */
  doctor: {
    input: {
      /** The current time on your clock, to compare with the service's. */
      client_time?: string | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: DoctorAnswer;
  };

  /**
   * Permanently erase the user or a team, with everything they own.
   *
   * Takes two steps. The dry run, which is the default, counts the rows in each table and returns the
   * name, a plan_hash and the id of the receipt. To erase, send dry_run false with that name as confirm
   * and that hash. All access then ends at once (this key's too, if its user is erased) and the service
   * removes everything in the background, across restarts. Read the receipt by its id until its state is
   * confirmed. Asking again returns the same erasure. Only a user with the role owner in a team may
   * erase that team. What a user wrote to a team stays with the team, without the author's name.
   * Confined keys and a team's own keys cannot erase.
   *
   * Scope: `owner:erase`.
   */
  eraseOwner: { input: ErasureRequest; answer: ErasurePlan };

  /**
   * Read the receipt of an erasure.
   *
   * Needs no credential, because whoever was erased no longer has one: knowing the id is enough. The
   * receipt holds ids and numbers, no names and no content.
   */
  getErasure: {
    input: {
      /** The erasure_id of the dry run. */
      erasure_id: string;
    };
    answer: Erasure;
  };

  /**
   * Read the questions of an evaluation set.
   *
   * Returns the questions whose memories this credential may all read, in the order in which they were
   * added. `recollect eval --set` asks them.
   *
   * Scope: `memory:read`.
   */
  getEvalSet: {
    input: {
      /** The name of the set. 1 to 60 characters. */
      name: string;

      /** A set of this team. Default: your own. */
      team_id?: string | null | undefined;
    };
    answer: EvalSet;
  };

  /**
   * Follow changes to memories, todos and decisions.
   *
   * Lists every change that this credential may see: at least once each, and in order for each memory.
   * With `Accept: text/event-stream` it becomes a stream of server-sent events that runs until either
   * side closes it; unless told where to resume, it starts with the next event. A block without data
   * only reports the stream's position. `events_gone` means that the starting point is older than what
   * is kept.
   *
   * Scope: `memory:read`.
   */
  listEvents: {
    input: {
      /**
       * Where to continue: the id of the last event you read, the `next` of an answer, or `now` for new
       * events only. Without it a list begins with the oldest event that is kept, and a stream with the next
       * new one.
       */
      after?: string | null | undefined;

      /** The most events to return. 1 to 500. */
      limit?: number | null | undefined;

      /** Only events about this kind. */
      subject?: ChangeEventSubject | null | undefined;

      /** Only events in this project. */
      project_id?: string | null | undefined;

      /** Only events of this memory, todo or decision. */
      memory_id?: string | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;

      /** The same as `after`, sent by browsers when they reconnect; it takes precedence. */
      last_event_id?: string | undefined;
    };
    answer: ChangeEvents;
  };

  /**
   * Replace the key used for this request.
   *
   * The new key has the same access and the same expiry. The old one stays valid for the overlap, so
   * that requests in flight still succeed; an overlap of 0 ends it at once. If the answer was lost, ask
   * again with the old key during the overlap, before the new key has been used: the first new key is
   * revoked, and the deadline stays the same.
   */
  rotateKey: { input: KeyRotationRequest; answer: KeyRotation };

  /**
   * Record an expense in the ledger.
   *
   * Stored as a memory with the bucket ledger and the type expense; its metadata holds the amount as an
   * exact decimal in its currency. Recording an equal expense adds a second one, so use an
   * Idempotency-Key to retry safely. Read, correct and forget it like any other memory.
   *
   * Scope: `ledger:write`.
   */
  addExpense: { input: ExpenseRequest; answer: ExpenseAnswer };

  /**
   * List memories, newest first.
   *
   * A page is about 1 MiB at most: it may have fewer than `limit` and still not be the last. While there
   * are more, `next_cursor` says where to go on. With `offset`, add the number of memories that you were
   * given.
   *
   * Scope: `memory:read`.
   */
  listMemories: {
    input: {
      /** 1 to 1000. */
      limit?: number | null | undefined;

      /** 0 to 1000000000. */
      offset?: number | null | undefined;

      /** next_cursor of the page before; goes on where it ended. 1 to 256 characters. */
      cursor?: string | null | undefined;

      /** Path or pattern: `%` matches any text, `_` only itself. 1 to 2048 characters. */
      path?: string | null | undefined;

      /** Only memories at this path or below it, by whole segments: no `%`. 1 to 512 characters. */
      path_under?: string | null | undefined;

      /** Value or pattern: `%` matches any text, `_` only itself. 1 to 128 characters. */
      bucket?: string | null | undefined;

      /** Value or pattern: `%` matches any text, `_` only itself. 1 to 128 characters. */
      memory_type?: string | null | undefined;

      /**
       * `active` matches every live memory; any other status matches exactly that. Patterns never match
       * soft_deleted. 1 to 128 characters.
       */
      status?: string | null | undefined;
      scope?: MemoryScope | null | undefined;

      /** Only this team's memories. Default: the caller's own and those of all its teams. */
      team_id?: string | null | undefined;

      /** The project that it belongs to; not . or .. */
      project_id?: string | null | undefined;

      /** Only memories that this agent produced (provenance.agent_id). 1 to 256 characters. */
      agent_id?: string | null | undefined;

      /** Only memories with this source. 1 to 256 characters. */
      source?: string | null | undefined;

      /**
       * Metadata members and the value that each must equal. A list matches if one of its members does.
       * Texts are compared in NFC. `owner.name` is the member name of the member owner, unless a member is
       * called `owner.name` itself. A text also matches the number, boolean or null that it spells; null
       * never matches a member that is missing. In a query string: metadata.<key>=<value>.
       */
      metadata?: { [key: string]: string | number | boolean | null } | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: MemoryList;
  };

  /**
   * Store a memory exactly as given.
   *
   * Scope: `memory:write`.
   */
  storeMemory: { input: MemoryStoreRequest; answer: MemoryStoreAnswer };

  /**
   * Store up to 500 memories, each on its own.
   *
   * Each item is stored or refused on its own; a refused item does not affect the others.
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
   * The dry run returns a count and a plan_hash. Send that hash with the real run, which is refused if
   * anything it covers has changed since.
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
      /** What to recall: a question, a message or keywords. 1 to 65536 characters. */
      query: string;

      /** 1 to 100. */
      limit?: number | null | undefined;

      /**
       * next_cursor of an answer to the same request: goes on with the rest of its `limit` results. 1 to 3
       * characters.
       */
      cursor?: string | null | undefined;

      /** The lowest score to return, on a scale that is comparable between queries. 0 to 1. */
      threshold?: number | null | undefined;

      /** Path or pattern: `%` matches any text, `_` only itself. 1 to 2048 characters. */
      path?: string | null | undefined;

      /** Only memories at this path or below it, by whole segments: no `%`. 1 to 512 characters. */
      path_under?: string | null | undefined;

      /** Value or pattern: `%` matches any text, `_` only itself. 1 to 128 characters. */
      bucket?: string | null | undefined;

      /** Value or pattern: `%` matches any text, `_` only itself. 1 to 128 characters. */
      memory_type?: string | null | undefined;

      /**
       * `active` matches every live memory; any other status matches exactly that. Patterns never match
       * soft_deleted. 1 to 128 characters.
       */
      status?: string | null | undefined;
      scope?: MemoryScope | null | undefined;

      /** Only this team's memories. Default: the caller's own and those of all its teams. */
      team_id?: string | null | undefined;

      /** The project that it belongs to; not . or .. */
      project_id?: string | null | undefined;

      /** Only memories that this agent produced (provenance.agent_id). 1 to 256 characters. */
      agent_id?: string | null | undefined;

      /** Only memories with this source. 1 to 256 characters. */
      source?: string | null | undefined;

      /**
       * Metadata members and the value that each must equal. A list matches if one of its members does.
       * Texts are compared in NFC. `owner.name` is the member name of the member owner, unless a member is
       * called `owner.name` itself. A text also matches the number, boolean or null that it spells; null
       * never matches a member that is missing. In a query string: metadata.<key>=<value>.
       */
      metadata?: { [key: string]: string | number | boolean | null } | null | undefined;

      /** Add signals and reasons to each result. */
      explain?: boolean | null | undefined;
      prefer_working?: boolean | null | undefined;

      /**
       * own: leaves out working memories of sessions other than X-Session-Id. all: includes every session's,
       * this one's first.
       */
      sessions?: Sessions | null | undefined;

      /** Has no effect; use sessions instead. */
      include_other_sessions?: boolean | null | undefined;

      /** The number of candidates from each retriever. 1 to 1000. */
      candidate_count?: number | null | undefined;

      /** As of this instant: stored by then, not yet superseded or expired, in the version of that time. */
      as_of?: string | null | undefined;

      /** When the question is asked. Default: now. */
      asked_at?: string | null | undefined;

      /** The time zone of whoever asks. Default: UTC. 1 to 64 characters. */
      time_zone?: string | null | undefined;

      /**
       * For an end user: also the application's own memories, read-only, each marked with shared. Without an
       * end user it changes nothing.
       */
      include_shared?: boolean | null | undefined;

      /** lexical or dense uses that retriever alone, without the ranker, for comparison. */
      retrievers?: Retrievers | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: SearchAnswer;
  };

  /**
   * Search memories, with the request in the body.
   *
   * The same search, for queries too long for a URL.
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

      /** hard_delete and redact cannot be undone. */
      mode?: ForgetMode | null | undefined;

      /** 1 to 1024 characters. */
      reason?: string | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
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
  getMemory: {
    input: {
      memory_id: string;

      /** Where in the content to begin, in UTF-16 code units, as `passage` counts them. 0 to 1000000. */
      content_offset?: number | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: MemoryWithEtag;
  };

  /**
   * Change a memory.
   *
   * Members that you leave out stay as they are; null clears a nullable one. metadata and provenance are
   * merged at the top level by default, where null deletes a key.
   *
   * Scope: `memory:write` or `memory:update`.
   */
  updateMemory: {
    input: {
      memory_id: string;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    } & MemoryUpdateRequest;
    answer: MemoryUpdateAnswer;
  };

  /**
   * Forget a memory, optionally leaving a replacement.
   *
   * Scope: `memory:write` or `memory:delete` or `memory:redact` or `memory:hard_delete`.
   */
  forgetMemory: {
    input: {
      memory_id: string;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
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
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    };
    answer: MemoryRestoreAnswer;
  };

  /**
   * Read the history of a memory and its supersession chain.
   *
   * A page of the states it has had, the current one first. A page is about 1 MiB at most: it may have
   * fewer than `limit` and still not be the last. While there are more, `next_cursor` says where to go
   * on. The chain comes with the first page: at most 1,000 memories, the newest.
   *
   * Scope: `memory:read`.
   */
  listVersions: {
    input: {
      memory_id: string;

      /** The most states to return. 1 to 200. */
      limit?: number | null | undefined;

      /** next_cursor of the page before; goes on where it ended. 1 to 256 characters. */
      cursor?: string | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: MemoryVersions;
  };

  /**
   * Read what is known of an owner or a project, without a question, within a budget.
   *
   * Standing instructions and preferences, current facts, work in progress, open todos and due
   * reminders, and what is new.
   *
   * Scope: `memory:read`.
   */
  getProfile: {
    input: {
      /** Only this project's memories. Default: all of the owner's. */
      project_id?: string | null | undefined;

      /** This team's profile. Default: the credential's owner's. */
      team_id?: string | null | undefined;

      /** 1 to 1000. */
      max_items?: number | null | undefined;

      /** The most tokens (o200k_base) in context_text. 1 to 50000. */
      max_tokens?: number | null | undefined;
      include_knowledge?: boolean | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: Profile;
  };

  /**
   * Read what matters in a project now, as one pack within a budget.
   *
   * Open todos and due reminders, decisions, recent activity, who is working on what, what is known, and
   * warnings.
   *
   * Scope: `memory:read`.
   */
  projectContext: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
    } & ProjectContextRequest;
    answer: ProjectContextPackResponse;
  };

  /**
   * List a project's decisions, open ones first.
   *
   * Proposed decisions by impact, then resolved ones, newest first, then superseded ones. An answer is
   * about 1 MiB at most. While there are more, the header `X-Recollect-Next-Cursor` has the id of the
   * last item: send it as `cursor`.
   *
   * Scope: `memory:read`.
   */
  listDecisions: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      status?: ProjectDecisionStatus | null | undefined;
      impact_level?: ProjectImpactLevel | null | undefined;

      /** This team's workspace. Default: the credential's owner's. */
      team_id?: string | null | undefined;

      /** Continues after the item of this id. */
      cursor?: string | null | undefined;

      /** The most items to return. 1 to 10000. */
      limit?: number | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: ListDecisionsAnswer;
  };

  /**
   * Propose a decision in a project.
   *
   * Scope: `memory:write`.
   */
  createDecision: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
    } & ProjectDecisionCreateRequest;
    answer: ProjectDecisionAnswer;
  };

  /**
   * Delete or redact a decision.
   *
   * Decisions that it superseded stay superseded.
   *
   * Scope: `memory:write` or `memory:delete` or `memory:redact` or `memory:hard_delete`.
   */
  deleteDecision: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      decision_id: string;

      /** hard_delete and redact cannot be undone. */
      mode?: ForgetMode | null | undefined;

      /** 1 to 1024 characters. */
      reason?: string | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
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
      /** The project that it belongs to; not . or .. */
      project_id: string;
      decision_id: string;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: ProjectDecision;
  };

  /**
   * Change a decision's text and details.
   *
   * Once a decision is resolved or superseded, its context, options, impact and due date are fixed:
   * changing them is refused with invalid_transition. Its metadata, source and place can still be
   * changed. null clears a nullable member; metadata is merged as for a todo.
   *
   * Scope: `memory:write` or `memory:update`.
   */
  updateDecision: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      decision_id: string;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    } & ProjectDecisionUpdateRequest;
    answer: ProjectDecisionAnswer;
  };

  /**
   * Reopen a resolved decision.
   *
   * Scope: `memory:write`.
   */
  reopenDecision: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      decision_id: string;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    };
    answer: ProjectDecisionAnswer;
  };

  /**
   * Resolve a decision.
   *
   * Scope: `memory:write`.
   */
  resolveDecision: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      decision_id: string;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
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
      /** The project that it belongs to; not . or .. */
      project_id: string;
      decision_id: string;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    };
    answer: ProjectDecisionAnswer;
  };

  /**
   * Supersede a decision with a new one.
   *
   * The new decision is resolved if you give a resolution_note, otherwise proposed. Returns both, the
   * old one first.
   *
   * Scope: `memory:write`.
   */
  supersedeDecision: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      decision_id: string;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    } & ProjectDecisionSupersedeRequest;
    answer: SupersedeDecisionAnswer;
  };

  /**
   * Report what maintenance would do in a project, and why.
   *
   * Changes nothing. Pass its plan_hash to an execution to do exactly what was listed, for any of the
   * actions; if that is no longer possible, the execution is refused.
   *
   * Scope: `memory:read`.
   */
  reportMaintenance: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;

      /** This team's workspace. Default: the credential's owner's. */
      team_id?: string | null | undefined;

      /** The most memories of the workspace to look at. 1 to 5000. */
      scan_limit?: number | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: ProjectMaintenanceReport;
  };

  /**
   * Run maintenance on a project.
   *
   * Starts one run, which continues even if this request is cut off. Give exactly one of target_ids,
   * confirm_all_matching and plan_hash.
   *
   * Scope: `memory:write`.
   */
  executeMaintenance: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
    } & ProjectMaintenanceExecuteRequest;
    answer: ProjectMaintenanceExecuteAnswer;
  };

  /**
   * List a project's maintenance runs, newest first.
   *
   * Runs are kept for 90 days. A credential that sees only part of the workspace is shown only its own
   * runs.
   *
   * Scope: `memory:read`.
   */
  listMaintenanceRuns: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;

      /** This team's workspace. Default: the credential's owner's. */
      team_id?: string | null | undefined;

      /** 1 to 100. */
      limit?: number | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: ListMaintenanceRunsAnswer;
  };

  /**
   * Undo what a maintenance run expired, archived or merged.
   *
   * Undoes each item that is still as the run left it. A second undo changes nothing and returns the
   * same answer. `conflict` means that the run is still going on, or did nothing that can be undone:
   * purge_deleted, refresh_embeddings and repair_index cannot.
   *
   * Scope: `memory:write`.
   */
  undoMaintenanceRun: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      run_id: string;
    } & ProjectMaintenanceUndoRequest;
    answer: ProjectMaintenanceUndoAnswer;
  };

  /**
   * Read a project's maintenance settings.
   *
   * Returns the defaults, under which nothing runs automatically, if nobody has changed them.
   *
   * Scope: `memory:read`.
   */
  getMaintenanceSettings: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;

      /** This team's workspace. Default: the credential's owner's. */
      team_id?: string | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: ProjectMaintenanceSettings;
  };

  /**
   * Change a project's maintenance settings.
   *
   * Automatic runs act with the access of this credential, which is checked again at each run. A body
   * without any setting changes nothing.
   *
   * Scope: `memory:write`.
   */
  updateMaintenanceSettings: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
    } & ProjectMaintenanceSettingsPatchRequest;
    answer: ProjectMaintenanceSettings;
  };

  /**
   * List a project's todos, most urgent first.
   *
   * Unfinished todos come first, by urgency, then finished ones, newest first. An answer is about 1 MiB
   * at most. While there are more, the header `X-Recollect-Next-Cursor` has the id of the last item:
   * send it as `cursor`.
   *
   * Scope: `memory:read`.
   */
  listTodos: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      status?: ProjectTodoStatus | null | undefined;
      priority?: ProjectTodoPriority | null | undefined;

      /** 1 to 256 characters. */
      assignee_agent_id?: string | null | undefined;

      /** This team's workspace. Default: the credential's owner's. */
      team_id?: string | null | undefined;

      /** Continues after the item of this id. */
      cursor?: string | null | undefined;

      /** The most items to return. 1 to 10000. */
      limit?: number | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
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
      /** The project that it belongs to; not . or .. */
      project_id: string;
    } & ProjectTodoCreateRequest;
    answer: ProjectTodoAnswer;
  };

  /**
   * Delete or redact a todo.
   *
   * Todos that depend on it treat it as cancelled.
   *
   * Scope: `memory:write` or `memory:delete` or `memory:redact` or `memory:hard_delete`.
   */
  deleteTodo: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /** hard_delete and redact cannot be undone. */
      mode?: ForgetMode | null | undefined;

      /** 1 to 1024 characters. */
      reason?: string | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
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
      /** The project that it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: ProjectTodo;
  };

  /**
   * Change a todo's text and details.
   *
   * Only accept, assign, block, complete and the other state operations change its state. null clears a
   * nullable member. metadata is merged at the top level by default, where null deletes a key.
   * depends_on replaces the dependencies that this credential may see.
   *
   * Scope: `memory:write` or `memory:update`.
   */
  updateTodo: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    } & ProjectTodoUpdateRequest;
    answer: ProjectTodoAnswer;
  };

  /**
   * Accept a todo.
   *
   * If several agents try at once, one gets it. Accepting a todo that you already have changes nothing.
   *
   * Scope: `memory:write`.
   */
  acceptTodo: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    };
    answer: ProjectTodoAnswer;
  };

  /**
   * Assign a todo to an agent; only that agent may then accept it.
   *
   * Scope: `memory:write`.
   */
  assignTodo: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    } & ProjectTodoAssignRequest;
    answer: ProjectTodoAnswer;
  };

  /**
   * Mark a todo as blocked, and say why.
   *
   * Scope: `memory:write`.
   */
  blockTodo: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    } & ProjectTodoBlockRequest;
    answer: ProjectTodoAnswer;
  };

  /**
   * Cancel a todo.
   *
   * Scope: `memory:write`.
   */
  cancelTodo: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    } & ProjectTodoCancelRequest;
    answer: ProjectTodoAnswer;
  };

  /**
   * Complete a todo.
   *
   * Refused while a todo that it depends on is unfinished; a cancelled one counts as finished.
   *
   * Scope: `memory:write`.
   */
  completeTodo: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    } & ProjectTodoCompleteRequest;
    answer: ProjectTodoAnswer;
  };

  /**
   * Bring back a soft-deleted todo.
   *
   * Todos that were completed while it was deleted no longer depend on it, unless it is finished itself.
   *
   * Scope: `memory:write` or `memory:restore`.
   */
  restoreTodo: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    };
    answer: ProjectTodoAnswer;
  };

  /**
   * Unblock a todo.
   *
   * It returns to its earlier state, or to assigned if it was assigned to an agent while blocked.
   *
   * Scope: `memory:write`.
   */
  unblockTodo: {
    input: {
      /** The project that it belongs to; not . or .. */
      project_id: string;
      todo_id: string;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;

      /**
       * The ETag you last read, or several; 412 if the memory's current state matches none of them. 1 to
       * 4096 characters.
       */
      if_match?: string | undefined;
    };
    answer: ProjectTodoAnswer;
  };

  /**
   * Recall a pack of memories within a budget, ready to give to a model.
   *
   * Scope: `memory:read`.
   */
  recallContext: { input: RecallContextRequest; answer: ContextAnswer };

  /**
   * Report whether a recalled memory helped.
   *
   * Moves the memory's confidence a tenth of the way towards 1 or 0.
   *
   * Scope: `memory:write` or `memory:update`.
   */
  recallFeedback: { input: RecallFeedbackRequest; answer: RecallFeedbackAnswer };

  /**
   * Explain why recall finds a memory, or why not.
   *
   * Scope: `memory:read`.
   */
  recallWhy: { input: RecallWhyRequest; answer: RecallWhyAnswer };

  /**
   * Read the receipt of a permanent removal.
   *
   * Scope: `memory:read` or `memory:write` or `memory:redact` or `memory:hard_delete`.
   */
  getReceipt: {
    input: {
      receipt_id: string;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: Receipt;
  };

  /**
   * Remember something, without duplicates.
   *
   * Stores a memory, unless an equal live one exists: then its id is returned. The new memory supersedes
   * an older one with the same semantic_key.
   *
   * Scope: `memory:write`.
   */
  remember: { input: MemoryRememberRequest; answer: MemoryRememberAnswer };

  /**
   * Complete a reminder.
   *
   * A recurring reminder (metadata.recurrence) becomes due again at its next occurrence. Completing it
   * again before then changes nothing and returns the same answer.
   *
   * Scope: `memory:write` or `memory:update`.
   */
  completeReminder: {
    input: { reminder_id: string } & ReminderCompleteRequest;
    answer: ReminderCompleteAnswer;
  };

  /**
   * List the skill runtime's operations, and which of them this token may call.
   *
   * Each operation comes with the JSON Schema of its input, its scope and an example.
   */
  listSkillOperations: { input: Record<never, never>; answer: SkillCatalogue };

  /**
   * Issue a skill token, with no more access than your own token.
   *
   * It shares this agent's rate limits. It ends when the agent does, when it expires, or when the token
   * that issued it expires.
   */
  issueSkillToken: { input: SkillTokenRequest; answer: SkillToken };

  /**
   * List the application's end users, by their ids.
   *
   * Scope: `users:act`.
   */
  listEndUsers: {
    input: {
      /** 1 to 1000. */
      limit?: number | null | undefined;

      /** next_cursor of the page before; goes on where it ended. */
      cursor?: string | null | undefined;

      /** Only end users whose id begins with this text. 1 to 128 characters. */
      prefix?: string | null | undefined;
    };
    answer: EndUserList;
  };

  /**
   * Permanently erase an end user, with everything of theirs.
   *
   * Takes two steps. The dry run, which is the default, counts the rows in each table and returns a
   * plan_hash and the id of the receipt. To erase, send dry_run=false with that hash. The hash stays
   * valid even if the end user writes more. Its tokens end at once, and the service removes everything
   * in the background, across restarts. Read the receipt by its id until its state is confirmed. Asking
   * again returns the same erasure. Also needs memory:hard_delete; confined keys cannot erase.
   *
   * Scope: `users:act`.
   */
  eraseEndUser: {
    input: {
      /** The end user, by the application's own id. */
      user_id: string;

      /** Only count and return the plan; nothing changes. */
      dry_run?: boolean | null | undefined;

      /** The plan_hash of the dry run. Required to erase. 1 to 128 characters. */
      plan_hash?: string | null | undefined;
    };
    answer: ErasurePlan;
  };

  /**
   * Read what the service has of one end user, in numbers.
   *
   * Scope: `users:act`.
   */
  getEndUser: {
    input: {
      /** The end user, by the application's own id. */
      user_id: string;
    };
    answer: EndUser;
  };

  /**
   * Export everything of an end user, as JSON lines.
   *
   * The lines are those of `recollect export`, with former versions, and `recollect import` reads them.
   * A page is about 1 MiB at most; while there are more, `X-Recollect-Next-Cursor` says where to go on.
   * Concatenate the pages. Needs memory:read, and knowledge:read for knowledge; confined keys cannot
   * export.
   *
   * Scope: `users:act`.
   */
  exportEndUser: {
    input: {
      /** The end user, by the application's own id. */
      user_id: string;

      /** The most memories of a page. 1 to 500. */
      limit?: number | null | undefined;

      /** next_cursor or X-Recollect-Next-Cursor of the page before. */
      cursor?: string | null | undefined;
    };
    answer: EndUserExport;
  };

  /**
   * Issue a token that is confined to one end user.
   *
   * For the end user's own browser, phone or MCP client. It reaches that end user's space and nothing
   * else, needs no user_id, and has at most the scopes and the reach of this key. It ends when the end
   * user is erased, and when this key is revoked.
   *
   * Scope: `users:act`.
   */
  issueEndUserToken: {
    input: {
      /** The end user, by the application's own id. */
      user_id: string;
    } & EndUserTokenRequest;
    answer: EndUserToken;
  };

  /**
   * List webhooks and their state.
   *
   * Returns the owner's webhooks; a confined credential sees only those that it created itself.
   *
   * Scope: `memory:read`.
   */
  listWebhooks: {
    input: {
      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: WebhookList;
  };

  /**
   * Create a webhook that delivers events to a URL.
   *
   * From now on, events are POSTed to the URL, signed: each at least once, and in order for each memory.
   * Only events that this credential may see are delivered, which is checked for each one. An owner can
   * have up to 20 webhooks.
   *
   * Scope: `memory:write`.
   */
  createWebhook: { input: WebhookRequest; answer: NewWebhook };

  /**
   * Delete a webhook and everything waiting for delivery.
   *
   * Scope: `memory:write`.
   */
  deleteWebhook: {
    input: {
      /** The webhook. */
      webhook_id: string;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: RemovedWebhook;
  };

  /**
   * Read a webhook and its state.
   *
   * Scope: `memory:read`.
   */
  getWebhook: {
    input: {
      /** The webhook. */
      webhook_id: string;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: Webhook;
  };

  /**
   * Change a webhook.
   *
   * From now on it acts with the access of this credential. A failing webhook is retried at once; one
   * that is enabled again continues where it stopped.
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
   * List the events that a webhook gave up on.
   *
   * Only events that this credential may see. They are kept for 30 days.
   *
   * Scope: `memory:read`.
   */
  listDeadLetters: {
    input: {
      /** The webhook. */
      webhook_id: string;

      /** The most to return, oldest first. 1 to 500. */
      limit?: number | null | undefined;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: DeadLetterList;
  };

  /**
   * Redeliver events that a webhook gave up on.
   *
   * They arrive after events delivered in the meantime: compare `revision` to see which change is newer.
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
   * For 24 hours, deliveries carry signatures made with both the old and the new secret.
   *
   * Scope: `memory:write`.
   */
  rotateWebhookSecret: {
    input: {
      /** The webhook. */
      webhook_id: string;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: RotatedWebhookSecret;
  };

  /**
   * Send a test event to a webhook, and report what the receiver answered.
   *
   * Makes one attempt with an event of type webhook.test, signed like a delivery and with the same
   * timeout. It works in every state of the webhook and changes none. A webhook can be tested once every
   * five seconds.
   *
   * Scope: `memory:write`.
   */
  testWebhook: {
    input: {
      /** The webhook. */
      webhook_id: string;

      /**
       * The end user of the application, by the application's own id; also as X-User-Id. Needs the scope
       * users:act. Default: the application's own space.
       */
      user_id?: string | null | undefined;
    };
    answer: TestedWebhook;
  };
}
