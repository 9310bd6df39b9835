import { printWarnings } from "../compose/printable.ts";
import { run } from "./program.ts";

// A reader that stops early, such as head, is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

printWarnings();
process.exitCode = await run(process.argv.slice(2));
