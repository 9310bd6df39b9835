import { type RegistrationAnswer, type RegistrationRequest, TEMPORARY_SCOPES } from "../../contract/agent.ts";
import type { Visitor } from "../caller.ts";
import { DomainError } from "../error.ts";
import { agentIdFrom } from "./agent.ts";
import type { AgentPorts } from "./agent-store.ts";
import { bindUrl, claimCode, claimHash } from "./claim-code.ts";

const CLAIM_MS = 24 * 3_600_000;

/**
 * Creates a new agent with a quarantine and a temporary token. Always new, whatever the request says: a fingerprint is
 * not a secret and must not give access to another agent's memories. Rejects with `insufficient_scope` if
 * self-registration is off, and with `quota_exceeded` if too many agents of the same network are unclaimed.
 */
export async function registerAgent(
  ports: Pick<AgentPorts, "agents" | "settings" | "clock" | "newId" | "hash">,
  visitor: Visitor,
  input: RegistrationRequest,
): Promise<RegistrationAnswer> {
  if (!ports.settings.selfRegistration) {
    throw new DomainError(
      "insufficient_scope",
      "Self-registration is off here. Ask the operator for a key: recollect keys create --owner NAME makes one.",
    );
  }
  const id = agentIdFrom(ports.newId());
  const code = await claimCode(ports, id);
  const requestedAt = ports.clock();
  const expiresAt = requestedAt + CLAIM_MS;
  const secret = await ports.agents.registration(async (transaction) => {
    const full = await transaction.makeRoomForAgent(visitor.network);
    if (full !== null) throw noRoom(full);
    const ownerId = await transaction.register({
      id,
      requestedAt,
      expiresAt,
      address: visitor.address,
      network: visitor.network,
      client: input,
      claimHash: claimHash(ports, code) as string,
    });
    const issued = await transaction.issue(
      {
        kind: "agent_temporary",
        ownerId,
        name: input.client_name,
        scopes: [...TEMPORARY_SCOPES],
        space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
        expiresAt,
        agentId: id,
      },
      visitor.requestId,
    );
    const { tokenId } = issued.credential;
    await transaction.audit({
      operation: "agent_register",
      ownerId,
      agentId: id,
      tokenId,
      requestId: visitor.requestId,
    });
    return issued.secret;
  });
  return {
    agent_id: id,
    claim_code: code,
    bind_url: bindUrl(ports, code),
    status: "pending",
    connection_method: "streamable_http",
    trust_level: 0,
    temporary_token: secret,
  };
}

function noRoom(full: "network" | "all"): DomainError {
  const whose = full === "network" ? "of this network" : "here";
  return new DomainError(
    "quota_exceeded",
    `Too many agents ${whose} have registered and wait for their users. Ask your user to bind one of them, or wait: a claim that nobody takes up lapses after a day.`,
  );
}
