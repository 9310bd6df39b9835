import type { ListedCredential } from "../access/credential-store.ts";
import type { Ports } from "../ports.ts";
import type { AgentRecord, GrantedApproval } from "./agent-record.ts";
import type { AgentTransaction } from "./agent-store.ts";

const FORMAL_TOKEN_MS = 90 * 24 * 3_600_000;

/** A formal token of what the user granted. The user owns it, so that its power follows the user's live roles. */
export async function issueFormalToken(
  { clock }: Pick<Ports, "clock">,
  transaction: AgentTransaction,
  agent: AgentRecord,
  { approver, scopes, teamId, projects }: GrantedApproval,
  requestId: string,
): Promise<{ credential: ListedCredential; secret: string }> {
  return transaction.issue(
    {
      kind: "agent_formal",
      ownerId: approver.id,
      name: agent.client?.client_name ?? null,
      scopes,
      space: { teamId, projects, pathPrefix: null, buckets: null },
      expiresAt: clock() + FORMAL_TOKEN_MS,
      agentId: agent.id,
    },
    requestId,
  );
}
