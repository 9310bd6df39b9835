import { type Tool as ListedTool, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { coreTools } from "../../contract/tool-set.ts";
import { mayCall } from "../../core/caller.ts";
import { DomainError } from "../../core/error.ts";
import type { OnProgress } from "../../core/progress.ts";
import { instructionsFor, moreTools, serverInfo } from "./introduction.ts";
import { describedSchema } from "./json-schema.ts";
import { registerMemoryCard } from "./memory-card.ts";
import { registerPrompts } from "./prompts.ts";
import { registerResources } from "./resources.ts";
import type { Serving } from "./serving.ts";
import { failure, refuseUnknownArguments, success, unlisted } from "./tool-result.ts";
import { contractTools, listedSchema, type Tool } from "./tools.ts";

/** Creates the server of one request, with the tools, resources and prompts that the caller may use. */
export function createServer(serving: Serving): McpServer {
  const unchanging = { listChanged: false };
  const isCore = serving.toolSet === "core";
  const tools = contractTools().filter(({ operation }) => mayCall(serving.caller, operation));
  const listed = isCore ? tools.filter(isInCore) : tools;
  const names = listed.map(({ name }) => name);
  const server = new McpServer(serverInfo(serving.publicUrl), {
    instructions: instructionsFor(names, serving.toolSet, serving.publicUrl),
    capabilities: { tools: unchanging, resources: unchanging, prompts: unchanging },
  });
  for (const tool of tools) registerTool(server, serving, tool);
  if (isCore)
    server.server.setRequestHandler("tools/list", () => ({
      tools: listed.map((tool) => listedInCore(tool, serving)),
    }));
  registerResources(server, serving);
  if (names.includes("recall_context")) registerMemoryCard(server);
  registerPrompts(server, serving);
  return server;
}

function isInCore({ name }: Tool): boolean {
  return coreTools.includes(name);
}

/** A tool as listed in the set `core`. */
function listedInCore(tool: Tool, { caller }: Serving): ListedTool {
  const { name, title, description, annotations, outputSchema } = tool;
  const inputSchema = listedSchema(tool, caller, "core");
  return { name, title, description, annotations, inputSchema, outputSchema, ...metaOf(tool) } as ListedTool;
}

function metaOf({ presentation: { meta } }: Tool): { readonly _meta?: Record<string, unknown> } {
  return meta === undefined ? {} : { _meta: { ...meta } };
}

function registerTool(server: McpServer, serving: Serving, tool: Tool): void {
  const { caller, call, failed, publicUrl, toolSet } = serving;
  const { name, title, description, annotations } = tool;
  const inputSchema = describedSchema(listedSchema(tool, caller, "full"));
  const outputSchema = describedSchema(tool.outputSchema);
  server.registerTool(
    name,
    { title, description, annotations, inputSchema, outputSchema, ...metaOf(tool) },
    async (input, context) => {
      try {
        if (toolSet === "core" && !isInCore(tool)) return unlisted(name, moreTools(publicUrl));
        const check = () => refuseUnknownArguments(tool, input);
        const options = { check, onProgress: reporterOf(context), requestId: context.mcpReq.id };
        let answer = await success(tool, await call(tool.operation, input, options), input);
        // If the page is too large, repeats the call with a limit that fits. Its cursor continues after these entries.
        for (let { pageLength: limit } = answer; limit !== null; { pageLength: limit } = answer) {
          const page = { ...(input as object), limit };
          answer = await success(tool, await call(tool.operation, page, options), page);
        }
        return answer.result;
      } catch (error) {
        if (!(error instanceof DomainError)) failed(name, error);
        return failure(error, { requestId: caller.requestId, publicUrl });
      }
    },
  );
}

/** Reports a call's progress if the client asked for it. The answer is an event stream then. */
function reporterOf({ mcpReq }: ServerContext): OnProgress | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return ({ done: progress, total }) => {
    const params = { progressToken, progress, ...(total !== null && { total }) };
    // Ignores a disconnected client: a call that changes something continues regardless.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
