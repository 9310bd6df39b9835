import type { actorTrusts } from "../../contract/project.ts";
import type { Caller } from "../caller.ts";

/** Who did something in a workspace, as its audit trail says it. */
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

/** Who it is that accepts: the agent, or the credential where there is none. */
export function acceptorOf(caller: Caller): string {
  return caller.attribution.agentId ?? caller.tokenId;
}

/** Whom the request names as its agent; a token that is bound to one overrides it. */
export function namedAgent({ attribution }: Caller, named: string | null | undefined): string | null {
  return attribution.identitySource === "token" ? attribution.agentId : (named ?? attribution.agentId);
}
