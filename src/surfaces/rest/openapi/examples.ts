import { TOKEN_PREFIXES } from "../../../core/access/token-prefixes.ts";
import type { JsonSchema } from "./open-api.ts";

/**
 * Example ids by kind, in the form that the service generates or that a caller would choose. The same object has the
 * same id in every example.
 */
const IDS: Readonly<Record<string, string>> = {
  memory: "019c1347-d280-7a5e-9c41-3d2f8b6e0a17",
  todo: "019c1347-e608-7c1b-8f02-5a9d4e7b6c30",
  decision: "019c1347-f990-7d42-b6a3-1e8c0f5d2b94",
  webhook: "019c1348-0d18-72f7-a1d8-6b3e9c4f7052",
  run: "019c1348-20a0-7b96-8e5c-0f7a2d1b4c68",
  erasure: "019c1348-3428-7e0d-9b7f-4c6a8e2d1f35",
  key: "019c1348-47b0-7384-8d1e-9f2b5c7a6e03",
  receipt: "81e64c92-e8de-4dcd-a45b-f6c6cc1d10e1",
  team: "019c1340-0000-7f11-8a2c-7d4e6b9f3c58",
  owner: "019c1330-0000-7c23-b94d-2e8f1a6c5d70",
  agent: "agent_019c1346-e820-7d35-9a6b-8c1f4e2d7b09",
  project: "apollo",
  session: "release-7",
};

/** The kind of object that a member identifies, if its name does not say so. For example, a reminder is a memory. */
const NAMED_BY: Readonly<Record<string, string>> = {
  reminder: "memory",
  source_memory: "memory",
  task: "todo",
};

/** Ids for references to another object of the same kind. */
const OTHERS: Readonly<Record<string, string>> = {
  memory: "019c1347-bef8-7e93-8b25-0c7d5f1a9e46",
  todo: "019c1347-ab70-7218-9d6f-4b8e3c0a5f72",
  decision: "019c1347-97e8-70c4-a83b-6f1d9e5c2a08",
  key: "019c1347-8460-7a6f-b502-8d3c7e9f1b54",
};
const REFERS_TO_OTHERS = /^(superseded_by|supersedes|superseded|remaining|previous_id|repetition_of|into)$/;

/** Example times, in order: created, then changed or begun, then ended, and in the future. */
const TIMES = {
  made: "2026-01-31T09:00:00.000Z",
  changed: "2026-01-31T09:05:00.000Z",
  ended: "2026-01-31T09:10:00.000Z",
  ahead: "2026-02-28T09:00:00.000Z",
} as const;

function timeOf(member: string): string {
  if (/^(expires|due|next_run|review)_|_until$|^valid_to$/.test(member)) return TIMES.ahead;
  if (
    /^(finished|ended|completed|cancelled|resolved|archived|redacted|undone|given_up|approved)_/.test(member)
  )
    return TIMES.ended;
  return /^(created|occurred|started|requested|valid_from)/.test(member) ? TIMES.made : TIMES.changed;
}

/** Example texts of members whose schema has none. */
const WORDS: Readonly<Record<string, string>> = {
  content: "The staging database moved to db-2 on Friday.",
  text: "The staging database moved to db-2 on Friday.",
  path: "notes/deploys",
  path_prefix: "notes",
  bucket: "work",
  memory_type: "semantic",
  semantic_key: "staging.database",
  logic_path: "infrastructure.staging",
  source: "Kim",
  query: "Where is the staging database?",
  etag: '"3d2f8b6e0a17-1"',
  token_kind: "api_key",
  operation: "update",
  options: "Postgres",
  resolution: "Postgres",
  decision: "Postgres",
  title: "The database",
  context: "Which database do we build on?",
  decision_context: "Which database do we build on?",
  rationale: "We know it well.",
  currency: "EUR",
  date: "2026-01-31",
  url: "https://hooks.example/recollect",
  secret: "a-secret-shown-once",
  token: `${TOKEN_PREFIXES.agent_formal}EXAMPLE`,
  temporary_token: `${TOKEN_PREFIXES.agent_temporary}EXAMPLE`,
  confirmation_token: `${TOKEN_PREFIXES.confirmation}EXAMPLE`,
  claim_code: "1B4B-2Z69-7DDB",
  bind_url: "https://recollect.example/bind?code=1B4B-2Z69-7DDB",
  digest: "778321a410efcbecf42c7d970d3db07068f4a1942dd3c4dc0b25add53b7be5a9",
  plan_hash: "1000.4cdc49fb469143eda4a9e0878950e90a",
  next_cursor: "20",
  request_id: "019c1348-5b38-7f60-9e14-3a7c0d8b2f91",
  filter: "path",
  engine: "embedded",
  retrievers: "lexical",
  team_name: "Apollo",
};

/** Example of any other text. */
const SOME_TEXT = "Some text";

/** The context of an example value: its member, and the kind of object. */
export interface Place {
  readonly member: string;
  readonly of: string;
}

/** Returns the kind of object that the operations below a path act on. */
export function kindBelow(path: string): string {
  const words = path.split("/").map((part) => part.replace(/^\{(\w+)_id\}$/, "$1"));
  return words.flatMap((word) => kindNamed(word) ?? []).findLast((kind) => kind !== "project") ?? "memory";
}

/** Returns the kind that a word names, in the singular or plural. */
function kindNamed(word: string): string | undefined {
  return [word, word.replace(/s$/, ""), word.replace(/ies$/, "y")]
    .map((one) => NAMED_BY[one] ?? one)
    .find((one) => one in IDS);
}

/** Returns a minimal example value: the required members, or else the first member with an example. */
export function exampleOf(
  unresolved: JsonSchema,
  resolve: (schema: JsonSchema) => JsonSchema,
  place: Place = { member: "", of: "memory" },
): unknown {
  const schema = resolve(unresolved);
  const { examples, type, properties, required = [], ...rest } = schema;
  if (rest.const !== undefined) return rest.const;
  if (rest.format === "date-time" && place.member !== "") return timeOf(place.member);
  if (examples && examples.length > 0) return examples[0];
  if (rest.default !== undefined) return rest.default;
  if (rest.enum) return rest.enum[0];
  if (rest.anyOf?.[0]) return exampleOf(rest.anyOf[0], resolve, place);
  if (properties) {
    const showing = Object.keys(properties).find((name) => hasShown(properties[name] ?? {}, resolve));
    const names = required.length > 0 ? required : showing === undefined ? [] : [showing];
    const of = kindNamed(place.member) ?? place.of;
    return Object.fromEntries(
      names.map((member) => [member, exampleOf(properties[member] ?? {}, resolve, { member, of })]),
    );
  }
  if (type === "array") return [exampleOf(rest.items ?? {}, resolve, place)];
  if (type === "object") return {};
  if (type === "integer" || type === "number") return rest.minimum ?? 1;
  if (type === "boolean") return true;
  return textOf(place, schema);
}

function textOf(place: Place, { pattern, maxLength = Number.POSITIVE_INFINITY, format }: JsonSchema): string {
  const { member } = place;
  const fitting = [WORDS[member] ?? WORDS[member.replace(/s$/, "")], idOf(place), SOME_TEXT].find(
    (text) =>
      text !== undefined &&
      text.length <= maxLength &&
      (pattern === undefined || new RegExp(pattern).test(text)) &&
      (format !== "uuid" || UUID.test(text)),
  );
  return fitting ?? (IDS[place.of] as string);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the example id of a member; undefined if it is not an id. */
function idOf({ member, of }: Place): string | undefined {
  if (member === "depends_on") return OTHERS.todo;
  if (REFERS_TO_OTHERS.test(member)) return OTHERS[of] ?? OTHERS.memory;
  if (/^(id|ids|target_ids?)$/.test(member)) return IDS[of];
  const named = /^(?:.*_)?(agent|session|project|team|owner)_ids?$/.exec(member)?.[1];
  const kind = /^(.+)_ids?$/.exec(member)?.[1];
  if (named !== undefined) return IDS[named];
  if (kind !== undefined) return IDS[kindNamed(kind) ?? of];
  return member === "projects" ? IDS.project : undefined;
}

function hasShown(schema: JsonSchema, resolve: (schema: JsonSchema) => JsonSchema): boolean {
  const { examples, default: fallback } = resolve(schema);
  return examples !== undefined || fallback !== undefined;
}
