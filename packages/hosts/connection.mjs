// The connection of a plugin to the service. A host may start a plugin without the user's environment, so address and
// key may also be in a file.
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const DEFAULT_URL = "http://127.0.0.1:8787";

/**
 * The connection: RECOLLECT_URL and RECOLLECT_API_KEY, else `url` and `api_key` of the file RECOLLECT_CONFIG, which is by
 * default ~/.config/recollect/client.json. `key` is null without one. `problem` says what is wrong with the file.
 */
export function readConnection(env = process.env) {
  const file = env.RECOLLECT_CONFIG || join(homedir(), ".config", "recollect", "client.json");
  const { content, problem } = readConfiguration(file);
  return {
    url: String(env.RECOLLECT_URL || content.url || DEFAULT_URL).replace(/\/+$/, ""),
    key: env.RECOLLECT_API_KEY || content.api_key || null,
    file,
    problem,
  };
}

function readConfiguration(file) {
  try {
    const content = JSON.parse(readFileSync(file, "utf8"));
    const isReadByOthers = process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0;
    const problem = isReadByOthers ? `Other users may read ${file}. Run: chmod 600 ${file}` : null;
    return { content: content ?? {}, problem };
  } catch (error) {
    const problem = error.code === "ENOENT" ? null : `${file} cannot be read as JSON.`;
    return { content: {}, problem };
  }
}

/**
 * Sends one request and returns `{status, body}`. Rejects if there is no answer before `signal` aborts. A redirect is an
 * error, since it would carry the key elsewhere.
 */
export async function request({ url, key }, method, path, { body, agent, session, signal }) {
  const headers = { "x-agent-id": agent };
  if (key !== null) headers["x-api-key"] = key;
  if (session) headers["x-session-id"] = session;
  if (body !== undefined) headers["content-type"] = "application/json";
  const response = await fetch(url + path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    redirect: "error",
    signal,
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}
