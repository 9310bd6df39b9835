/** A command that is stopped before it is done: it says so by its exit status, and Ctrl-C cuts nothing off the first time. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { eventually, kill } from "../support/processes.ts";

interface Waiting {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  stderr(): string;
  /** The database that it waits for goes away. */
  giveUp(): void;
}

/** A command as users start it, in a process group of its own, when it has begun to wait for the database. */
async function waiting(...args: string[]): Promise<Waiting> {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on("error", () => {}))).listen(
    0,
    "127.0.0.1",
  );
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, ["bin/recollect.js", ...args], {
    env: { PATH, HOME, DATABASE_URL: `postgres://recollect@127.0.0.1:${port}/none` },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (more: string) => {
    stderr += more;
  });
  const exited = once(child, "close").then(([code]) => code as number | null);
  const giveUp = () => {
    silent.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(async () => {
    kill(-(child.pid as number));
    giveUp();
    await exited;
  });
  await eventually("the command to ask for the database", () => (sockets.length > 0 ? true : undefined));
  return { child, exited, stderr: () => stderr, giveUp };
}

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s ends it as failed", async (signal) => {
  const { child, exited } = await waiting("keys", "list");
  child.kill(signal);
  expect(await exited).toBe(1);
});

test("Ctrl-C, which reaches the launcher and the command both, asks once to stop", async () => {
  const { child, exited, stderr, giveUp } = await waiting("export", "-");
  const group = -(child.pid as number);
  process.kill(group, "SIGINT");
  await eventually("the command to answer", () =>
    stderr().includes("Press Ctrl-C again") ? true : undefined,
  );
  giveUp();
  expect(await exited).toBe(1);
  expect(stderr()).toContain("Stopped before the end");
});
