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
    .description("Remove what the rules of RETENTION keep no longer")
    .option("--dry-run", "Count what would be removed, and change nothing")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
RETENTION is JSON: {"memories": [{"bucket": "chat%", "memory_type": "episodic", "older_than_days": 365, "mode":
"hard_delete"}], "audit": [{"operation": "%", "older_than_days": 730}]}. Without it nothing is ever removed for its age. A
running server applies it every hour; this does so at once, beside it. It may be stopped and run again.

Kept whatever the rules say: what has legal_hold or pinned in its metadata, what a person has verified or directed, todos and
decisions, reminders that are due or to come, agents' quarantines; and knowledge and the ledger, unless a rule names them.

With --json it prints {dry_run, rules: [{of: memories|audit, rule, count}]}. The exit status is 1 where it was stopped.

Examples:
  recollect retention --dry-run
  recollect retention`,
    )
    .action(async ({ dryRun: isDry, json }) => {
      const policy = settings().retention;
      if (!hasRules(policy))
        throw new CommandFailure("RETENTION names no rules: nothing is removed for its age.");
      await interruptible(async (signal) => {
        const found = await withTools((tools) =>
          isDry ? dryRun(tools, policy) : applyRetention(tools, policy, { signal }),
        );
        if (json) printJson({ dry_run: isDry === true, rules: found });
        else print(table(["OF", "RULE", isDry ? "WOULD GO" : "REMOVED"], found.map(rowOf)));
        if (signal.aborted) throw new CommandFailure("Stopped before the end: run it again to go on.");
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
