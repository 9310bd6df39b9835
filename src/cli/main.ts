import { recollect } from "./recollect.ts";
import { run } from "./run.ts";

// A reader that stops early, as head does, is no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await run(recollect, process.argv.slice(2));
