#!/usr/bin/env node
// Checks the connection of the plugin beside it: the file, the address, the key, and how long a recall takes.
import { readConnection, request } from "./connection.mjs";

const WITHIN_MS = 5_000;
/** Plugins wait this long for a recall. */
const DEADLINE_MS = 1_500;

const connection = readConnection();
const findings = [
  ...(connection.problem === null ? [] : [connection.problem]),
  ...(connection.key === null
    ? [`There is no key: set RECOLLECT_API_KEY, or put it into ${connection.file}.`]
    : []),
  ...(await findingsOfRecall()),
];
for (const line of findings) process.stdout.write(`${line}\n`);
process.exitCode = findings.length === 1 && findings[0].startsWith("Recollect answers") ? 0 : 1;

async function findingsOfRecall() {
  const began = performance.now();
  const body = { query: "Is the memory there?", max_items: 1, max_tokens: 200 };
  const signal = AbortSignal.timeout(WITHIN_MS);
  try {
    const { status } = await request(connection, "POST", "/v1/recall/context", {
      body,
      agent: "doctor",
      signal,
    });
    const took = Math.round(performance.now() - began);
    if (status === 401) return [`Recollect at ${connection.url} refuses the key.`];
    if (status === 403) return ["The key may not recall: it needs the scope memory:read."];
    if (status !== 200) return [`Recollect at ${connection.url} answers with status ${status}.`];
    return took > DEADLINE_MS
      ? [`A recall took ${took} ms, and plugins wait ${DEADLINE_MS} ms: turns go without memory.`]
      : [`Recollect answers at ${connection.url}: a recall took ${took} ms.`];
  } catch {
    return [`Recollect does not answer at ${connection.url}. Is it running, and is the address right?`];
  }
}
