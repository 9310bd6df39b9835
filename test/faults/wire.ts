import type { Asked, Fault } from "./proxy.ts";

/** What goes wrong on the way to the node and back, by name. */
export interface WireFault {
  readonly name: string;
  readonly fault: Fault;
  /** Which requests it hits; all unless given. */
  readonly only?: (asked: Asked) => boolean;
  /** True where searching goes on as if nothing were wrong. */
  readonly searches?: true;
}

const isSearch = ({ path }: Asked) => /\/_m?search\b/.test(path);
const isWrite = ({ path, method }: Asked) => /\/_bulk\b/.test(path) || method === "PUT";

const refusal = (status: number, type: string, reason: string) => ({
  error: { root_cause: [{ type, reason }], type, reason },
  status,
});

const READ_ONLY = refusal(
  403,
  "cluster_block_exception",
  "index [x] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];",
);

const answered = (name: string, status: number, type: string, reason: string): WireFault => ({
  name,
  fault: { kind: "answer", status, body: refusal(status, type, reason) },
});

/** Changes every search answer, those inside an `_msearch` too. */
function eachSearch(change: (answer: Record<string, unknown>) => object): Fault {
  const changed = (answer: unknown): unknown => {
    if (typeof answer !== "object" || answer === null) return answer;
    if ("responses" in answer && Array.isArray(answer.responses))
      return { ...answer, responses: answer.responses.map(changed) };
    return "hits" in answer ? { ...answer, ...change(answer as Record<string, unknown>) } : answer;
  };
  return { kind: "change", to: changed };
}

const NO_HITS = { total: { value: 0, relation: "eq" }, max_score: null, hits: [] };

const SHARD_FAILED = {
  total: 2,
  successful: 1,
  skipped: 0,
  failed: 1,
  failures: [{ shard: 0, index: "x", node: "n", reason: { type: "i_o_exception", reason: "disk" } }],
};

export const WIRE_FAULTS: readonly WireFault[] = [
  { name: "nobody listens", fault: { kind: "refuse" } },
  { name: "connections break before the request", fault: { kind: "cut", at: "request" } },
  { name: "connections break in the middle of an answer", fault: { kind: "cut", at: "middle" } },
  { name: "what was done is not answered", fault: { kind: "cut", at: "answer" } },
  { name: "nothing is answered and nothing closed", fault: { kind: "stall", at: "answer" } },
  { name: "answers stop half-way and nothing is closed", fault: { kind: "stall", at: "middle" } },
  { name: "answers come drop by drop", fault: { kind: "drip" } },
  { name: "the node is slow", fault: { kind: "delay", ms: () => 20_000 } },
  answered("the node is overloaded", 429, "es_rejected_execution_exception", "rejected execution"),
  answered("the node has no master", 503, "master_not_discovered_exception", "no master"),
  answered("a node breaks its circuit", 503, "circuit_breaking_exception", "[parent] Data too large"),
  answered("the node fails", 500, "null_pointer_exception", "null"),
  answered("credentials are refused", 401, "security_exception", "unable to authenticate"),
  answered("a privilege is missing", 403, "security_exception", "action is unauthorized"),
  {
    name: "the disk is full",
    fault: { kind: "answer", status: 403, body: READ_ONLY },
    only: isWrite,
    searches: true,
  },
  {
    name: "writes are throttled, each line of its own",
    fault: { kind: "change", to: throttled },
    only: isWrite,
    searches: true,
  },
  {
    name: "a shard is missing from an answer",
    fault: eachSearch(() => ({ _shards: SHARD_FAILED, hits: NO_HITS })),
    only: isSearch,
  },
  {
    name: "a search ran out of time",
    fault: eachSearch(() => ({ timed_out: true, hits: NO_HITS })),
    only: isSearch,
  },
  {
    name: "a search ended early",
    fault: eachSearch(() => ({ terminated_early: true, timed_out: true })),
    only: isSearch,
  },
  { name: "answers are garbled", fault: { kind: "garble" } },
  { name: "answers are of another shape", fault: { kind: "change", to: () => ({ acknowledged: true }) } },
  { name: "answers are null", fault: { kind: "change", to: () => null } },
  {
    name: "another program answers with a page",
    fault: { kind: "answer", status: 200, body: "<!doctype html><h1>Welcome</h1>", type: "text/html" },
  },
  {
    name: "a gateway answers with a page",
    fault: { kind: "answer", status: 502, body: "<html>Bad Gateway</html>", type: "text/html" },
  },
];

/** Every line of a bulk answer is refused for now. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function throttled(answer: any): unknown {
  if (!Array.isArray(answer?.items)) return answer;
  const error = {
    type: "es_rejected_execution_exception",
    reason: "rejected execution of coordinating operation",
  };
  const items = answer.items.map((item: object) => {
    const [[action, of] = ["index", {}]] = Object.entries(item);
    return { [action]: { _index: of._index, _id: of._id, status: 429, error } };
  });
  return { ...answer, errors: true, items };
}
