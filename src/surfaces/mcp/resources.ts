import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { getAgentStatus } from "../../contract/agent-operations.ts";
import { getMemory } from "../../contract/memory-operations.ts";
import type { Operation } from "../../contract/operation.ts";
import { isForVisitors, operationList } from "../../contract/operations.ts";
import type { Profile } from "../../contract/profile.ts";
import { getProfile } from "../../contract/profile-operations.ts";
import type { ProjectContextPack } from "../../contract/project-context.ts";
import { projectContext } from "../../contract/project-context-operations.ts";
import { SERVICE_ID } from "../../contract/service.ts";
import { type Caller, mayCall } from "../../core/caller.ts";
import { invalid } from "../../core/error.ts";
import { asProtocolError, type Serving } from "./serving.ts";
import { success } from "./tool-result.ts";
import { contractTools } from "./tools.ts";

/** An MCP resource: a client can read it by its address and show it to a model without a tool call. */
interface Resource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** The part of the address after `recollect://`. A template if it contains `{id}`. */
  readonly place: string;
  /** The operation that provides the content. The resource is listed if the caller may call it. */
  readonly operation: Operation;
  readonly inputOf: (id: string) => object;
  readonly textOf: (answer: unknown) => string | Promise<string>;
}

const json = (answer: unknown) => JSON.stringify(answer);

/** Formats an answer as for a tool, within the same limit. */
async function structured(name: string, answer: unknown): Promise<unknown> {
  const tool = contractTools().find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return (await success(tool, answer, {})).result.structuredContent;
}

const resources: readonly Resource[] = [
  {
    name: "memory",
    title: "Memory",
    description: "One memory by its id, as get_memory returns it",
    mimeType: "application/json",
    place: "memories/{id}",
    operation: getMemory as unknown as Operation,
    inputOf: (id) => ({ memory_id: id }),
    textOf: async (memory) => json(await structured("get_memory", memory)),
  },
  {
    name: "profile",
    title: "Profile",
    description: "What is known without a question, as the text that get_profile returns",
    mimeType: "text/markdown",
    place: "profile",
    operation: getProfile as unknown as Operation,
    inputOf: () => ({}),
    textOf: (answer) => (answer as Profile).context_text,
  },
  {
    name: "project",
    title: "Project",
    description: "What matters in a project now, as the text that project_context returns",
    mimeType: "text/markdown",
    place: "projects/{id}",
    operation: projectContext as unknown as Operation,
    inputOf: (id) => ({ project_id: id }),
    textOf: (answer) => (answer as ProjectContextPack).context_text,
  },
  {
    name: "agent",
    title: "This agent",
    description: "How the service knows this agent: whether it is bound, its trust level, its scopes",
    mimeType: "application/json",
    place: "agent",
    operation: getAgentStatus as unknown as Operation,
    inputOf: () => ({}),
    textOf: json,
  },
];

/** Registers the resources that the caller may read, and the catalogue of operations that it may call. */
export function registerResources(server: McpServer, serving: Serving): void {
  const { caller } = serving;
  for (const { name, place, operation, inputOf, textOf, ...shown } of resources) {
    if (!mayCall(caller, operation)) continue;
    const read = async ({ href: uri }: URL, id: string) => {
      const answer = await asProtocolError(
        serving,
        name,
        async () => serving.call(operation, inputOf(decoded(id))),
        uri,
      );
      return { contents: [{ uri, mimeType: shown.mimeType, text: await textOf(answer) }] };
    };
    const address = `${SERVICE_ID}://${place}`;
    if (place.includes("{id}")) {
      // Not listed: there may be 100,000 memories, and search_memories and list_memories find them.
      const template = new ResourceTemplate(address, { list: undefined });
      server.registerResource(name, template, shown, (uri, { id }) => read(uri, String(id)));
    } else server.registerResource(name, address, shown, (uri) => read(uri, ""));
  }
  const catalogue = {
    title: "Operations",
    description: "Everything that this credential may do, over REST and as tools",
    mimeType: "application/json",
  };
  server.registerResource("operations", `${SERVICE_ID}://operations`, catalogue, ({ href: uri }) => ({
    contents: [{ uri, mimeType: catalogue.mimeType, text: json({ operations: catalogueFor(caller) }) }],
  }));
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw invalid(["params", "uri"], "is not percent-encoded as a URI is");
  }
}

/** Returns the operations that the caller may call, with their addresses. The schemas are in `/openapi.json`. */
function catalogueFor(caller: Caller) {
  return operationList
    .filter((operation) => !isForVisitors(operation) && mayCall(caller, operation))
    .map(({ name, summary, effect, scopes, http, mcp }) => ({
      operation: name,
      summary,
      effect,
      scopes,
      http: `${http.method} ${http.path}`,
      ...(mcp ? { tool: mcp.tool } : {}),
    }));
}
