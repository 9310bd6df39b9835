/** Whoever of npm, the launcher and the server is asked to stop or is killed: what runs is finished, and nothing stays. */
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { eventually } from "../support/processes.ts";
import { oneOrAll } from "../support/random.ts";
import { runtimesUnderTest } from "../support/runtimes-under-test.ts";
import { type Home, home, KEY, type Runtime, runtimes, type ServerProcess } from "../support/server.ts";

const BODY = JSON.stringify({ content: "Written while the server was asked to stop.", path: "stop" });

/**
 * How a write ends that was under way. Deno reads no further in a body that is still to come, so that the write is refused
 * as incomplete or cut off; what it has received whole it finishes, as the tests of the REST surface show.
 */
const FINISHED: Readonly<Record<Runtime, RegExp>> = {
  bun: /^HTTP\/1\.1 201 /,
  node: /^HTTP\/1\.1 201 /,
  deno: /^(HTTP\/1\.1 (201|422) |cut off$)/,
};

interface Started {
  readonly at: Home;
  readonly server: ServerProcess;
  readonly url: string;
}

async function start(runtime: Runtime, by?: "npm"): Promise<Started> {
  const at = await home();
  const server = at.start(runtime, { BOOTSTRAP_API_KEY: KEY }, by);
  return { at, server, url: await server.ready() };
}

/** A write that has begun, and that only `finish` completes. Answers its status line, or "cut off". */
async function slowWrite(url: string): Promise<{ finish: () => Promise<string> }> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  const head = ["POST /v1/remember HTTP/1.1", "Host: localhost", `X-API-Key: ${KEY}`, "Connection: close"];
  const type = ["Content-Type: application/json", `Content-Length: ${BODY.length}`];
  socket.write(`${[...head, ...type].join("\r\n")}\r\n\r\n${BODY.slice(0, 10)}`);
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  const closed = new Promise((resolve) => socket.on("error", resolve).on("close", resolve));
  // Once an answer to a later request is there, the server has met this one too.
  await fetch(`${url}/healthz`).then((response) => response.text());
  return {
    async finish() {
      socket.write(BODY.slice(10));
      await closed;
      return answer.split("\r\n")[0] || "cut off";
    },
  };
}

/** The port is free, and no process of the home is left. */
const gone = ({ at, url }: Started) =>
  eventually("all of the server to end", async () => {
    const answers = await fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
    return !answers && at.processes().length === 0 ? true : undefined;
  });

const saysStopping = ({ server }: Started) =>
  eventually("the server to stop", () => (server.stderr().includes("Stopping.") ? true : undefined));

const timeout = 240_000;

/** Each signal on each runtime, of which a run tries one. */
const signalled = <Signal extends NodeJS.Signals>(...signals: Signal[]) =>
  oneOrAll(runtimes.flatMap((runtime) => signals.map((signal) => ({ runtime, signal }))));

/** Stops what `npm start` started while it answers a request. */
async function finishesWhatRuns(
  runtime: (typeof runtimes)[number],
  signal: NodeJS.Signals,
): Promise<Started> {
  const started = await start(runtime, "npm");
  const write = await slowWrite(started.url);
  process.kill(started.server.pid, signal);
  await saysStopping(started);
  expect(await write.finish()).toMatch(FINISHED[runtime]);
  return started;
}

test.each(signalled("SIGTERM", "SIGINT"))(
  "on $runtime npm start finishes what runs and ends with 0 when npm alone gets $signal",
  { timeout },
  async ({ runtime, signal }) => {
    const started = await finishesWhatRuns(runtime, signal);
    expect(await started.server.exited).toEqual({ code: 0, signal: null });
    await gone(started);
  },
);

test.each(signalled("SIGKILL", "SIGHUP"))(
  "on $runtime the server finishes what runs and ends when npm is gone by $signal, which it does not pass on",
  { timeout },
  async ({ runtime, signal }) => {
    const started = await finishesWhatRuns(runtime, signal);
    await gone(started);
  },
);

test.each(signalled("SIGTERM", "SIGINT", "SIGHUP"))(
  "on $runtime the launcher passes $signal on, waits, and ends with 0",
  { timeout },
  async ({ runtime, signal }) => {
    const started = await start(runtime);
    const write = await slowWrite(started.url);
    process.kill(started.server.pid, signal);
    await saysStopping(started);
    expect(await write.finish()).toMatch(FINISHED[runtime]);
    expect(await started.server.exited).toEqual({ code: 0, signal: null });
    await gone(started);
  },
);

describe.each(runtimesUnderTest)("on %s", { timeout }, (runtime) => {
  test("the server finishes what runs and ends when the launcher is killed", async () => {
    const started = await start(runtime);
    const write = await slowWrite(started.url);
    process.kill(started.server.pid, "SIGKILL");
    await saysStopping(started);
    expect(await write.finish()).toMatch(FINISHED[runtime]);
    await gone(started);
  });

  test("a signal to the whole group, as a terminal sends it, cuts nothing off, not even the second time", async () => {
    const started = await start(runtime);
    const write = await slowWrite(started.url);
    process.kill(-started.server.pid, "SIGINT");
    await saysStopping(started);
    process.kill(-started.server.pid, "SIGINT");
    expect(await write.finish()).toMatch(FINISHED[runtime]);
    expect(await started.server.exited).toEqual({ code: 0, signal: null });
    await gone(started);
  });
});
