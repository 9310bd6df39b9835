import { createRandom, type Random } from "./random.ts";

/** A request before it is a `Request`: printable, so that a failure can be repeated. */
interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

/** Pieces of JSON that a schema, a parser or a database may stumble over. */
const VALUES = [
  "null",
  "true",
  "false",
  "0",
  "-0",
  "-1",
  "1.5",
  "1e308",
  "-1e308",
  "1e999",
  "9007199254740993",
  "4294967296",
  "0.1e-400",
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\uffff\\ufffe"',
  '"\\u202e\\u2066"',
  '"%"',
  '"%%%%"',
  '"_"',
  '"\\\\"',
  '"%\\\\"',
  '"\'"',
  '"\' or 1=1 --"',
  '"$1"',
  '"\\"); drop table memories; --"',
  '"💥👩‍👩‍👧‍👦"',
  '"e\\u0301"',
  '"ﷺ"',
  '"/"',
  '"//../.."',
  '"__proto__"',
  '"constructor"',
  '"NaN"',
  '"Infinity"',
  '"true"',
  '"1"',
  '"knowledge"',
  '"ledger"',
  '"active"',
  '"expired"',
  '"team"',
  '"2026-01-01T00:00:00Z"',
  '"0001-01-01T00:00:00Z"',
  '"0000-12-31T23:59:59Z"',
  '"9999-12-31T23:59:59.999999999Z"',
  '"9999-12-31T23:59:59-23:59"',
  '"0001-01-01T00:00:00+23:59"',
  '"2026-02-30T00:00:00Z"',
  '"2026-01-01T00:00:00+99:99"',
  '"-271821-04-20T00:00:00Z"',
  '"00000000-0000-4000-8000-000000000000"',
  '"hard_delete"',
  '"redact"',
  "[]",
  "{}",
  "[null]",
  '{"":""}',
  '{"__proto__":{"x":1}}',
  '{"__proto__":"x"}',
  '{"\\u0000":1}',
  '{"a":"\\u0000"}',
  '{"a":{"b":{"c":[1,{"d":"\\udc00"}]}}}',
  '{"a":1e400}',
  '{"occurred_at":"x"}',
  '{"due_at":5}',
  '{"authority":[]}',
  '{"project_id":"a b"}',
  '{"project_id":{}}',
  '{"session_id":""}',
  '{"agent_id":["x"]}',
  '{"repeated_by":"x"}',
  '{"constructor":null,"toString":1}',
  "[1,2,3]",
  "[1e308,1e308]",
  "[0,0,0]",
  '["x"]',
  deep(20),
  deep(63),
  deep(64),
  deep(65),
  deep(100),
  deep(127),
  deep(200),
  `{"a":${deep(70)}}`,
  JSON.stringify("x".repeat(129)),
  JSON.stringify("x".repeat(513)),
  JSON.stringify("a/".repeat(300)),
  JSON.stringify("%a".repeat(900)),
  JSON.stringify("é".repeat(65_536)),
  JSON.stringify("x".repeat(65_537)),
  JSON.stringify({ a: "x".repeat(65_600) }),
  JSON.stringify("\n".repeat(5000)),
  JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`k${n}`, n]))),
];

/** Text for query strings and paths, as it is sent. */
const RAW = [
  "",
  "%",
  "%25",
  "%00",
  "%2",
  "%zz",
  "%C0%AF",
  "%ED%A0%80",
  "%F0%9F%92%A5",
  "%E2%80%AE",
  "..",
  "%2e%2e",
  "%2F",
  "+",
  "a+b",
  "'",
  "%27%20or%201=1--",
  "null",
  "true",
  "0",
  "-1",
  "1",
  "5",
  "1000",
  "1001",
  "101",
  "1e3",
  "1e999",
  "0x10",
  "1.0",
  "NaN",
  "__proto__",
  "constructor",
  "active",
  "knowledge",
  "soft_deleted",
  "hard_delete",
  "redact",
  "2026-01-01T00:00:00Z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "x",
  "a%5C_b",
  "%25a%25",
  "Europe/Berlin",
  "1767225600000.12",
  "-1.1",
  "999999999999999.999999999999999",
  "a".repeat(130),
  "a".repeat(3000),
  "%25a".repeat(600),
  "00000000-0000-4000-8000-000000000000",
];

const HEADER_TEXTS = [
  "",
  " ",
  "x",
  "*",
  '"x"',
  'W/"x"',
  '"',
  ",,,",
  "application/json",
  "application/problem+json",
  "application/json; charset=utf-16",
  "text/plain",
  "gzip",
  "identity",
  "-1",
  "999999999",
  "\u00e9\u00ff",
  "a".repeat(256),
  "a".repeat(300),
  "a b",
  "'; drop table memories; --",
  "null",
  "__proto__",
  "key-1",
  "key-2",
  "key-3",
  ";q=",
  "*/*;q=0.1, application/problem+json",
];

const HEADERS = [
  "accept",
  "content-type",
  "content-encoding",
  "idempotency-key",
  "if-match",
  "x-request-id",
  "x-agent-id",
  "x-agent-name",
  "x-agent-instance",
  "x-session-id",
  "x-task-id",
  "x-project-id",
];

const MEMBERS = [
  "content",
  "path",
  "metadata",
  "source",
  "logic_path",
  "embedding",
  "bucket",
  "memory_id",
  "semantic_key",
  "memory_type",
  "version",
  "status",
  "superseded_by",
  "embedding_provider",
  "embedding_model",
  "embedding_dimension",
  "importance",
  "confidence",
  "expires_at",
  "scope",
  "team_id",
  "provenance",
  "dedupe",
  "items",
  "query",
  "limit",
  "threshold",
  "max_items",
  "max_tokens",
  "prefer_working",
  "include_knowledge",
  "mode",
  "reason",
  "replacement_content",
  "filter",
  "dry_run",
  "plan_hash",
  "note",
  "helpful",
  "merge_metadata",
  "merge_provenance",
  "detect_conflicts",
  "supersession_reason",
  "as_of",
  "asked_at",
  "time_zone",
  "candidate_count",
  "retrievers",
  "project_id",
  "explain",
  "offset",
  "cursor",
  "if_match",
  "__proto__",
  "metadata.a",
  "metadata.__proto__",
  "metadata.",
  "metadata",
  "reminder_id",
  "",
];

/** Requests that are fine, for the hostile to start from: method, path and members as JSON. */
const FINE: readonly [string, string, Readonly<Record<string, string>>?][] = [
  ["POST", "/v1/remember", { content: '"The bell is red."', path: '"p"' }],
  ["POST", "/v1/memories", { content: '"The bell is blue."', path: '"p/q"', memory_id: '"chosen"' }],
  ["POST", "/v1/memories", { content: '"r"', path: '"p"', memory_type: '"reminder"', semantic_key: '"k"' }],
  [
    "POST",
    "/v1/memories/batch",
    { items: '[{"content":"one","path":"p"},{"content":"two","path":"p","dedupe":true}]' },
  ],
  ["GET", "/v1/memories"],
  ["GET", "/v1/memories/search?query=bell"],
  ["GET", "/v1/recall?query=bell"],
  ["POST", "/v1/recall/context", { query: '"bell"' }],
  ["POST", "/v1/recall/why", { query: '"bell"', memory_id: '"{id}"' }],
  ["POST", "/v1/recall/feedback", { memory_id: '"{id}"', helpful: "true" }],
  ["GET", "/v1/memories/{id}"],
  ["GET", "/v1/memories/{id}/versions"],
  ["PATCH", "/v1/memories/{id}", { content: '"changed"' }],
  ["DELETE", "/v1/memories/{id}"],
  ["DELETE", "/v1/memories/{id}?mode=redact"],
  ["POST", "/v1/memories/{id}/forget", { mode: '"soft_delete"' }],
  ["POST", "/v1/memories/{id}/restore"],
  ["POST", "/v1/reminders/{id}/complete", {}],
  ["POST", "/v1/memories/delete", { filter: '{"path":"p"}' }],
  ["GET", "/v1/receipts/{id}"],
  ["GET", "/openapi.json"],
];

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "X"];

/** One request: a fine one, of which a few things were made strange. */
function hostileRequest(random: Random, ids: readonly string[]): HostileRequest {
  const [fineMethod, finePath, fineMembers] = random.pick(FINE);
  const id = random.below(4) === 0 ? random.pick(RAW) : random.pick([...ids, "chosen", "unknown"]);
  const method = random.below(25) === 0 ? random.pick(METHODS) : fineMethod;
  const path = strangePath(random, finePath.replace("{id}", id));
  const headers: Record<string, string> = {};
  if (random.below(3) === 0)
    for (let n = random.below(3); n >= 0; n--) headers[random.pick(HEADERS)] = random.pick(HEADER_TEXTS);
  if (method === "GET" || method === "HEAD") return { method, path, headers };
  return {
    method,
    path,
    headers: { "content-type": "application/json", ...headers },
    body: strangeBody(random, fineMembers, id),
  };
}

function strangePath(random: Random, path: string): string {
  let strange = path;
  const hasQuery = path.includes("?");
  for (let n = random.below(4); n > 0; n--) {
    strange += `${strange.includes("?") ? "&" : "?"}${encodeURIComponent(random.pick(MEMBERS))}=${random.pick(RAW)}`;
  }
  if (!hasQuery && random.below(30) === 0)
    strange = `/${Array.from({ length: random.below(6) }, () => random.pick(RAW)).join("/")}`;
  return strange;
}

function strangeBody(
  random: Random,
  fine: Readonly<Record<string, string>> | undefined,
  id: string,
): string | undefined {
  const way = random.below(20);
  if (way === 0) return undefined;
  if (way === 1) return random.pick(VALUES);
  if (way === 2)
    return random.pick([
      "{",
      "}",
      "\u0000",
      "[".repeat(100_000),
      '{"content":',
      "\ufeff{}",
      "{}{}",
      "'",
      " ".repeat(1_100_000),
    ]);
  const members = { ...fine };
  for (let n = random.below(4); n > 0; n--) members[random.pick(MEMBERS)] = random.pick(VALUES);
  if (random.below(3) === 0) {
    const names = Object.keys(members);
    if (names.length > 0) members[random.pick(names)] = random.pick(VALUES);
  }
  if ("items" in members && random.below(2) === 0)
    members.items = `[${random.pick(VALUES)},{"content":"x","path":"p","${random.pick(MEMBERS)}":${random.pick(VALUES)}}]`;
  if ("filter" in members && random.below(2) === 0)
    members.filter = `{"${random.pick(MEMBERS)}":${random.pick(VALUES)}}`;
  const text = Object.entries(members).map(
    ([name, value]) => `${JSON.stringify(name)}:${value.replace("{id}", id.replace(/[^\w.:-]/g, ""))}`,
  );
  return `{${text.join(",")}}`;
}

/** What is shot at, and with what. */
interface Target {
  /** Where the service is, such as `http://127.0.0.1:8787`. */
  readonly base: string;
  readonly token: string;
  readonly send: (request: Request) => Promise<Response>;
  readonly count: number;
  readonly seed: number;
  /** A text that changes with all that is stored, where the database can be reached: what is refused must not change it. */
  readonly fingerprint?: () => Promise<string>;
}

/** What a bombardment came to. */
export interface Outcome {
  /** Each: what was wrong, and the request that did it. Empty where all was well. */
  readonly failures: string[];
  /** How many answers had each status. */
  readonly statuses: Record<number, number>;
}

/**
 * Sends hostile requests one after the other: none may be answered by a 5xx, go without an id or, refused, without a
 * code, and one that is refused (4xx) may not change anything. The same seed sends the same to the same service.
 */
export async function bombard(target: Target): Promise<Outcome> {
  const random = createRandom(target.seed);
  const outcome: Outcome = { failures: [], statuses: {} };
  const ids: string[] = ["chosen"];
  let before = await target.fingerprint?.();
  for (let n = 0; n < target.count; n++) {
    const shot = hostileRequest(random, ids);
    const url = `${target.base}${shot.path}`;
    if (!URL.canParse(url)) continue;
    const response = await target.send(requestOf(target, url, shot));
    const text = await response.text();
    outcome.statuses[response.status] = (outcome.statuses[response.status] ?? 0) + 1;
    const after = await target.fingerprint?.();
    const wrong =
      whatIsWrong(shot, response, text) ??
      (response.status >= 400 && after !== before ? "refused, and yet something has changed" : null);
    if (wrong)
      outcome.failures.push(
        `#${n} ${wrong}: ${response.status} for ${JSON.stringify(shot).slice(0, 2000)}: ${text.slice(0, 300)}`,
      );
    if (response.status === 201) ids.push(...idsIn(text));
    if (ids.length > 50) ids.splice(0, ids.length - 50);
    before = after;
  }
  return outcome;
}

function requestOf({ token }: Target, url: string, { method, headers, body }: HostileRequest): Request {
  return new Request(url, {
    method,
    headers: { ...headers, "x-api-key": token },
    ...(body === undefined ? {} : { body }),
  });
}

function whatIsWrong({ method }: HostileRequest, { status, headers }: Response, text: string): string | null {
  if (status >= 500) return "a fault of the service";
  // Node's own parser answers a method that HTTP does not know.
  if (method === "X" && status === 400) return null;
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(headers.get("x-request-id") ?? "")) return "no X-Request-Id";
  if (method === "HEAD" || status < 400) return null;
  try {
    return typeof JSON.parse(text).code === "string" ? null : "no code";
  } catch {
    return "no JSON";
  }
}

function idsIn(text: string): string[] {
  return [...text.matchAll(/"id":"([\w.:-]+)"/g)].map(([, id = ""]) => id);
}
