import type { actorTrusts } from "../../contract/project.ts";
import type { Caller } from "../caller.ts";

/** The actor of a step in the audit trail. */
export interface Actor {
  readonly agentId: string | null;
  readonly credentialKind: string;
  readonly trust: (typeof actorTrusts)[number];
}

const TRUST = { token: "token_bound", claim: "client_asserted", none: "unattributed" } as const;

export function actorOf(caller: Caller): Actor {
  const { agentId, identitySource } = caller.attribution;
  return { agentId, credentialKind: caller.tokenKind, trust: TRUST[identitySource] };
}

/** The id under which the caller accepts a todo: its agent's, or the credential's if there is no agent. */
export function acceptorOf(caller: Caller): string {
  return caller.attribution.agentId ?? caller.tokenId;
}

/** The agent that the request names, unless the token is bound to one. */
export function namedAgent({ attribution }: Caller, named: string | null | undefined): string | null {
  return attribution.identitySource === "token" ? attribution.agentId : (named ?? attribution.agentId);
}
