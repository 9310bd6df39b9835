/** What maintenance does, in words: by the names that the service has for it. */
import type { Outputs } from "../../shell/trpc.ts";

export type Action = Outputs["reportMaintenance"]["actions"][number]["action"];
export type Run = Outputs["listMaintenanceRuns"][number];

interface Words {
  /** What it is about. */
  readonly title: string;
  readonly hint: string;
  /** What becomes of so many, before it is done; and after. */
  readonly does: (count: number) => string;
  readonly did: (count: number) => string;
  readonly returns: "undo" | "never" | "unneeded";
}

export const number = new Intl.NumberFormat("en");
export const memories = (count: number) => `${number.format(count)} ${count === 1 ? "memory" : "memories"}`;

const archive = {
  does: (count: number) => `${memories(count)} leave recall as archived`,
  did: (count: number) => `${number.format(count)} archived`,
  returns: "undo",
} as const;

/** Every action, in the order of a run. One that is missing does not compile. */
export const WORDS: Readonly<Record<Action, Words>> = {
  expire_overdue: { title: "Expired", hint: "They have expired", ...archive },
  archive_stale: {
    title: "Stale",
    hint: "Neither changed nor verified for long, or finished long ago",
    ...archive,
  },
  merge_duplicates: {
    title: "Duplicates",
    hint: "A better memory says the same",
    does: (count) => `${memories(count)} are merged into ones that say the same`,
    did: (count) => `${number.format(count)} merged`,
    returns: "undo",
  },
  purge_deleted: {
    title: "Forgotten long ago",
    hint: "Soft-deleted, and kept for as long as the settings say",
    does: (count) => `${memories(count)} are erased for good`,
    did: (count) => `${number.format(count)} erased`,
    returns: "never",
  },
  refresh_embeddings: {
    title: "Not found by meaning",
    hint: "They have no vector from the current model",
    does: (count) => `${memories(count)} are embedded again`,
    did: (count) => `${number.format(count)} embedded again`,
    returns: "unneeded",
  },
  repair_index: {
    title: "Behind in the index",
    hint: "Writing them there has failed",
    does: (count) => `${memories(count)} are written to the index again`,
    did: (count) => `${number.format(count)} written again`,
    returns: "unneeded",
  },
};

export const ACTIONS = Object.keys(WORDS) as Action[];

/** A reason that the service gives as a word for machines. */
const REASONS: Readonly<Record<string, string>> = {
  not_due: "was no longer due",
  not_found: "is gone, or you may not see it",
  changed: "was changed in the meantime and stays as it is",
  survivor_changed: "the memory to keep has changed in the meantime",
  role_forbidden: "you may not change it",
  insufficient_scope: "you may not change it",
  taken: "was done by another part of the run",
  internal: "the service failed; its log says why",
  invalid_token: "whoever began the run may no longer continue it",
};

export const reasonIn = (reason: string) => REASONS[reason] ?? reason.replaceAll("_", " ");

/** All that a run did, in one line. */
export function didOf({ actions }: Run): string {
  const did = actions.flatMap(({ action, changed }) => (changed > 0 ? [WORDS[action].did(changed)] : []));
  const left = actions.reduce((sum, { skipped, failed }) => sum + skipped + failed, 0);
  const parts = left > 0 ? [...did, `${number.format(left)} left as they were`] : did;
  return parts.length === 0 ? "Nothing was changed" : parts.join(" · ");
}

export const isGoing = ({ status }: Pick<Run, "status">) => status === "running" || status === "undoing";

/** How many changes of a run an undo would still take back. */
export function undoable({ status, actions }: Run): number {
  if (status !== "completed") return 0;
  return actions.reduce(
    (sum, { action, changed }) => sum + (WORDS[action].returns === "undo" ? changed : 0),
    0,
  );
}
