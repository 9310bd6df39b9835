import type { OutputOf } from "../../contract/operations.ts";
import type { Scope } from "../../contract/scope.ts";
import type { Owner } from "../access/credential.ts";
import type { OffWire } from "../memory/member-table.ts";

/** A claim to be bound, as shown to its approver. All of it is the agent's own description. */
export type Claim = OffWire<Omit<OutputOf<"reviewAgent">, "groups" | "texts" | "texts_left_out" | "seen">>;

/** A person's grant to an agent. */
export interface Approval {
  readonly scopes: readonly Scope[];
  /** Only this team's memories; null: the person's own and those of all their teams. */
  readonly teamId: string | null;
  /** null: all projects. */
  readonly projects: readonly string[] | null;
  /** True: none of its earlier memories are adopted. Otherwise those that this approval would have allowed are. */
  readonly discards?: boolean;
}

/** The memories that an agent has written so far, as shown to its approver. All of it is untrusted. */
export interface Review {
  /** In the order in which they were stored. */
  readonly written: readonly WrittenText[];
  /** Digest of what is shown; empty if nothing is. */
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
  /**
   * Whether the approval adopts it. Memories that are not adopted become unreadable, and are deleted 30 days after the
   * binding.
   */
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

/** Returns the beginning of a text, on one line. Not escaped for terminals or pages. */
export function beginningOf({ content }: Pick<WrittenText, "content">, charactersMax: number): string {
  const read = content.slice(0, 8 * charactersMax);
  const characters = [...read.replaceAll(/\s+/gu, " ").trim()];
  const isWhole = read.length === content.length && characters.length <= charactersMax;
  return isWhole ? characters.join("") : `${characters.slice(0, charactersMax).join("")}…`;
}

/** An agent as its approver sees it. */
export type ListedAgent = OffWire<Omit<OutputOf<"listAgents">["agents"][number], "trust_level">>;

/** The person's side of binding an agent, in the browser or on the command line. */
export interface AgentClaims {
  /** Returns the claim of a code, ignoring case and spacing; null if it is unknown, expired or ended. */
  find(code: string): Promise<Claim | null>;
  /**
   * Returns the agent's memories, and which of them this approval would adopt now. Rejects with `not_found` and
   * `conflict` like `approve`. The approval may be incomplete.
   */
  review(approver: Owner, code: string, approval: Approval): Promise<Review>;
  /**
   * Approves a claim. Memories that are in the agent's quarantine now, and unchanged when it confirms, are adopted as
   * far as the approval allows. `seen` is the digest of the review that the person was shown. The confirmation token is
   * returned once; the agent must present it within ten minutes. If the same person approves again, a new one is made.
   * Rejects with `precondition_failed` if the current review differs from `seen`, `not_found` if `find` would return
   * null or the person is not in the team, `role_forbidden` if the role in the team does not cover the scopes, and
   * `conflict` if another person has approved the claim.
   */
  approve(
    approver: Owner,
    code: string,
    approval: Approval,
    seen?: string,
  ): Promise<{ agentId: string; confirmationToken: string; expiresAt: number }>;
  /**
   * Ends the claim and its token; its quarantine is deleted later. Rejects with `not_found` like `approve`, and with
   * `conflict` if another person approved it.
   */
  deny(approver: Owner, code: string): Promise<void>;
  /** The newest 1,000 agents that a person approved (`null`: of all people), newest first. */
  list(approver: Owner | null): Promise<ListedAgent[]>;
  /**
   * Ends an agent and all its tokens within a second. Returns false if the person (`null`: anyone) has no such agent.
   */
  revoke(approver: Owner | null, agentId: string): Promise<boolean>;
}
