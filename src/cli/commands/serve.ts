import { command } from "../command.ts";
import { serve } from "../open.ts";

export const serveCommand = command(
  {
    meta: { name: "serve", description: "Start the service and keep it running" },
    async run() {
      await serve();
    },
  },
  {
    notes: `
Settings come from the environment: HOST (127.0.0.1), PORT (8787), DATA_DIR (.data), DATABASE_URL, LOG_LEVEL (info).
Without DATABASE_URL it runs a database of its own below DATA_DIR.

EXAMPLES

  recollect serve
  PORT=9000 DATA_DIR=/var/lib/recollect recollect serve

Ctrl-C or SIGTERM stops it in order. Exit status 1 says that it could not start or that its database died.`,
  },
);
