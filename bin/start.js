// Starts the server under a runtime: `node bin/start.js bun|deno|node`.
import { ensurePages } from "./built-pages.js";
import { ensureInstalled } from "./installed.js";
import { launch } from "./launch.js";
import { has } from "./runtime.js";

// Options reach nobody, and npm keeps those before `--` to itself.
const isGivenOptions =
  process.argv.length > 3 || ["port", "host"].some((name) => process.env[`npm_config_${name}`] !== undefined);
if (isGivenOptions)
  process.stderr.write(
    "The server takes no options, and these have no effect. Set the environment instead: PORT=8788 npm start\n",
  );

try {
  await ensureInstalled();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

const asked = process.argv[2] ?? "bun";
// A server's install (`npm ci --omit=dev`) has the Node that it was made with, and no other runtime.
const runtime = asked === "bun" && !has("bun") ? "node" : asked;
if (runtime !== asked) process.stderr.write("Bun is not installed here: starting on Node.\n");

await ensurePages();
// Being stopped is how a server ends, even before it is ready.
launch(runtime, "main.ts", { stopped: 0 });
