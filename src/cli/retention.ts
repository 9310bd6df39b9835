import type { Command } from "@commander-js/extra-typings";
import { type Applied, applyRetention, dryRun } from "../core/retention/apply-retention.ts";
import { hasRules } from "../core/retention/policy.ts";
import { CommandFailure } from "./failure.ts";
import { settings, withTools } from "./open.ts";
import { jsonOption } from "./options.ts";
import { figure, interruptible, print, printJson, table } from "./terminal.ts";

export function addRetention(program: Command): void {
  program
    .command("retention")
    .description("Remove what the RETENTION rules no longer keep")
    .option("--dry-run", "Change nothing; only count what would be removed")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
RETENTION is JSON, for example:
  {"memories": [{"bucket": "chat%", "memory_type": "episodic",
    "older_than_days": 365, "mode": "hard_delete"}],
   "audit": [{"operation": "%", "older_than_days": 730}]}
Without it nothing is ever removed because of its age. A running server applies
the rules every hour; this command applies them at once, and can be stopped and
run again.

Whatever the rules say, these are kept: memories with legal_hold or pinned in
their metadata, memories that a person has verified or directed, todos and
decisions, reminders that are due or upcoming, and agents' quarantines.
Knowledge and the ledger are kept unless a rule names them.

With --json it prints {dry_run, rules: [{of: memories|audit, rule, count}]}. The
exit status is 1 if it was stopped.

Examples:
  recollect retention --dry-run
  recollect retention`,
    )
    .action(async ({ dryRun: isDry, json }) => {
      const policy = settings().retention;
      if (!hasRules(policy))
        throw new CommandFailure(
          "RETENTION has no rules, so nothing is removed because of its age. Set RETENTION first.",
        );
      await interruptible(async (signal) => {
        const found = await withTools((tools) =>
          isDry ? dryRun(tools, policy) : applyRetention(tools, policy, { signal }),
        );
        if (json) printJson({ dry_run: isDry === true, rules: found });
        else print(table(["OF", "RULE", isDry ? "WOULD REMOVE" : "REMOVED"], found.map(rowOf)));
        if (signal.aborted)
          throw new CommandFailure("Stopped before the end. Run the command again to continue.");
      });
    });
}

function rowOf({ of, rule, count }: Applied): string[] {
  const what =
    "mode" in rule
      ? `${rule.mode} bucket ${rule.bucket}, type ${rule.memoryType}`
      : `operation ${rule.operation}`;
  return [of, `${what}, older than ${rule.olderThanDays} days`, figure(count)];
}
