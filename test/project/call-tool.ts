import type { World } from "../support/world.ts";

/** The answer of a tool on the MCP door. */
export async function callTool(
  world: World,
  token: string,
  name: string,
  input: object,
  headers: Readonly<Record<string, string>> = {},
  // biome-ignore lint/suspicious/noExplicitAny: an answer as it comes
): Promise<any> {
  const response = await world.handle(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: input },
      }),
    }),
  );
  const text = await response.text();
  const answer = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return answer.result ?? answer;
}
