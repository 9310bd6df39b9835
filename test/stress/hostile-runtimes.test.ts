/** Requests nobody should send, to a real server on each runtime. */
import { expect, onTestFinished, test } from "vitest";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { httpClient } from "../support/http-client.ts";
import { runs, SEED, tell } from "../support/random.ts";
import { runtimesUnderTest } from "../support/runtimes-under-test.ts";
import { type Home, home, KEY, startServer } from "../support/server.ts";
import { hostileRequests, MARK, type WireRequest } from "./hostile-requests.ts";
import { sendRaw, type WireAnswer } from "./send-raw.ts";

const COUNT = runs(300);
/** Words that only the inside of the service knows. */
const INSIDE = /node_modules|\.ts:\d|\bat \S+ \(|PostgresError|\bselect \b.*\bfrom\b|syntax error/i;

test.each(runtimesUnderTest)(
  `on %s ${COUNT} hostile requests (seed ${SEED}) bring no failure, and those that are refused change nothing`,
  { timeout: 120_000 + COUNT * 200 },
  async (runtime) => {
    const at = await home();
    const { server, url } = await startServer(at, runtime);
    const client = httpClient(url, KEY);
    await client.post("/v1/memories", { content: "The first of all", path: "a", memory_id: "mem-1" });
    const sql = await databaseOf(at);
    const statuses: Record<string, number> = {};
    const wrong: string[] = [];
    for (const request of hostileRequests(COUNT, SEED, KEY)) {
      const before = await state(sql);
      const answer = await sendRaw(url, request);
      const group = request.isBroken ? `broken ${answer.status}` : answer.status;
      statuses[group] = (statuses[group] ?? 0) + 1;
      const isRefused = answer.status >= 400 || request.isBroken;
      const why =
        whatIsWrong(request, answer) ??
        (isRefused && (await state(sql)) !== before ? "changed something" : null);
      if (why !== null) wrong.push(`${why}: ${told(request)} => ${answer.text.slice(0, 300)}`);
    }
    tell(`${JSON.stringify({ runtime, statuses, wrong: wrong.length })}`);
    expect(wrong.slice(0, 20)).toEqual([]);
    const { body } = await client.post("/v1/remember", { content: "Still of sound mind", path: "z" });
    const { body: found } = await client.get("/v1/recall?query=sound+mind&path=z");
    expect(found.results.map(({ id }: { id: string }) => id)).toContain(body.id);
    expect(server.stdout() + server.stderr()).not.toContain(MARK);
    // Warnings of what clients got wrong are fine; a line of level 50 is a fault of ours.
    expect(
      server
        .stdout()
        .split("\n")
        .filter((line) => /"level":[56]0/.test(line)),
    ).toEqual([]);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  },
);

/** The largest body that is read; of a larger one the end may meet a closed connection, and the answer be lost. */
const BODY_BYTES_MAX = 1024 * 1024;
/** Bun's own answer to a request line that it cannot read. */
const NOT_HTTP = 505;

function whatIsWrong(
  { isBroken, method, body: sent }: WireRequest,
  { status, text }: WireAnswer,
): string | null {
  if (isBroken) return status >= 500 && status !== NOT_HTTP ? "a failure" : null;
  if (status >= 500) return "a failure";
  if (status === 0) return sent.length > BODY_BYTES_MAX ? null : "no answer";
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  if (!/^x-request-id: ./im.test(head)) return "no X-Request-Id";
  if (status < 400) return null;
  if (INSIDE.test(body)) return "tells of its inside";
  if (status === 403 || method === "HEAD") return null;
  return /"(?:code|error)"/.test(body) ? null : "a refusal without a code";
}

const told = ({ method, target, headers, body }: WireRequest) =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 400)} ${new TextDecoder().decode(body).slice(0, 400)}`;

async function databaseOf(at: Home): Promise<Sql> {
  const { address, release } = at.url
    ? { address: { url: at.url }, release: async () => {} }
    : await openEmbeddedPostgres({ dataDir: at.dataDir, role: "tool", log: () => {} }).then((opened) => ({
        address: opened.connection,
        release: () => opened.stop(),
      }));
  const sql = connect(address, 1);
  onTestFinished(async () => {
    await sql.end();
    await release();
  });
  return sql;
}

/** All that a request may change, in short. The worker's own writes are not in it. */
async function state(sql: Sql): Promise<string> {
  const rows = await sql`
    select (select count(*) from memories), (select sum(revision) from memories), (select count(*) from memory_versions),
      (select count(*) from tombstones), (select max(id) from audit_log), (select count(*) from receipts),
      (select count(*) from idempotency_keys), (select count(*) from recall_feedback), (select count(*) from tokens),
      (select count(*) from owners)`.values();
  return JSON.stringify(rows[0]);
}
