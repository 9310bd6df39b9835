// Starts the server under a runtime: `node bin/start.js bun|deno|node`.
import { ensurePages } from "./built-pages.js";
import { launch } from "./launch.js";

await ensurePages();
// Being stopped is how a server ends, even before it is ready.
launch(process.argv[2] ?? "bun", "main.ts", { stopped: 0 });
