import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/compose/config.ts";
import { openService } from "../../src/compose/service.ts";
import { callerOf } from "../../src/core/caller.ts";
import { bench, issueKey, median } from "./bench.ts";

const HELP = `Measures what the log of events adds to a write.

  npm run bench:events -- [--pairs 60]

The same service, once with and once without the triggers that note events, in turns of a few writes each, so that
whatever else the machine does hits both alike.
`;

const WRITES = 40;
const AT_ONCE = [1, 8];
const NO_CLAIMS = {
  agentId: null,
  agentName: null,
  agentInstance: null,
  sessionId: null,
  taskId: null,
  projectId: null,
};

export const program = bench(HELP, { pairs: 60 }, async ({ pairs: pairCount }) => {
  const dataDir = mkdtempSync(join(tmpdir(), "recollect-bench-"));
  const service = await openService(readConfig({ DATA_DIR: dataDir, APP_ENV: "test", LOG_LEVEL: "error" }), {
    role: "tool",
    log: () => {},
    report: (error) => console.error(error),
  });
  try {
    const { sql, application, ports } = service;
    const { credential } = await issueKey(service);
    const caller = callerOf(credential, NO_CLAIMS, { requestId: "bench", hash: ports.hash });
    let at = 0;

    /** Milliseconds a write takes, of so many that are begun together again and again. */
    async function measured(atOnce: number): Promise<number> {
      const startedAt = performance.now();
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (let write = 0; write < WRITES / atOnce; write += 1) {
            at += 1;
            const content = `Measurement ${at}: the gauge in hall ${at % 97} showed ${(at * 7919) % 1009} bar.`;
            await application.call("storeMemory", caller, { content, path: `bench/${at % 13}` });
          }
        }),
      );
      return (performance.now() - startedAt) / WRITES;
    }

    const noting = (how: "enable" | "disable") =>
      sql.unsafe(`alter table memories ${how} trigger memories_noted_in, ${how} trigger memories_noted_anew`);

    for (const atOnce of AT_ONCE) {
      for (let warm = 0; warm < 5; warm += 1) await measured(atOnce);
      const pairs: { readonly without: number; readonly with: number }[] = [];
      for (let pair = 0; pair < pairCount; pair += 1) {
        // Which of them comes first changes with each pair.
        const order = pair % 2 === 0 ? (["disable", "enable"] as const) : (["enable", "disable"] as const);
        const ms = { enable: 0, disable: 0 };
        for (const how of order) {
          await noting(how);
          ms[how] = await measured(atOnce);
        }
        pairs.push({ without: ms.disable, with: ms.enable });
      }
      const [without, noted] = [
        median(pairs.map((pair) => pair.without)),
        median(pairs.map((pair) => pair.with)),
      ];
      const ratio = median(pairs.map((pair) => pair.with / pair.without));
      console.log(
        `${atOnce} at once: ${without.toFixed(3)} ms a write without, ${noted.toFixed(3)} ms with events; ` +
          `median ratio of ${pairCount} pairs ${ratio.toFixed(3)}`,
      );
    }
  } finally {
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
