import { McpServer } from "@modelcontextprotocol/server";
import type { OperationName } from "../../contract/operations.ts";
import { SERVICE_ID, SERVICE_NAME, SERVICE_VERSION } from "../../contract/service.ts";
import type { Application } from "../../core/application.ts";
import { type Caller, mayCall } from "../../core/caller.ts";
import { DomainError } from "../../core/error.ts";
import { withMemberPlaces } from "../http/member-places.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { describedSchema } from "./json-schema.ts";
import type { McpLogEntry } from "./log-entry.ts";
import { failure, success } from "./tool-result.ts";
import type { Tool } from "./tools.ts";
import { refuseUnknownArguments } from "./unknown-arguments.ts";

/** One request's server: the tools that the caller may call, and nobody else's anything. */
export function createServer({
  application,
  tools,
  caller,
  admit,
  log,
}: {
  application: Application;
  tools: readonly Tool[];
  caller: Caller;
  /** Counts a call of the tool; rejects where there may be no more of its kind. */
  admit: (tool: Tool) => Promise<void>;
  log: (entry: McpLogEntry) => void;
}): McpServer {
  const server = new McpServer(
    { name: SERVICE_ID, title: SERVICE_NAME, version: SERVICE_VERSION },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
  );
  for (const tool of tools) {
    const { operation } = tool;
    if (!mayCall(caller, operation)) continue;
    const { title, description, annotations } = tool;
    server.registerTool(
      tool.name,
      {
        title,
        description,
        annotations,
        inputSchema: describedSchema(tool.inputSchema),
        outputSchema: describedSchema(tool.outputSchema),
      },
      async (input) => {
        try {
          await admit(tool);
          refuseUnknownArguments(tool, input);
          const name = operation.name as OperationName;
          const answer = await withMemberPlaces(operation, () => application.call(name, caller, input));
          return success(tool, answer);
        } catch (error) {
          if (!(error instanceof DomainError)) {
            log({
              level: "error",
              message: "MCP tool failed",
              requestId: caller.requestId,
              tool: tool.name,
              error,
            });
          }
          return failure(error, caller.requestId);
        }
      },
    );
  }
  return server;
}
