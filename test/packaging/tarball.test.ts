/** The package that `npm pack` makes, run where nothing is cloned. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { httpClient } from "../support/http-client.ts";
import { KEY } from "../support/server.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));

test("npx starts the service from the package alone, with this project's patches", {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "recollect-pack-"));
  // The embedded database may run as another user.
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: repository,
    stdio: "ignore",
  });
  // By its whole name, which no earlier run had: npx keeps what it has installed under the name that it was given.
  const tarball = join(folder, `recollect-${version}.tgz`);
  const child = spawn("npx", ["--yes", "--prefer-offline", `--package=${tarball}`, "recollect"], {
    cwd: folder,
    env: { ...process.env, PORT: "0", DATA_DIR: join(folder, "data"), BOOTSTRAP_API_KEY: KEY },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    said += part;
  });
  try {
    const ready = () => /Recollect is ready at (\S+)/.exec(said)?.[1];
    await expect.poll(() => ready() ?? child.exitCode, { timeout: 500_000, interval: 200 }).not.toBeNull();
    const client = httpClient(ready() ?? `the package ended: ${said}`, KEY);
    expect((await client.post("/v1/remember", { content: "From the package", path: "a" })).status).toBe(201);
    expect((await client.get("/v1/recall?query=package")).body.results).toHaveLength(1);
    expect(existsSync(join(folder, "node_modules"))).toBe(false);
  } finally {
    process.kill(-(child.pid as number), "SIGTERM");
    await new Promise((resolve) => (child.exitCode === null ? child.once("exit", resolve) : resolve(null)));
  }
});
