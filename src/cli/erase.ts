import type { Command } from "@commander-js/extra-typings";
import { printable } from "../compose/printable.ts";
import {
  type ErasedKind,
  type ErasureReceipt,
  eraseOwner,
  type RemovedRows,
} from "../core/access/erasure.ts";
import { CommandFailure } from "./failure.ts";
import { withTools } from "./open.ts";
import { jsonOption, owner, WORKS_ON_DATABASE } from "./options.ts";
import {
  count,
  createProgress,
  figure,
  interruptible,
  iso,
  minute,
  print,
  printJson,
  say,
  table,
} from "./terminal.ts";

/** Servers take an ended credential for a valid one for half a second, and a request under way takes its time. */
const SETTLE_MS = 1000;

const BROKEN_OFF = "Broken off: the same command goes on from here.";

const WHAT_STAYS: Readonly<Record<ErasedKind, string>> = {
  user: `
What the user owns goes: memories with versions, vectors and index entries, projects with todos, decisions and reminders,
receipts, stored answers, keys, agents and what those wrote, grants to apps, sessions and the sign-in account. What the user
wrote to a team stays the team's, and no longer says who wrote it. A user who is the last owner of a team is refused with
exit status 1: make another member owner first, or erase the team.`,
  team: `
What the team owns goes: memories with versions, vectors and index entries, projects with todos, decisions and reminders,
receipts, stored answers and keys, the memberships, and the credentials of users that are confined to the team. Its
members stay, with all that is their own; agents that were confined to the team are revoked.`,
};

/** The command that erases owners of a kind. */
export function addErase(owners: Command, kind: ErasedKind): void {
  owners
    .command("erase")
    .description(`Erase a ${kind} with everything it owns, for good`)
    .argument("<NAME>", `The ${kind}`, owner)
    .option("--yes", "Do it; unless given, nothing is changed, and what would go is counted")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `${WHAT_STAYS[kind]}
Lines of the audit log stay, with ids that lead to nothing and without content or names; and the receipt.

It works in batches beside a running server. Where it is broken off, the same command goes on; once all is done, it
prints the same receipt again. The state of a receipt is running, pending (all is removed but from a search index or a
server's memory) or confirmed. Backups and the database's log are yours: see docs/security.md.
With --json it prints {dry_run: true, kind, name, would_remove}, or with --yes {id, kind, owner_id, state, removed,
audit_lines, started_at, finished_at}; what is removed is counted by table.

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
        if (json) printJson(toJson(receipt));
        else printReceipt(receipt);
      }),
    );
}

function unknownOwner(kind: ErasedKind, name: string): CommandFailure {
  return new CommandFailure(
    `There is no ${kind} named ${printable(name)}. recollect ${kind}s list shows them, recollect erasures who was erased.`,
  );
}

function printPreview(owner: { kind: ErasedKind; name: string }, rows: RemovedRows, asJson: boolean): void {
  if (asJson) {
    printJson({ dry_run: true, ...owner, would_remove: rows });
    return;
  }
  print(tableOf(rows));
  say(`Nothing was changed: --yes erases ${printable(owner.name)}, for good.`);
}

function tableOf(rows: RemovedRows): string {
  const largestFirst = Object.entries(rows).sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
  return table(
    ["KIND", "ROWS"],
    largestFirst.map(([name, number]) => [name, figure(number)]),
  );
}

function toJson(receipt: ErasureReceipt) {
  return {
    id: receipt.id,
    kind: receipt.kind,
    owner_id: receipt.ownerId,
    state: receipt.state,
    removed: receipt.removed,
    audit_lines: receipt.auditLines,
    started_at: iso(receipt.startedAt),
    finished_at: iso(receipt.finishedAt),
  };
}

function printReceipt(receipt: ErasureReceipt): void {
  print(
    [
      `receipt      ${receipt.id}`,
      `owner        ${receipt.kind} ${receipt.ownerId}`,
      `state        ${receipt.state}`,
      `started_at   ${iso(receipt.startedAt)}`,
      `finished_at  ${iso(receipt.finishedAt) ?? "-"}`,
      "",
      tableOf(receipt.removed),
    ].join("\n"),
  );
  say(
    `${count(receipt.auditLines, "line")} of the audit log ${receipt.auditLines === 1 ? "stays" : "stay"}, without content or names.`,
  );
}

/** What can be shown afterwards of who was erased. */
export function addErasures(program: Command): void {
  program
    .command("erasures")
    .description("Show the receipts of erased users and teams")
    .argument("[ID]", "One of them, in full")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `${WORKS_ON_DATABASE}
Newest first. A receipt holds ids and numbers, neither a name nor content; recollect users erase NAME --yes finds the one
of a name again. With --json it prints an array of what users erase prints, or the one that ID names.

Examples:
  recollect erasures
  recollect erasures 0199c1d2-7b3e-7c4f-9a5b-6d7e8f901234 --json`,
    )
    .action(async (id, { json }) =>
      withTools(async ({ erasures }) => {
        if (id === undefined) {
          printAll(await erasures.list(), json === true);
          return;
        }
        const receipt = await erasures.receipt(id);
        if (receipt === null)
          throw new CommandFailure("There is no receipt with that id. recollect erasures shows them.");
        if (json) printJson(toJson(receipt));
        else printReceipt(receipt);
      }),
    );
}

function printAll(receipts: readonly ErasureReceipt[], asJson: boolean): void {
  if (asJson) printJson(receipts.map(toJson));
  else if (receipts.length === 0) print("Nobody has been erased.");
  else
    print(
      table(
        ["RECEIPT", "KIND", "OWNER ID", "STATE", "MEMORIES", "STARTED", "FINISHED"],
        receipts.map((one) => [
          one.id,
          one.kind,
          one.ownerId,
          one.state,
          figure(one.removed.memories ?? 0),
          minute(one.startedAt),
          minute(one.finishedAt),
        ]),
      ),
    );
}
