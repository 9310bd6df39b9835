import { SERVICE_NAME, SERVICE_VERSION } from "../contract/service.ts";
import { group } from "./command.ts";
import { agentsCommand } from "./commands/agents.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { exportCommand } from "./commands/export.ts";
import { importCommand } from "./commands/import.ts";
import { keysCommand } from "./commands/keys.ts";
import { reembedCommand } from "./commands/reembed.ts";
import { reindexCommand } from "./commands/reindex.ts";
import { serveCommand } from "./commands/serve.ts";
import { skillsCommand } from "./commands/skills.ts";
import { teamsCommand } from "./commands/teams.ts";
import { usersCommand } from "./commands/users.ts";

/** Everything the command line can do. */
export const recollect = group(
  {
    name: "recollect",
    version: SERVICE_VERSION,
    description: `${SERVICE_NAME}: the memory service for AI agents`,
  },
  {
    serve: serveCommand,
    doctor: doctorCommand,
    keys: keysCommand,
    users: usersCommand,
    teams: teamsCommand,
    skills: skillsCommand,
    agents: agentsCommand,
    export: exportCommand,
    import: importCommand,
    reembed: reembedCommand,
    reindex: reindexCommand,
  },
  `
Commands work on the database that DATA_DIR or DATABASE_URL names, beside a running server if there is one.
The exit status is 0, 1 (failed) or 2 (usage). LOG_LEVEL=debug shows where a failure came from.

EXAMPLES

  recollect doctor
  recollect keys create --owner alice
  recollect export backup.jsonl`,
);
