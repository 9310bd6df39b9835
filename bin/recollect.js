#!/usr/bin/env node
// The command line, on Node: `recollect --help`.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { commandOf } from "./runtime.js";

const [program, ...args] = commandOf("node");
const main = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const tool = spawn(program, [...args, main, ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => tool.kill(signal));
tool.on("exit", (code) => process.exit(code ?? 1));
