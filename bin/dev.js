// `npm run dev`: the service on Bun, stopped and started again when a file of src/ changes, and the admin UI with hot
// reload beside it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { applyPatches } from "./patches.js";
import { commandOf } from "./runtime.js";

const SOURCES = fileURLToPath(new URL("../src", import.meta.url));
/** Editors save several files at once. */
const SETTLED_MS = 100;

process.env.RECOLLECT_URL ??= `http://127.0.0.1:${process.env.PORT ?? "8787"}`;
applyPatches();
const [program, ...before] = commandOf("bun");

/** The channel closes when this process is killed, and the service ends with it. */
const start = () =>
  spawn(program, [...before, `${SOURCES}/main.ts`], { stdio: ["inherit", "inherit", "inherit", "ipc"] });

let service = start();

async function restart() {
  process.stderr.write("A source has changed: starting again.\n");
  if (service.exitCode === null && service.signalCode === null) {
    service.kill("SIGTERM");
    await once(service, "exit");
  }
  service = start();
}

const pages = await createServer({
  configFile: fileURLToPath(new URL("../admin-ui/vite.config.ts", import.meta.url)),
});
await pages.listen();
process.stderr.write(`The admin UI with hot reload: ${pages.resolvedUrls?.local[0]}\n`);

let restarting = Promise.resolve();
let settled;
pages.watcher.add(SOURCES).on("all", (event, path) => {
  if (event !== "change" || !path.startsWith(SOURCES)) return;
  clearTimeout(settled);
  settled = setTimeout(() => {
    restarting = restarting.then(restart);
  }, SETTLED_MS);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, async () => {
    if (service.exitCode === null) {
      service.kill(signal);
      await once(service, "exit");
    }
    process.exit(0);
  });
