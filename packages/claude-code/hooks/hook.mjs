// What both hooks share: they read one event from standard input, may answer with JSON, and always end with 0 in good
// time, because a memory that is away must never stop anybody's work.
import { basename } from "node:path";

/** The whole run; Claude Code itself ends a hook after the `timeout` of hooks.json. */
const WITHIN_MS = 3_500;

/** The agent that memories are attributed to. */
const AGENT = "claude-code";

/**
 * Runs a hook: `handle(event)` answers what Claude Code is to be told, or nothing. Whatever goes wrong, the exit status
 * is 0; with RECOLLECT_HOOK_DEBUG set, standard error says why.
 */
export async function hook(handle) {
  setTimeout(() => end(undefined, "it took too long"), WITHIN_MS);
  try {
    end(await handle(JSON.parse(await standardInput())));
  } catch (error) {
    end(undefined, error instanceof Error ? error.message : String(error));
  }
}

function end(answer, trouble) {
  if (trouble && process.env.RECOLLECT_HOOK_DEBUG) process.stderr.write(`recollect: ${trouble}\n`);
  if (answer === undefined) process.exit(0);
  process.stdout.write(JSON.stringify(answer), () => process.exit(0));
}

async function standardInput() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** True where the hooks have a key to call with; without one they do nothing. */
export const hasKey = () => Boolean(process.env.RECOLLECT_API_KEY);

/** The address of the server, without a slash at its end. */
export const serverUrl = () => (process.env.RECOLLECT_URL || "http://127.0.0.1:8787").replace(/\/+$/, "");

/** The project of a session: RECOLLECT_PROJECT, or the name of its folder in the letters that a project id may have. */
export function projectOf({ cwd }) {
  const folder = basename(process.env.CLAUDE_PROJECT_DIR || cwd || process.cwd());
  const name = process.env.RECOLLECT_PROJECT || folder.replace(/[^A-Za-z0-9._:-]+/g, "-");
  return name.slice(0, 128) || "default";
}

/**
 * One request; answers `{status, body}`. It names the session, not the project: recall would be confined to that, and what
 * a user prefers is known beyond it. Rejects where nobody answers within `withinMs`. A redirect is an error: it would
 * carry the key elsewhere.
 */
export async function call(event, method, path, body, withinMs) {
  const headers = {
    "content-type": "application/json",
    "x-api-key": process.env.RECOLLECT_API_KEY,
    "x-agent-id": AGENT,
  };
  if (event.session_id) headers["x-session-id"] = event.session_id;
  const response = await fetch(serverUrl() + path, {
    method,
    headers,
    body: JSON.stringify(body),
    redirect: "error",
    signal: AbortSignal.timeout(withinMs),
  });
  return { status: response.status, body: await response.json() };
}

/** The first `most` characters of a text, in one piece. */
export function shortened(text, most) {
  const whole = [...text.trim()];
  return whole.length <= most
    ? whole.join("")
    : `${whole
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}
