// The plugin for OpenCode. A hook that throws or waits would end or delay the turn, so none of them does.
import { createMemory } from "./agent-memory.mjs";

const AGENT = "opencode";
/** OpenCode waits this long for the tools when it starts. */
const TOOLS_WITHIN_MS = 1_500;

export const Recollect = async ({ client }) => {
  const log = (message) =>
    client.app.log({ body: { service: "recollect", level: "warn", message } }).catch(() => {});
  const memory = createMemory(AGENT, { log });
  /** The recalled text of each session's current turn. */
  const recalled = new Map();
  /** Sessions of subagents, whose prompts are written by the agent. */
  const children = new Set();
  let capturing = Promise.resolve();

  return {
    /** The tools are those of the MCP server, unless the user has configured it differently. */
    async config(config) {
      const { url, key } = memory.connection;
      if (key === null) return;
      config.mcp ??= {};
      config.mcp.recollect ??= {
        type: "remote",
        url: `${url}/mcp?tools=core`,
        headers: { Authorization: `Bearer ${key}`, "X-Agent-Id": AGENT },
        oauth: false,
        timeout: TOOLS_WITHIN_MS,
      };
    },

    async "chat.message"({ sessionID }, { parts }) {
      recalled.delete(sessionID);
      if (children.has(sessionID)) return;
      const text = await memory.recall(textOf(parts), sessionID);
      if (text !== null) recalled.set(sessionID, text);
    },

    async "experimental.chat.system.transform"({ sessionID }, { system }) {
      if (recalled.has(sessionID)) system.push(recalled.get(sessionID));
    },

    async event({ event: { type, properties } }) {
      if (type === "session.created" && properties.info.parentID) children.add(properties.info.id);
      if (type === "session.deleted") recalled.delete(properties.info.id);
      if (type === "session.idle" && !children.has(properties.sessionID)) {
        capturing = captureTurn(client, memory, properties.sessionID).catch((error) => log(error.message));
        await capturing;
      }
    },

    async dispose() {
      await capturing;
    },
  };
};

/** Captures the last prompt of a session and the answers to it. */
async function captureTurn(client, memory, session) {
  const { data = [] } = await client.session.messages({ path: { id: session } });
  const begin = data.findLastIndex(({ info }) => info.role === "user");
  if (begin === -1) return;
  const messages = data.slice(begin).map(({ info, parts }) => ({
    id: info.id,
    role: info.role,
    content: textOf(parts),
    created_at: info.time.created,
  }));
  await memory.capture(session, messages);
}

/** The text of a message. `opencode run` puts a prompt into quotes. */
function textOf(parts) {
  const texts = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []));
  return texts.join("\n").replace(/^"([^"]*)"\s*$/, "$1");
}
