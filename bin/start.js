// Starts the server under a runtime: `node bin/start.js bun|deno|node`.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { commandOf } from "./runtime.js";

try {
  const [program, ...args] = commandOf(process.argv[2] ?? "bun");
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const server = spawn(program, [...args, main], { stdio: "inherit" });
  // The terminal signals the whole group; a supervisor signals only this process.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
  server.on("error", (error) => fail(error));
  server.on("exit", (code, signal) =>
    process.exit(code ?? (signal === "SIGINT" || signal === "SIGTERM" ? 0 : 1)),
  );
} catch (error) {
  fail(error);
}

function fail(error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
