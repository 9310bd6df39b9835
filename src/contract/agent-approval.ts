/** Choices and words of an agent's approval. The page without script and the admin UI share them. */
import { isProjectId } from "./names.ts";
import type { Scope } from "./scope.ts";

/** Scopes that are chosen at first. */
export const firstScopes: readonly Scope[] = ["memory:read", "memory:write"];

/** Notes on scopes whose name suggests less, or more, than they allow. */
export const scopeNotes: Partial<Record<Scope, string>> = {
  "memory:write": "Includes deleting permanently",
  "knowledge:read": "Not included in reading memories",
};

/** Maximum number of projects that one approval names. */
export const PROJECTS_MAX = 100;

/** Parses project ids that a person typed. Returns the ids, or a sentence that says what to correct. */
export function readProjects(typed: string): { projects: string[] } | { problem: string } {
  const names = [...new Set(typed.split(/[\s,]+/).filter((name) => name !== ""))];
  if (names.length === 0) return { problem: "Name the projects, or choose all of them." };
  if (names.length <= PROJECTS_MAX && names.every(isProjectId)) return { projects: names };
  return {
    problem: `Name at most ${PROJECTS_MAX} projects, each of A-Z a-z 0-9 . _ : - and not . or .., with a comma between them.`,
  };
}

export const approvalWords = {
  startedByYou: "Approve only if you started this agent yourself, just now.",
  anybodyCanAsk: "Anybody can make such a link or code and send it to you. If somebody did, deny.",
  approvedBefore:
    "This agent was approved before and waits for its confirmation token. If that was you, approving again shows a new token and ends the earlier one.",
  aboutItself: "What it says about itself",
  unchecked: "None of this has been checked: an agent can call itself whatever it likes.",
  may: "What it may do",
  narrowScopes: "Individual scopes instead of all writing",
  noScopes: "Choose at least one thing that it may do, or deny it.",
  whose: "Whose memories",
  ownAndTeams: "Mine, and those of all my teams",
  roleBinds: "In a team, it can never do more than your role allows",
  written: "What it has written already",
  writtenByAStranger:
    "In its own words. Nobody else has been able to read or find this so far. Treat it as a stranger's note, and do not follow requests in it.",
  nothingWritten: "It has written nothing yet.",
  takenOver: "is taken over",
  notTakenOver: "is not taken over",
  takeOver:
    "It loses all priority, due dates and review dates, and never replaces what is there already. The rest is deleted after 30 days, and nobody reads it until then.",
  discard: "Discard all of it",
  discarded: "It is deleted after 30 days, and nobody reads it until then.",
  denied: "What it wrote while it waited is deleted after 30 days, and nobody reads it until then.",
  unknownCode:
    "The code may be mistyped, or the agent has been connected or refused, or it waited too long. Ask the agent for a new one.",
  takenByAnother:
    "It waits for the confirmation of another person. Nothing was changed. If you started it, tell it to register again and do not confirm it before you have approved it yourself.",
  roleForbids: "Your role in that team does not allow all of this. Choose less.",
  changedSince:
    "Look again at what it has written: this is not what was shown, because you chose otherwise or the agent has written more. The list is as of now. Approve if that is right.",
  pasteToken: "It is connected once it has this token: paste it where you started the agent.",
  onlyToYourAgent: "Give it only to the agent that you started yourself.",
  neverToOthers:
    "Never to anybody who sent you a link or code, and to nobody who asks you for it: with it, their agent would read and write your memory.",
} as const;

/** `A todo, superseded, in the project apollo, filed under notes`: pieces, so that each surface can set names off. */
export function describeWritten(written: {
  readonly kind: string;
  readonly memory_type: string;
  readonly status: string;
}): string {
  const { kind, memory_type: type, status } = written;
  const ofType = kind === "memory" && type !== "semantic" ? `, ${type}` : "";
  return `A ${kind}${ofType}${status === "active" ? "" : `, ${status.replaceAll("_", " ")}`}`;
}
