/** The lines of what is no memory, as an export writes them and an import reads them. */
import type { AgentStatus } from "../../contract/agent.ts";
import type { LineOf, OwnerRef } from "../../contract/transfer.ts";
import { rfc3339 } from "../memory/present.ts";
import type {
  KeptReceipt,
  KeptSettings,
  StoredAgent,
  StoredLinks,
  StoredTeam,
  StoredUser,
} from "./export-source.ts";
import { mapping } from "./members.ts";

export function userLine({ id, name, createdAt }: StoredUser): LineOf<"user"> {
  return { kind: "user", name, id, created_at: rfc3339(createdAt) };
}

export function teamLine({ id, name, createdAt, members }: StoredTeam): LineOf<"team"> {
  const written = members.map(({ user, role, since }) => ({ user, role, since: rfc3339(since) }));
  return { kind: "team", name, id, created_at: rfc3339(createdAt), members: written };
}

const PLAIN = {};
const INSTANT = { isInstant: true } as const;

const AGENT = mapping<StoredAgent, Omit<LineOf<"agent">, "kind" | "approval">>()({
  id: PLAIN,
  status: PLAIN,
  client: PLAIN,
  address: PLAIN,
  requestedAt: INSTANT,
  expiresAt: INSTANT,
  endedAt: INSTANT,
});

/** An agent that is bound comes back revoked: it has no credential there. */
const RESTORED_AS: Partial<Record<AgentStatus, LineOf<"agent">["status"]>> = {
  bound: "revoked",
  revoked: "revoked",
  denied: "denied",
  expired: "expired",
};

export function agentLine(agent: StoredAgent): LineOf<"agent"> {
  const { approval } = agent;
  return {
    kind: "agent",
    ...AGENT.toLine(agent),
    status: RESTORED_AS[agent.status] ?? "expired",
    approval: approval && {
      by: approval.by,
      at: rfc3339(approval.at),
      scopes: approval.scopes as never,
      team: approval.team,
      projects: approval.projects as string[] | null,
    },
  };
}

export function agentFrom(line: LineOf<"agent">): StoredAgent {
  const { approval } = line;
  return {
    ...AGENT.fromLine(line),
    approval: approval && { ...approval, at: Date.parse(approval.at) },
  };
}

export function linksLine({ owner, id, dependsOn, supersedes }: StoredLinks): LineOf<"links"> {
  return { kind: "links", owner, id, depends_on: [...dependsOn], supersedes };
}

const SETTINGS = mapping<KeptSettings, Omit<LineOf<"settings">, "kind" | "owner" | "project_id">>()({
  staleAfterDays: PLAIN,
  duplicateSimilarity: PLAIN,
  completedRetentionDays: PLAIN,
  purgeDeletedAfterDays: PLAIN,
  automaticActions: PLAIN,
  scheduleHours: PLAIN,
  updatedAt: INSTANT,
  updatedBy: PLAIN,
  nextRunAt: INSTANT,
} satisfies Record<keyof KeptSettings, unknown>);

export function settingsLine(owner: OwnerRef, projectId: string, settings: KeptSettings): LineOf<"settings"> {
  return { kind: "settings", owner, project_id: projectId, ...SETTINGS.toLine(settings) };
}

export const settingsFrom = (line: LineOf<"settings">): KeptSettings => SETTINGS.fromLine(line);

const RECEIPT = mapping<KeptReceipt, Omit<LineOf<"receipt">, "kind" | "owner">>()({
  id: PLAIN,
  digest: PLAIN,
  removed: PLAIN,
  remaining: PLAIN,
  createdAt: INSTANT,
  confirmedAt: INSTANT,
} satisfies Record<keyof KeptReceipt, unknown>);

export function receiptLine(owner: OwnerRef, receipt: KeptReceipt): LineOf<"receipt"> {
  return { kind: "receipt", owner, ...RECEIPT.toLine(receipt) };
}

export const receiptFrom = (line: LineOf<"receipt">): KeptReceipt => RECEIPT.fromLine(line);
