/** A whole server with the token model: killed while its worker encodes, and without what runs the model. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { httpClient } from "../support/http-client.ts";
import { eventually } from "../support/processes.ts";
import { runtimesUnderTest } from "../support/runtimes-under-test.ts";
import { home, KEY, startServer } from "../support/server.ts";
import { canRunTokenModel } from "../support/token-model.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const WITH_MODEL = { TOKEN_MODEL: "on" };
const MEMORIES = 90;

type Client = ReturnType<typeof httpClient>;

/** What is found of all that was stored, and how much of it by the model. */
async function found(client: Client): Promise<{ all: number; compared: number }> {
  const { body } = await client.get("/v1/memories/search?query=ledger&limit=100&explain=true");
  const hits = body.results as { explanation: { signals: object } }[];
  return { all: hits.length, compared: hits.filter((hit) => "late" in hit.explanation.signals).length };
}

async function storeAll(client: Client): Promise<void> {
  const items = Array.from({ length: MEMORIES }, (_, at) => ({
    content: `Entry ${at} of the ledger: the barrel maker was paid ${at} crowns for a cask, and his helper half as much.`,
    path: "ledger",
  }));
  expect((await client.post("/v1/memories/batch", { items })).status).toBe(200);
}

describe.each(runtimesUnderTest)("on %s", { timeout: 300_000 }, (runtime) => {
  test.runIf(canRunTokenModel)(
    "kill -9 while vectors are made loses nothing: the next start goes on, and a stop is clean",
    async () => {
      const at = await home();
      const first = await startServer(at, runtime, WITH_MODEL);
      await storeAll(httpClient(first.url, KEY));
      await first.server.kill();
      const { server, url } = await startServer(at, runtime, WITH_MODEL);
      const client = httpClient(url, KEY);
      await eventually(
        "the worker to go on",
        async () => (await found(client)).compared === MEMORIES || undefined,
        // Between two questions it has time: beside requests the worker takes a tenth of a processor.
        { withinMs: 120_000, everyMs: 3000 },
      );
      expect(await found(client)).toEqual({ all: MEMORIES, compared: MEMORIES });
      // In the middle of a text, too.
      await storeAll(client);
      expect(await server.stop()).toEqual({ code: 0, signal: null });
      expect(at.processes()).toEqual([]);
    },
  );

  test("without its runtime it says which package to install, and recall goes on", async () => {
    const { server, url } = await startServer(
      await home({ checkout: withoutRuntime() }),
      runtime,
      WITH_MODEL,
    );
    expect(server.stderr()).toMatch(
      /TOKEN_MODEL=on has no effect; recall works without the token model\. .*onnxruntime-node, which is not installed: run `npm install /,
    );
    const client = httpClient(url, KEY);
    await storeAll(client);
    expect(await found(client)).toEqual({ all: MEMORIES, compared: 0 });
  });
});

/** A checkout in which everything is installed but what runs the model. */
function withoutRuntime(): string {
  const folder = mkdtempSync(join(tmpdir(), "recollect-checkout-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const path of ["bin", "src", "package.json"])
    cpSync(join(repository, path), join(folder, path), { recursive: true });
  for (const path of ["models", "packages"]) symlinkSync(join(repository, path), join(folder, path));
  const packages = join(folder, "node_modules");
  mkdirSync(packages);
  for (const name of readdirSync(join(repository, "node_modules"))) {
    if (!name.startsWith("onnxruntime"))
      symlinkSync(join(repository, "node_modules", name), join(packages, name));
  }
  return folder;
}
