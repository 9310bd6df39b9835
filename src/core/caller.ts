import type { Operation } from "../contract/operation.ts";
import { includedInWrite, type Scope } from "../contract/scope.ts";
import type { Credential, Owner, TokenKind, TokenSpace } from "./credential/credential.ts";
import { DomainError } from "./error.ts";

/** Who the request says it comes from. Recorded, and never a ground to allow anything. */
export interface Attribution {
  readonly agentId: string | null;
  readonly agentName: string | null;
  readonly instanceHash: string | null;
  readonly sessionId: string | null;
  readonly taskId: string | null;
  /** `token` where the credential itself is bound to the agent, `claim` where the request only says so. */
  readonly identitySource: "token" | "claim" | "none";
}

/** A credential that was checked, with all that decides what it may see and do. */
export interface Caller {
  readonly tokenId: string;
  readonly tokenKind: TokenKind;
  readonly owner: Owner;
  readonly scopes: ReadonlySet<Scope>;
  readonly space: TokenSpace;
  readonly attribution: Attribution;
  /** The project the request names in `X-Project-Id`, if any. */
  readonly projectId: string | null;
  readonly requestId: string;
}

/** True where the caller holds the scope, itself or by `memory:write`. */
export function holds(caller: Caller, scope: Scope): boolean {
  return caller.scopes.has(scope) || (includedInWrite.includes(scope) && caller.scopes.has("memory:write"));
}

/** Refuses with `insufficient_scope` unless the caller holds one of the scopes. */
export function requireScope(caller: Caller, scopes: readonly Scope[]): void {
  if (scopes.some((scope) => holds(caller, scope))) return;
  throw new DomainError("insufficient_scope", `This needs the scope ${scopes.join(" or ")}.`);
}

/** The scope check of a whole operation, made before anything is looked up. */
export function requireOperation(caller: Caller, operation: Operation): void {
  requireScope(caller, operation.scopes);
}

/** What a request claims of where it comes from, as plain text. */
export interface Claims {
  readonly agentId: string | null;
  readonly agentName: string | null;
  /** As the client names its instance; only its hash is kept. */
  readonly agentInstance: string | null;
  readonly sessionId: string | null;
  readonly taskId: string | null;
  readonly projectId: string | null;
}

/** The caller of one request: the credential decides, the claims are recorded. */
export function callerOf(
  credential: Credential,
  claims: Claims,
  request: { requestId: string; hash: (text: string) => string },
): Caller {
  const agentId = credential.agentId ?? claims.agentId;
  return {
    tokenId: credential.tokenId,
    tokenKind: credential.kind,
    owner: credential.owner,
    scopes: new Set(credential.scopes),
    space: credential.space,
    attribution: {
      agentId,
      // A name is a claim: beside an agent that the token vouches for it would borrow that trust.
      agentName: credential.agentId === null ? claims.agentName : null,
      instanceHash: claims.agentInstance === null ? null : request.hash(claims.agentInstance),
      sessionId: claims.sessionId,
      taskId: claims.taskId,
      identitySource: credential.agentId !== null ? "token" : agentId !== null ? "claim" : "none",
    },
    projectId: claims.projectId,
    requestId: request.requestId,
  };
}
