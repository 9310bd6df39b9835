import { errorCodes } from "../../src/contract/error.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { isForVisitors, operationList } from "../../src/contract/operations.ts";
import { type SkillOperationName, skillOperationNames, skillOperations } from "../../src/contract/skill.ts";
import { clientOf } from "../support/http-client.ts";
import { askMcp } from "../support/mcp.ts";
import { askSkill } from "../support/skill.ts";
import { askTrpc } from "../support/trpc.ts";
import type { World } from "../support/world.ts";

/** An answer by whichever door: the code of a refusal, or null; and what was said. */
export interface Reply {
  readonly code: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape
  readonly body: any;
  readonly text: string;
}

export type Door = (
  world: World,
  secret: string,
  operation: Operation,
  input: Record<string, unknown>,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

/** What MCP answers for a tool that the caller is not offered. */
export const UNKNOWN_TOOL = "unknown_tool";

/** How each door of the page is knocked at. */
export const doors: Readonly<Record<string, Door>> = {
  REST: throughRest,
  Skill: throughSkill,
  MCP: throughMcp,
  tRPC: throughTrpc,
};

async function throughRest(
  world: World,
  secret: string,
  { http }: Operation,
  given: Record<string, unknown>,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const input = { ...given };
  const path = http.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(input[name]);
    delete input[name];
    return encodeURIComponent(value);
  });
  const isInQuery = http.method === "GET" || http.method === "DELETE";
  const query = isInQuery ? `?${new URLSearchParams(input as Record<string, string>)}` : "";
  const response = await world.handle(
    new Request(`http://localhost${path}${query}`, {
      method: http.method,
      headers: { ...more, "x-api-key": secret, ...(isInQuery ? {} : { "content-type": "application/json" }) },
      ...(isInQuery ? {} : { body: JSON.stringify(input) }),
    }),
  );
  const text = await response.text();
  const body = JSON.parse(text);
  if (response.status < 400) return { code: null, body, text };
  return { code: codeOf(body.code, response.status), body, text };
}

/** True where the door has the operation. */
export function isAt(door: string, name: string): boolean {
  if (door === "MCP") return operationList.some((operation) => operation.name === name && operation.mcp);
  if (door === "tRPC")
    return operationList.some((operation) => operation.name === name && !isForVisitors(operation));
  return door !== "Skill" || skillStandingFor(name) !== undefined;
}

/**
 * The operation of the skill runtime that stands for an operation and takes what a request of it has. States are memories
 * of their own making, whose rules those of `storeMemory` and `listMemories` are.
 */
function skillStandingFor(operation: string): SkillOperationName | undefined {
  return skillOperationNames.find(
    (name) => skillOperations[name].calls === operation && !name.endsWith("-state"),
  );
}

async function throughSkill(
  world: World,
  secret: string,
  operation: Operation,
  given: Record<string, unknown>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const skill = skillStandingFor(operation.name);
  if (!skill) throw new Error(`${operation.name} is no operation of the skill runtime`);
  const { todo_id, ...others } = given;
  const input = todo_id === undefined ? others : { ...others, id: todo_id };
  const client = clientOf("http://localhost", secret, world.handle);
  const { status, body } = await askSkill(client, skill, input, headers);
  const text = JSON.stringify(body);
  if (status >= 400) return { code: codeOf(body.code, status), body, text };
  return { code: null, body: body.result, text };
}

/** `secret` is the cookie of a session. */
async function throughTrpc(
  world: World,
  secret: string,
  { name }: Operation,
  input: Record<string, unknown>,
): Promise<Reply> {
  const { status, body, text } = await askTrpc(world, secret, name, input);
  if (status >= 400) return { code: codeOf(body.error.data.code, status), body, text };
  return { code: null, body: body.result.data, text };
}

async function throughMcp(
  world: World,
  secret: string,
  operation: Operation,
  input: Record<string, unknown>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  if (!operation.mcp) throw new Error(`${operation.name} is no tool`);
  const params = { name: operation.mcp.tool, arguments: input };
  const answer = await rpc(world, secret, "tools/call", params, headers);
  const text = JSON.stringify(answer);
  if (answer.error)
    return { code: /not found|unknown/i.test(text) ? UNKNOWN_TOOL : text, body: answer, text };
  const content = answer.result.structuredContent;
  if (!answer.result.isError) return { code: null, body: content, text };
  if (content === undefined && /not found|unknown/i.test(text))
    return { code: UNKNOWN_TOOL, body: content, text };
  // Where a code is explained, REST says in a header; the bodies are the same but for that.
  const { help: _, ...body } = content;
  return { code: body.code, body, text };
}

/** A tool as a credential is offered it. */
export interface OfferedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties: Readonly<Record<string, object>> };
  readonly outputSchema: object;
}

/** The tools that are offered to a credential. */
export async function offeredTools(world: World, secret: string): Promise<readonly OfferedTool[]> {
  const answer = await rpc(world, secret, "tools/list", {});
  return answer.result.tools;
}

async function rpc(
  world: World,
  secret: string,
  method: string,
  params: object,
  headers: Readonly<Record<string, string>> = {},
) {
  const { status, answer } = await askMcp(world, secret, method, params, headers);
  // A refusal at the door itself is no protocol message: the error body that REST has.
  if (status >= 400 && answer.code)
    return { result: { isError: true, structuredContent: { ...answer, code: codeOf(answer.code, status) } } };
  return answer;
}

/** The code, where the status is the one that goes with it. */
function codeOf(code: unknown, status: number): string {
  const known = (errorCodes as Record<string, { status: number }>)[String(code)];
  return known?.status === status ? String(code) : `${status} ${code}`;
}
