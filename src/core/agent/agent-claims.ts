import type { AgentStatus } from "../../contract/agent.ts";
import type { Scope } from "../../contract/scope.ts";
import type { Owner } from "../access/credential.ts";

/** A request to be bound, as its approver must see it. All of it is the agent's own description. */
export interface Claim {
  readonly agentId: string;
  readonly status: "pending" | "awaiting_confirmation";
  readonly clientName: string;
  readonly clientVersion: string | null;
  readonly runtime: string | null;
  readonly entryType: string;
  /** The project it named, if any. */
  readonly projectId: string | null;
  readonly requestedAt: number;
  /** When the claim lapses. */
  readonly expiresAt: number;
  /** The network address it registered from. */
  readonly address: string | null;
}

/** A person's grant to an agent. */
export interface Approval {
  readonly scopes: readonly Scope[];
  /** null: the person's own memories and all of its teams'; otherwise this team's alone. */
  readonly teamId: string | null;
  /** null: all projects. */
  readonly projects: readonly string[] | null;
  /** True: nothing that it wrote before is adopted. Otherwise, what this approval would have let it write moves. */
  readonly discards?: boolean;
}

/** Memories that an agent has written so far, as its approver must see them. All of it comes from a stranger. */
export interface Review {
  /** In order of storing. */
  readonly written: readonly WrittenText[];
  /** Stands for what is shown here, and is empty where that is nothing. */
  readonly digest: string;
}

export interface WrittenText {
  readonly kind: "memory" | "todo" | "decision";
  readonly memoryType: string;
  readonly projectId: string | null;
  readonly bucket: string;
  readonly path: string;
  /** `active`, `superseded`, `soft_deleted`, … */
  readonly status: string;
  readonly content: string;
  /** Whether the approval takes it over. What it does not take is read by nobody, and deleted 30 days after the binding. */
  readonly moves: boolean;
}

/** Memories of one kind in one project, and whether they move. */
export interface WrittenGroup extends Pick<WrittenText, "kind" | "projectId" | "moves"> {
  readonly count: number;
  /** `3 memories`, `1 todo`. */
  readonly words: string;
}

const PLURALS = { memory: "memories", todo: "todos", decision: "decisions" } as const;

/** Groups memories by project, kind, and whether they move. */
export function writtenGroups(written: readonly WrittenText[]): WrittenGroup[] {
  const counts = new Map<string, { one: WrittenText; count: number }>();
  for (const one of written) {
    const key = JSON.stringify([one.projectId, one.kind, !one.moves]);
    counts.set(key, { one, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { one, count }]) => {
      const { kind, projectId, moves } = one;
      return { kind, projectId, moves, count, words: `${count} ${count === 1 ? kind : PLURALS[kind]}` };
    });
}

/** The beginning of what was written, in one line. It may still hold what steers a terminal or a page. */
export function beginningOf({ content }: Pick<WrittenText, "content">, charactersMax: number): string {
  const read = content.slice(0, 8 * charactersMax);
  const characters = [...read.replaceAll(/\s+/gu, " ").trim()];
  const isWhole = read.length === content.length && characters.length <= charactersMax;
  return isWhole ? characters.join("") : `${characters.slice(0, charactersMax).join("")}…`;
}

/** An agent as its person sees it. */
export interface ListedAgent {
  readonly agentId: string;
  readonly status: AgentStatus;
  readonly clientName: string;
  readonly approvedAt: number | null;
  readonly lastUsedAt: number | null;
  readonly scopes: readonly Scope[];
  readonly teamId: string | null;
  readonly projects: readonly string[] | null;
}

/** The person's half of binding an agent: in the browser, or on the command line. */
export interface AgentClaims {
  /** The claim of that code, in whatever case and spacing it was typed; null where unknown, lapsed or ended. */
  find(code: string): Promise<Claim | null>;
  /**
   * Returns what the agent has written, and which of it this approval would adopt as of now. `not_found` and `conflict` as
   * below. An incomplete approval is accepted.
   */
  review(approver: Owner, code: string, approval: Approval): Promise<Review>;
  /**
   * Approves a claim. What is in the agent's quarantine at this moment, and unchanged when it confirms, is taken over as
   * far as the approval goes. `seen`: the digest of the review that the person was shown; `precondition_failed` where
   * another one would be shown now. The confirmation token is shown to this person alone, once: the agent must present
   * it within ten minutes. Approving again, by the same person, makes a new one. `not_found` where `find` would answer
   * null or where the team is not one of the person's; `role_forbidden` where the role in the team is below the scopes;
   * `conflict` where another person has approved it.
   */
  approve(
    approver: Owner,
    code: string,
    approval: Approval,
    seen?: string,
  ): Promise<{ agentId: string; confirmationToken: string; expiresAt: number }>;
  /** Ends the claim, its token, and in time its quarantine. `not_found` as above; `conflict` where another approved it. */
  deny(approver: Owner, code: string): Promise<void>;
  /** The newest thousand of the agents a person approved, newest first; of everybody's where `null`. */
  list(approver: Owner | null): Promise<ListedAgent[]>;
  /** Ends an agent and all its tokens within a second. False where the person (`null`: anybody) has no such agent. */
  revoke(approver: Owner | null, agentId: string): Promise<boolean>;
}
