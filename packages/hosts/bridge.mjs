#!/usr/bin/env node
// Connects a host that only starts programs (MCP over standard input and output) to the service's MCP server over HTTP.
// Each line is one message, which becomes one POST.
import { createInterface } from "node:readline";
import { readConnection } from "./connection.mjs";

const ANSWER_WITHIN_MS = 60_000;
const VERSION = "io.modelcontextprotocol/protocolVersion";
/** JSON-RPC's code for errors of a server's own. */
const SERVER_ERROR = -32_000;

const connection = readConnection();
const address = `${connection.url}/mcp?tools=${process.env.RECOLLECT_TOOLS || "core"}`;
let negotiated;

if (connection.problem !== null) process.stderr.write(`recollect: ${connection.problem}\n`);
createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.trim() !== "") forward(line);
});

async function forward(line) {
  let message;
  let isAnswered = false;
  try {
    message = JSON.parse(line);
    const response = await fetch(address, {
      method: "POST",
      headers: headersFor(message),
      body: line,
      redirect: "error",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    for await (const text of messagesOf(response)) {
      const { id } = write(JSON.parse(text));
      isAnswered ||= id !== undefined;
    }
    if (!isAnswered && !response.ok) fail(message, explain(response.status));
  } catch {
    if (!isAnswered) fail(message, `Recollect does not answer at ${connection.url}.`);
  }
}

function headersFor({ method, params }) {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "x-agent-id": process.env.RECOLLECT_AGENT || "mcp-bridge",
  };
  if (connection.key !== null) headers.authorization = `Bearer ${connection.key}`;
  const version = params?._meta?.[VERSION] ?? negotiated;
  if (version !== undefined) headers["mcp-protocol-version"] = version;
  if (method !== undefined) headers["mcp-method"] = method;
  const name = params?.name ?? params?.uri;
  if (typeof name === "string") headers["mcp-name"] = headerText(name);
  return headers;
}

/** A header holds ASCII only. The protocol encodes any other text like this. */
function headerText(text) {
  return /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

/** The JSON-RPC messages of an answer: one of a JSON body, any number of an event stream. */
async function* messagesOf(response) {
  if (!response.headers.get("content-type")?.includes("text/event-stream")) {
    const text = await response.text();
    if (text.startsWith("{") && JSON.parse(text).jsonrpc !== undefined) yield text;
    return;
  }
  let rest = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const data = line.startsWith("data:") ? line.slice(5).trim() : "";
      if (data !== "") yield data;
    }
  }
}

function write(message) {
  negotiated = message.result?.protocolVersion ?? negotiated;
  process.stdout.write(`${JSON.stringify(message)}\n`);
  return message;
}

/** Answers a request with an error. Notifications and answers of the host get none. */
function fail(message, reason) {
  if (message?.id === undefined || message.method === undefined) return;
  write({ jsonrpc: "2.0", id: message.id, error: { code: SERVER_ERROR, message: reason } });
}

function explain(status) {
  if (status !== 401) return `Recollect refused the request (${status}).`;
  return connection.key === null
    ? `Recollect needs a key: set RECOLLECT_API_KEY, or put {"url": "…", "api_key": "…"} into ${connection.file}.`
    : "Recollect refuses the key.";
}
