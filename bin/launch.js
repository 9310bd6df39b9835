import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { applyPatches } from "./patches.js";
import { commandOf } from "./runtime.js";

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** How soon the end of npm, or of a task, is noticed. */
const LOOK_EVERY_MS = 250;

/**
 * Runs a file of `src` under a runtime, as a child that ends with this process: signals are passed on to it, and the
 * channel between the two closes when this process is killed. Ends with the child's exit status, with `stopped` where a
 * signal that asks it to end did so, or with one sentence where it cannot be started. `byTask`: the end of the process that
 * started this one ends it too.
 */
export function launch(runtime, file, { args = [], stopped = 1, byTask = isByNpm() } = {}) {
  try {
    // Where npm ran no install scripts.
    applyPatches();
    const [program, ...before] = commandOf(runtime);
    const path = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
    const child = spawn(program, [...before, path, ...args], {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      // Nothing leaves the machine unasked, not even a question for a newer Deno.
      env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" },
    });
    // The terminal signals the whole group; a supervisor signals only this process.
    for (const signal of STOP_SIGNALS) process.on(signal, () => child.kill(signal));
    if (byTask) whenParentEnds(() => child.kill("SIGTERM"));
    child.on("error", fail);
    child.on("exit", (code, signal) => process.exit(code ?? (STOP_SIGNALS.includes(signal) ? stopped : 1)));
  } catch (error) {
    fail(error);
  }
}

const isByNpm = () => process.env.npm_lifecycle_event !== undefined;

/**
 * npm passes on SIGINT and SIGTERM, and `deno task` nothing at all. That one of them died of a signal that it does not pass
 * on shows only in this process having a new parent.
 */
function whenParentEnds(end) {
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    end();
  }, LOOK_EVERY_MS);
  look.unref();
}

function fail(error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
