#!/usr/bin/env node
// The command line, on Node: `recollect --help`.
import { launch } from "./launch.js";

launch("node", "cli/main.ts", { args: process.argv.slice(2) });
