import type { World } from "./world.ts";

/** What the MCP door answers to one message, be it in a stream or not. */
export async function askMcp(
  world: Pick<World, "handle">,
  token: string,
  method: string,
  params: object,
  headers: Readonly<Record<string, string>> = {},
  address = "/mcp",
) {
  const response = await world.handle(
    new Request(new URL(address, "http://localhost"), {
      method: "POST",
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    }),
  );
  const text = await response.text();
  const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
  const json = isStream ? /^data: (.*)$/m.exec(text)?.[1] : text;
  // biome-ignore lint/suspicious/noExplicitAny: an answer as it comes
  return { status: response.status, answer: JSON.parse(json ?? text) as any };
}

/** The result of a tool; the whole answer where there is none. */
export async function callTool(
  world: World,
  token: string,
  name: string,
  input: object,
  headers: Readonly<Record<string, string>> = {},
) {
  const { answer } = await askMcp(world, token, "tools/call", { name, arguments: input }, headers);
  return answer.result ?? answer;
}
