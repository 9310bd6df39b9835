/**
 * What the log of events adds to a write: the same service, once with and once without the triggers that note events, in
 * turns of a few writes each, so that whatever else the machine does hits both alike.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/compose/config.ts";
import { openService } from "../../src/compose/service.ts";
import { type Scope, scopes } from "../../src/contract/scope.ts";
import { callerOf } from "../../src/core/caller.ts";

const PAIRS = Number(process.argv[2] ?? 60);
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

const dataDir = mkdtempSync(join(tmpdir(), "recollect-bench-"));
const service = await openService(readConfig({ DATA_DIR: dataDir, APP_ENV: "test", LOG_LEVEL: "error" }), {
  role: "tool",
  log: () => {},
  report: (error) => console.error(error),
});
try {
  const { sql, application, credentials, ports } = service;
  const owner = await credentials.ensureOwner("user", "bench");
  const { credential } = await credentials.issue({
    kind: "api_key",
    ownerId: owner.id,
    name: null,
    scopes: Object.keys(scopes) as Scope[],
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
    expiresAt: null,
  });
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
    for (let pair = 0; pair < PAIRS; pair += 1) {
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
        `median ratio of ${PAIRS} pairs ${ratio.toFixed(3)}`,
    );
  }
} finally {
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
