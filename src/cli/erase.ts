import type { Command } from "@commander-js/extra-typings";
import { printable } from "../compose/printable.ts";
import {
  type ErasedKind,
  type ErasureReceipt,
  eraseOwner,
  type RemovedRows,
} from "../core/access/erasure.ts";
import { toWire } from "../core/memory/member-table.ts";
import { CommandFailure } from "./failure.ts";
import { withTools } from "./open.ts";
import { jsonOption, owner, WORKS_ON_DATABASE } from "./options.ts";
import {
  count,
  createProgress,
  fields,
  figure,
  interruptible,
  iso,
  minute,
  print,
  printJson,
  printList,
  say,
  table,
} from "./terminal.ts";

/**
 * How long to wait for requests with ended credentials: servers cache a credential for half a second, and running
 * requests need time to finish.
 */
const SETTLE_MS = 1000;

const BROKEN_OFF = "Stopped before the end. Run the same command again to continue.";

/** An application erases its end users itself. */
type ErasableKind = Exclude<ErasedKind, "end_user">;

const WHAT_STAYS: Readonly<Record<ErasableKind, string>> = {
  user: `
Everything the user owns is erased: memories with their versions, vectors and
index entries, projects with their todos, decisions and reminders, receipts,
stored answers, keys, end users of the user's application, agents and what they
wrote, grants to apps, sessions and the sign-in account. What the user wrote to a team stays with the team, without
the author's name. The last owner of a team cannot be erased (exit status 1):
make another member an owner first, or erase the team.`,
  team: `
Everything the team owns is erased: memories with their versions, vectors and
index entries, projects with their todos, decisions and reminders, receipts,
stored answers, keys, end users of the team's application, memberships, and the
users' credentials that are confined to the team. Its members stay, with everything of their own. Agents that were
confined to the team are revoked.`,
};

export function addErase(owners: Command, kind: ErasableKind): void {
  owners
    .command("erase")
    .description(`Erase a ${kind} and everything they own, for good`)
    .argument("<NAME>", `The ${kind}`, owner)
    .option("--yes", "Erase it; without this, only count what would be removed")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `${WHAT_STAYS[kind]}
Two things remain: the receipt, and the lines of the audit log, whose ids no
longer refer to anything and which hold neither content nor names.

The work is done in batches and can run beside a server. If it is interrupted,
run the same command again to continue; when all is done, it prints the same
receipt again. A receipt is running, pending (only a search index or a server's
memory still has something to remove) or confirmed. Backups and the database's
log are yours to delete: see docs/security.md.

With --json it prints {dry_run: true, kind, name, would_remove}, or with --yes
{id, kind, owner_id, state, removed, audit_lines, started_at, finished_at}; rows
are counted by table.

Examples:
  recollect ${kind}s erase ${kind === "user" ? "alice" : "research"}
  recollect ${kind}s erase ${kind === "user" ? "alice" : "research"} --yes`,
    )
    .action(async (name, { yes, json }) =>
      withTools(async ({ erasures }) => {
        if (yes !== true) {
          const rows = await erasures.preview({ kind, name });
          if (rows === null) throw unknownOwner(kind, name);
          printPreview({ kind, name }, rows, json === true);
          return;
        }
        const progress = createProgress();
        const receipt = await interruptible((signal) =>
          eraseOwner(
            erasures,
            { kind, name },
            {
              signal,
              onProgress: (memories) => progress.show(memories, `${figure(memories)} memories removed`),
              settle: () => new Promise((resolve) => setTimeout(resolve, SETTLE_MS)),
            },
          ).catch((error) => {
            throw signal.aborted ? new CommandFailure(BROKEN_OFF) : error;
          }),
        ).finally(progress.end);
        if (json) printJson(toWire(receipt));
        else printReceipt(receipt);
      }),
    );
}

function unknownOwner(kind: ErasableKind, name: string): CommandFailure {
  return new CommandFailure(
    `There is no ${kind} named ${printable(name)}. Run recollect ${kind}s list to see them all, or recollect erasures to see what was erased.`,
  );
}

function printPreview(owner: { kind: ErasableKind; name: string }, rows: RemovedRows, asJson: boolean): void {
  if (asJson) {
    printJson({ dry_run: true, ...owner, would_remove: rows });
    return;
  }
  print(tableOf(rows));
  say(`Nothing was changed. Add --yes to erase ${printable(owner.name)} for good.`);
}

function tableOf(rows: RemovedRows): string {
  const largestFirst = Object.entries(rows).sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
  return table(
    ["KIND", "ROWS"],
    largestFirst.map(([name, number]) => [name, figure(number)]),
  );
}

function printReceipt(receipt: ErasureReceipt): void {
  const { id, kind, ownerId, state, startedAt, finishedAt, removed } = receipt;
  const shown = fields({
    receipt: id,
    owner: `${kind} ${ownerId}`,
    state,
    started_at: iso(startedAt),
    finished_at: iso(finishedAt) ?? "-",
  });
  print(`${shown}\n\n${tableOf(removed)}`);
  say(
    `${count(receipt.auditLines, "line")} of the audit log ${receipt.auditLines === 1 ? "remains" : "remain"}, without content or names.`,
  );
}

/** Adds the command that shows receipts of erasures. */
export function addErasures(program: Command): void {
  program
    .command("erasures")
    .description("Show the receipts of erased users and teams")
    .argument("[ID]", "Show this receipt in full")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `${WORKS_ON_DATABASE}
The newest come first. A receipt holds ids and numbers, no names and no content.
To find the receipt for a name, run recollect users erase NAME --yes again. With
--json it prints an array of what users erase prints, or only the one named by
ID.

Examples:
  recollect erasures
  recollect erasures 0199c1d2-7b3e-7c4f-9a5b-6d7e8f901234 --json`,
    )
    .action(async (id, { json }) =>
      withTools(async ({ erasures }) => {
        if (id === undefined) {
          printList(json, await erasures.list(), {
            json: toWire,
            empty: "No user or team has been erased.",
            columns: [
              ["RECEIPT", ({ id }) => id],
              ["KIND", ({ kind }) => kind],
              ["OWNER ID", ({ ownerId }) => ownerId],
              ["STATE", ({ state }) => state],
              ["MEMORIES", ({ removed }) => figure(removed.memories ?? 0)],
              ["STARTED", ({ startedAt }) => minute(startedAt)],
              ["FINISHED", ({ finishedAt }) => minute(finishedAt)],
            ],
          });
          return;
        }
        const receipt = await erasures.receipt(id);
        if (receipt === null)
          throw new CommandFailure(
            "There is no receipt with that id. Run recollect erasures to see them all.",
          );
        if (json) printJson(toWire(receipt));
        else printReceipt(receipt);
      }),
    );
}
