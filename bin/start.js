// Starts the server under a runtime: `node bin/start.js bun|deno|node`.
import { launch } from "./launch.js";

launch(process.argv[2] ?? "bun", "main.ts");
