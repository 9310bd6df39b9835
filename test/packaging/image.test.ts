/** The image as the Dockerfile makes it: its service has the driver's patch, and outlives its connections to Postgres. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { relayTo } from "../oauth/relay.ts";
import { httpClient } from "../support/http-client.ts";
import { ownDatabase } from "../support/own-database.ts";
import { eventually } from "../support/processes.ts";
import { KEY } from "../support/server.ts";
import { type BuiltImage, buildImage } from "./built-image.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));

let folder: string;
let image: BuiltImage;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "recollect-image-"));
  image = buildImage(folder);
}, 900_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const environment = (env: Record<string, string>) => ({
  PATH: `${join(image.root, "usr/local/bin")}:${process.env.PATH ?? ""}`,
  HOME: folder,
  ...image.env,
  HOST: "127.0.0.1",
  PORT: "0",
  ...env,
});

/** A container's process, with all that it wrote. */
function start(
  env: Record<string, string>,
  [program = "", ...args]: readonly string[] = image.command,
): { child: ChildProcess; output: () => string } {
  const child = spawn(program, args, {
    cwd: image.workdir,
    env: environment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return { child, output: () => output };
}

const endOf = ({ child }: ReturnType<typeof start>) => new Promise((resolve) => child.once("close", resolve));

const addressOf = ({ child, output }: ReturnType<typeof start>) =>
  eventually("the image's server", () => {
    if (child.exitCode !== null) throw new Error(output());
    return /Recollect is ready at ([^\s"]+)/.exec(output())?.[1];
  });

/** Writes by twelve clients while the database is interrupted, again and again; then one more, and the server's end. */
async function outlives(url: string, interrupt: () => Promise<void>, times: number): Promise<void> {
  const server = start({ DATABASE_URL: url, BOOTSTRAP_API_KEY: KEY, RATE_LIMIT_ENABLED: "false" });
  const client = httpClient(await addressOf(server), KEY);
  let isOver = false;
  const answers = { 201: 0, 503: 0, others: 0 };
  const writers = Array.from({ length: 12 }, async (_, writer) => {
    for (let at = 0; !isOver; at += 1) {
      const body = { content: `Writer ${writer} wrote line ${at}.`, path: "load" };
      const answer = await client.post("/v1/remember", body).catch(() => null);
      answers[answer?.status === 201 || answer?.status === 503 ? answer.status : "others"] += 1;
    }
  });
  onTestFinished(() => {
    isOver = true;
  });
  for (let time = 0; time < times; time += 1) {
    const before = answers[201];
    await eventually("writes", () => {
      if (server.child.exitCode !== null) throw new Error(`The server ended: ${server.output()}`);
      return answers[201] > before + 20 ? true : undefined;
    });
    await interrupt();
  }
  isOver = true;
  await Promise.all(writers);
  expect(answers.others).toBe(0);
  const last = await eventually("a write afterwards", async () => {
    const answer = await client.post("/v1/remember", { content: "Still here.", path: "load" });
    return answer.status === 201 ? answer : undefined;
  });
  expect(last.body.status).toBe("remembered");
  const ended = endOf(server);
  server.child.kill("SIGTERM");
  expect(await ended).toBe(0);
}

const urlOf = ({ address }: { address: object }) => ("url" in address ? String(address.url) : "");

test("its service goes on when every connection to Postgres is cut under load, again and again", async () => {
  const relay = await relayTo(await ownDatabase());
  const cut = async () => {
    await relay.cut();
    await relay.mend();
  };
  await outlives(urlOf(relay), cut, 8);
});

test("its service goes on when Postgres itself is restarted under load, again and again", async () => {
  const dataDir = join(folder, "postgres");
  const open = () => openEmbeddedPostgres({ dataDir, role: "server", log: () => {} });
  let postgres = await open();
  onTestFinished(() => postgres.stop());
  const relay = await relayTo(postgres.connection);
  const restart = async () => {
    await postgres.stop();
    postgres = await open();
  };
  await outlives(urlOf(relay), restart, 3);
});

test("it has no token model unless it is built with one", () => {
  const has = (path: string) => existsSync(join(image.workdir, path));
  expect(
    ["models/static-256.bin", "packages/token-model/token-model.onnx", "node_modules/onnxruntime-node"].map(
      has,
    ),
  ).toEqual([true, false, false]);
});

test("it has the multilingual encoder's files, and not what makes them", () => {
  expect(readdirSync(join(image.workdir, "packages/multilingual")).sort()).toEqual([
    "kernel.wasm",
    "languages.safetensors",
    "model.safetensors",
    "package.json",
  ]);
});

test("its command line runs, and finds the driver patched", () => {
  const doctor = spawnSync(join(image.root, "usr/local/bin/recollect"), ["doctor", "--json"], {
    env: environment({ DATABASE_URL: "postgres://recollect@127.0.0.1:9/none" }),
    encoding: "utf8",
  });
  const { findings } = JSON.parse(doctor.stdout) as { findings: { check: string; status: string }[] };
  expect(findings.find(({ check }) => check === "driver")).toMatchObject({ status: "ok" });
});

describe("a driver without the patch", () => {
  let file: string;
  let patched: string;
  beforeEach(() => {
    file = join(image.workdir, "node_modules/postgres/src/index.js");
    patched = readFileSync(file, "utf8");
    onTestFinished(() => writeFileSync(file, patched));
    writeFileSync(file, patched.replace(/^ *isPatchedByRecollect.*\n/m, ""));
  });
  const nowhere = { DATABASE_URL: "postgres://recollect@127.0.0.1:9/none", BOOTSTRAP_API_KEY: KEY };

  test("is refused at the start, in a sentence that says what to do", async () => {
    const server = start(nowhere);
    expect(await endOf(server)).toBe(1);
    expect(server.output()).toMatch(
      /^The Postgres driver lacks this project's patch\. Run `node bin\/apply-patches\.js`[^\n]+\n$/,
    );
  });

  test("is patched by npm start, for a checkout where npm ran no install scripts", async () => {
    cpSync(join(repository, "bin"), join(image.workdir, "bin"), { recursive: true });
    symlinkSync(join(repository, "node_modules/bun"), join(image.workdir, "node_modules/bun"));
    const server = start(nowhere, [process.execPath, "bin/start.js", "bun"]);
    expect(await endOf(server)).toBe(1);
    expect(server.output()).not.toContain("driver");
    expect(readFileSync(file, "utf8")).toBe(patched);
  });
});
