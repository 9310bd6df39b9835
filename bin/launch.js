import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { applyPatches } from "./patches.js";
import { commandOf } from "./runtime.js";

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** How soon the end of npm is noticed. */
const LOOK_EVERY_MS = 250;

/**
 * Runs a file of `src` under a runtime, as a child that ends with this process: signals are passed on to it, and the
 * channel between the two closes when this process is killed. Ends with the child's exit status, with `stopped` where a
 * signal that asks it to end did so, or with one sentence where it cannot be started.
 */
export function launch(runtime, file, { args = [], stopped = 1 } = {}) {
  try {
    // Where npm ran no install scripts.
    applyPatches();
    const [program, ...before] = commandOf(runtime);
    const path = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
    const child = spawn(program, [...before, path, ...args], {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    });
    // The terminal signals the whole group; a supervisor signals only this process.
    for (const signal of STOP_SIGNALS) process.on(signal, () => child.kill(signal));
    whenNpmEnds(() => child.kill("SIGTERM"));
    child.on("error", fail);
    child.on("exit", (code, signal) => process.exit(code ?? (STOP_SIGNALS.includes(signal) ? stopped : 1)));
  } catch (error) {
    fail(error);
  }
}

/** npm passes on SIGINT and SIGTERM. That it died of another signal shows only in this process having a new parent. */
function whenNpmEnds(end) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(look);
    end();
  }, LOOK_EVERY_MS);
  look.unref();
}

function fail(error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
