/** `PROCESSES`: several processes that share a port are one server to whoever uses, stops or watches it. */
import { readFileSync } from "node:fs";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPortSharing } from "../../src/adapters/runtime/listen.ts";
import { inOneWindow } from "../limits/one-window.ts";
import { eventually, kill } from "../support/processes.ts";
import { runtimesUnderTest } from "../support/runtimes-under-test.ts";
import { type Home, home, KEY, type Runtime, type ServerProcess } from "../support/server.ts";
import { samplesOf } from "../watch/open-metrics.ts";

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers
  readonly body: any;
}

/** A connection to one of the processes. */
interface Connection {
  /** The number of the process. */
  readonly process: string;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
}

const SETTINGS = { PROCESSES: "2", APP_ENV: "test", INSTANCE_NAME: "one", BOOTSTRAP_API_KEY: KEY };
const timeout = 240_000;

/** Why the runtime cannot do it, as the server says; null if it can. Bun and Deno can wherever Node 22.12 could. */
const obstacleOn = (runtime: Runtime) =>
  runtime === "node" || process.platform !== "linux" ? noPortSharing() : null;

const able = runtimesUnderTest.filter((runtime) => obstacleOn(runtime) === null);
const unable = runtimesUnderTest.filter((runtime) => obstacleOn(runtime) !== null);

async function started(
  runtime: Runtime,
  env: Record<string, string> = {},
): Promise<{ at: Home; server: ServerProcess; url: string }> {
  const at = await home();
  const server = at.start(runtime, { ...SETTINGS, ...env });
  return { at, server, url: await server.ready() };
}

/** Opens a connection, and finds its process by the log. */
async function connection(server: ServerProcess, url: string): Promise<Connection> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const type = body === undefined ? {} : { "content-type": "application/json" };
      request(
        url + path,
        { agent, method, headers: { "x-api-key": KEY, ...type, ...headers } },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (more: string) => {
            text += more;
          });
          response.on("end", () => {
            const isJson = response.headers["content-type"]?.includes("json");
            resolve({
              status: response.statusCode,
              headers: response.headers,
              body: isJson ? JSON.parse(text) : text,
            });
          });
        },
      )
        .on("error", reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
  const requestId = crypto.randomUUID();
  await send("GET", "/v1/memories", undefined, { "x-request-id": requestId });
  const process = await eventually("the request's line in the log", () => {
    const line = (server.stdout() + server.stderr()).split("\n").find((one) => one.includes(requestId));
    return line && /"instance":"one:(\d)"/.exec(line)?.[1];
  });
  return { process, send };
}

/** A connection to each of the two processes. The system chooses the process of each new connection. */
async function bothProcesses(server: ServerProcess, url: string): Promise<readonly [Connection, Connection]> {
  const found = new Map<string, Connection>();
  return eventually("a connection to each process", async () => {
    const one = await connection(server, url);
    found.set(one.process, one);
    const [first, second] = [found.get("1"), found.get("2")];
    return first && second && ([first, second] as const);
  });
}

/** The process with that number, of the home's servers. */
function pidOf(at: Home, number: 1 | 2): number | undefined {
  return at.processes().find((pid) => {
    const command = commandOf(pid);
    return command.includes("src/main.ts") && command.includes("--process") === (number === 2);
  });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

const idsIn = ({ body }: Answer): string[] => body.results.map(({ id }: { id: string }) => id);

const nothingLeft = (at: Home) =>
  eventually("all processes to end", () => (at.processes().length === 0 ? true : undefined));

describe.each(able)("on %s", { timeout }, (runtime) => {
  test("what one process has acknowledged the other finds at once, and each answers for both when measured", async () => {
    const { server, url } = await started(runtime);
    const both = await bothProcesses(server, url);
    for (let turn = 0; turn < 10; turn += 1) {
      const [writer, reader] = turn % 2 === 0 ? both : [both[1], both[0]];
      const content = `Lantern number ${turn} hangs in the boat house. It is lit on market days.`;
      const written = await writer.send("POST", "/v1/remember", { content, path: "lanterns" });
      expect([written.status, written.body.status]).toEqual([201, "remembered"]);
      const search = `/v1/memories/search?query=lantern+number+${turn}&limit=50`;
      expect(idsIn(await reader.send("GET", search))).toContain(written.body.id);
      await writer.send("DELETE", `/v1/memories/${written.body.id}`);
      expect(idsIn(await reader.send("GET", search))).not.toContain(written.body.id);
    }
    for (const { send } of both) {
      const samples = samplesOf((await send("GET", "/metrics")).body);
      const processesOf = (name: string) =>
        samples.filter((sample) => sample.name === name).map(({ labels }) => labels.process);
      expect(processesOf("process_cpu_seconds_total").sort()).toEqual(["1", "2"]);
      expect(processesOf("recollect_memories")).toEqual([undefined]);
    }
  });

  test("requests to both are counted together", async () => {
    const { server, url } = await started(runtime, { RATE_LIMIT_ENABLED: "true", RATE_LIMIT_WRITES: "4" });
    const both = await bothProcesses(server, url);
    const refused = await inOneWindow(async () => {
      const writes = both.flatMap(({ send }) =>
        [1, 2, 3].map((turn) =>
          send("POST", "/v1/remember", { content: `Number ${turn} of many`, path: "a" }),
        ),
      );
      const answers = await Promise.all(writes);
      return {
        resets: answers.map(({ headers }) => String(headers["x-ratelimit-reset"])),
        value: answers.filter(({ status }) => status === 429).length,
      };
    });
    expect(refused).toBeGreaterThanOrEqual(2);
  });

  test("what one process has returned is an echo on the other", async () => {
    const { server, url } = await started(runtime);
    const [one, other] = await bothProcesses(server, url);
    const content = "The key of the boat house lies under the blue bench. Ask Lars where the spare one is.";
    const { body } = await one.send("POST", "/v1/remember", { content, path: "keys" });
    for (const [reader, writer, echo] of [
      [one, other, "Ask Lars where the spare one is!"],
      [other, one, "The key of the boat house lies under the blue bench."],
    ] as const) {
      await reader.send("POST", "/v1/recall/context", { query: "where is the key of the boat house" });
      // Its answer has come through the same channel as the note of what was shown.
      await reader.send("GET", "/metrics");
      const written = await writer.send("POST", "/v1/remember", { content: echo, path: "turns" });
      expect(written.body).toMatchObject({ id: body.id, junk: "echo" });
    }
  });

  test("a process that dies is started again, and SIGTERM ends both", async () => {
    const { at, server, url } = await started(runtime);
    kill(pidOf(at, 2) ?? 0);
    await eventually("it to be started again", () =>
      server.stdout().includes("Process 2 answers again.") ? true : undefined,
    );
    expect(server.stdout()).toContain("Process 2 has ended (SIGKILL). It is started again in 1 second.");
    await bothProcesses(server, url);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    await nothingLeft(at);
  });

  test("when the first process is killed, nothing of the server is left, and the port is free for the next", async () => {
    const { at, server, url } = await started(runtime);
    await bothProcesses(server, url);
    kill(pidOf(at, 1) ?? 0);
    await server.exited;
    await nothingLeft(at);
    const next = at.start(runtime, { ...SETTINGS, PORT: new URL(url).port });
    expect(await next.ready()).toBe(url);
    await next.stop();
  });

  test("a second server on the port is refused, though it would share it", async () => {
    const { url } = await started(runtime);
    const other = (await home()).start(runtime, { ...SETTINGS, PORT: new URL(url).port });
    expect((await other.exited).code).toBe(1);
    expect(other.stderr()).toContain(`Port ${new URL(url).port} on 127.0.0.1 is taken`);
  });
});

test.each(unable)("%s says why it cannot share a port, and what to do", { timeout }, async (runtime) => {
  const server = (await home()).start(runtime, SETTINGS);
  expect((await server.exited).code).toBe(1);
  expect(server.stderr()).toMatch(/^Several processes share a port .*set PROCESSES=1\.\n$/);
});
