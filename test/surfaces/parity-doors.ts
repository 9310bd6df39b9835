import { isRecollectError } from "../../src/client/index.ts";
import type { OperationName } from "../../src/client/operation-table.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { isForVisitors, operationList } from "../../src/contract/operations.ts";
import { doors, isAt, type Reply, UNKNOWN_TOOL } from "../authorization/doors.ts";
import { clientOf } from "../client/door.ts";
import type { World } from "../support/world.ts";

/** A way to have an operation carried out. */
export interface ParityDoor {
  readonly name: string;
  /** Whether the operation can be called through it. */
  readonly has: (operation: Operation) => boolean;
  /** Calls it with a credential and headers, and answers as the contract does, whatever form the door has. */
  readonly call: (
    world: World,
    secret: string,
    operation: Operation,
    input: Record<string, unknown>,
    headers: Readonly<Record<string, string>>,
  ) => Promise<Reply>;
  /** What of an answer over REST the door promises to give, where it is not all. */
  readonly promised?: (operation: Operation, body: Members) => unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** Every door that carries out operations of the contract under their own names. A new one is added here. */
export const parityDoors: readonly ParityDoor[] = [
  { name: "REST", has: () => true, call: doors.REST as ParityDoor["call"] },
  {
    name: "MCP",
    has: ({ mcp }) => mcp !== undefined,
    async call(world, secret, operation, input, headers) {
      const reply = await (doors.MCP as ParityDoor["call"])(world, secret, operation, input, headers);
      // A tool that the credential may not call is not listed, and unknown when it is called.
      if (reply.code === UNKNOWN_TOOL) return { ...reply, code: "insufficient_scope", body: null };
      const list = operation.mcp?.answerAs;
      return list === undefined || reply.code !== null ? reply : { ...reply, body: reply.body[list] };
    },
    promised({ name }, body) {
      if (name === "getProfile") return asProfileCard(body);
      const list = LISTS_OF_CARDS[name];
      if (list === undefined) return body;
      // The plan is for programs.
      const { retrieval_plan: _, ...others } = body;
      return { ...others, [list]: (body[list] as Members[]).map(asCard) };
    },
  },
  {
    name: "Skill",
    has: ({ name }) => isAt("Skill", name),
    async call(world, secret, operation, input, headers) {
      const reply = await (doors.Skill as ParityDoor["call"])(world, secret, operation, input, headers);
      const { body } = reply;
      if (operation.name === "listTodos" && reply.code === null) return { ...reply, body: body.todos };
      if (!Array.isArray(body?.detail)) return reply;
      const detail = body.detail.map((issue: Issue) => ({ ...issue, loc: placeOf(operation, issue) }));
      return { ...reply, body: { ...body, detail } };
    },
  },
  {
    name: "Client",
    // Lines are read by `each`, not by `call`.
    has: (operation) =>
      !isForVisitors(operation) && !isOnItself(operation) && operation.name !== "exportEndUser",
    async call(world, secret, operation, input, headers) {
      const handle = (request: Request) => {
        for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
        return world.handle(request);
      };
      const client = clientOf({ handle }, secret);
      try {
        const body = await (client.call as Call)(operation.name as OperationName, input);
        return { code: null, body, text: JSON.stringify(body) };
      } catch (error) {
        if (!isRecollectError(error)) throw error;
        const { code, issues, message } = error;
        const body = { detail: issues.length > 0 ? issues : message, code };
        return { code, body, text: JSON.stringify(body) };
      }
    },
  },
];

/** What a door promises to give of an answer over REST. */
export function promisedAt(door: string, operation: OperationName, body: object): unknown {
  const { promised } = parityDoors.find(({ name }) => name === door) as ParityDoor;
  const called = operationList.find(({ name }) => name === operation) as Operation;
  return promised ? promised(called, body as Members) : body;
}

/** The lists of memories of which a tool gives no more than says something, by operation. */
/** The text, with the ids that its short ones stand for. */
function asProfileCard({ context_text, items, conflicts }: Members): Members {
  const refs = (items as Members[]).map(({ ref, id, section }) => ({ ref, id, section }));
  return { context_text, items: refs, conflicts };
}

const LISTS_OF_CARDS: Readonly<Record<string, string>> = {
  listMemories: "memories",
  searchMemories: "results",
  recallContext: "items",
};

/** What a memory is unless it says otherwise. */
const DEFAULTS: Members = {
  bucket: "public",
  scope: "private",
  status: "active",
  version: 1,
  importance: 0.5,
  confidence: 1,
};

/** Without what is empty or as by default, how many tokens it has, and what there is to explain where no agent is named. */
function asCard({ tokens: _, score, boundary, updated_at, ...item }: Members): Members {
  const says = ([name, value]: [string, unknown]) =>
    value !== null && value !== false && JSON.stringify(value).length > 2 && value !== DEFAULTS[name];
  const { relation, ownership, boundary_authority } = boundary as Members;
  return {
    ...Object.fromEntries(Object.entries(item).filter(says)),
    ...(updated_at !== item.created_at && { updated_at }),
    ...(score !== undefined && { score: Math.round((score as number) * 1000) / 1000 }),
    boundary: relation === "unattributed" ? { relation, ownership, boundary_authority } : boundary,
  };
}

type Call = (name: OperationName, input: object) => Promise<unknown>;

/** What acts on the credential that asks, or on what it has made for itself, is not the same a second time. */
function isOnItself({ scopes, kinds, http }: Operation): boolean {
  return scopes.length === 0 || kinds !== undefined || http.path.startsWith("/v1/webhooks");
}

interface Issue {
  readonly loc: readonly string[];
}

/** Where REST carries the member that an issue of the skill runtime is about, which has all of them in its input. */
function placeOf({ http }: Operation, { loc }: Issue): readonly string[] {
  const [, , name = "", ...below] = loc;
  const member = name === "id" ? "todo_id" : name;
  if (http.path.includes(`{${member}}`)) return ["path", member, ...below];
  return [["GET", "DELETE"].includes(http.method) ? "query" : "body", member, ...below];
}
