#!/usr/bin/env node
// The command line: `recollect --help`.
import { launch } from "./launch.js";
import { has } from "./runtime.js";

/**
 * What somebody waits for at a prompt. Bun reads the program's hundreds of files in less than half the time that Node takes,
 * so it runs these where it is installed. All else runs on Node: the server that was asked for, and what reads files of
 * other programs.
 */
const AT_A_PROMPT = ["keys", "users", "teams", "agents", "skills", "erasures", "usage", "doctor", "help"];

const args = process.argv.slice(2);
const [first = ""] = args;
const isQuick =
  AT_A_PROMPT.includes(first) || args.some((arg) => ["--help", "-h", "--version"].includes(arg));

launch(isQuick && has("bun") ? "bun" : "node", "cli/main.ts", { args });
