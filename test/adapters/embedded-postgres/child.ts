/**
 * A process of its own that opens the embedded database, for tests that kill it: writes one JSON line per
 * event, obeys one-word lines on its input (stop, write), and works on Node, Bun and Deno.
 */
import { createInterface } from "node:readline";
import postgres from "postgres";
import { openEmbeddedPostgres } from "../../../src/adapters/embedded-postgres/open-embedded-postgres.ts";

const [dataDir = "", role = "server"] = process.argv.slice(2);
const tell = (event: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(event)}\n`);
const startedAt = performance.now();

try {
  const opened = await openEmbeddedPostgres({
    dataDir,
    role: role === "tool" ? "tool" : "server",
    log: (message) => tell({ log: message }),
  });
  tell({
    open: { ...opened.connection, owned: opened.owned },
    tookMs: Math.round(performance.now() - startedAt),
  });
  void opened.died.then((died) => tell({ died }));
  const sql = postgres({ ...opened.connection, max: 2, onnotice: () => {} });
  await sql`create table if not exists written (n int primary key)`;
  const commands: Record<string, () => Promise<void>> = {
    async stop() {
      await sql.end();
      await opened.stop();
      tell({ stopped: true });
      process.exit(0);
    },
    /** Inserts until somebody kills this process; says each number only once it is committed. */
    async write() {
      for (let n = 1; ; n += 1) {
        await sql`insert into written values (${n})`;
        tell({ committed: n });
      }
    },
    async count() {
      const rows = await sql<{ count: number }[]>`select count(*)::int as count from written`;
      tell({ count: rows[0]?.count });
    },
  };
  for await (const line of createInterface({ input: process.stdin })) void commands[line.trim()]?.();
} catch (failure) {
  const { name, message } = failure as Error;
  tell({ failed: name, message });
  process.exit(1);
}
