import type { Operation } from "../contract/operation.ts";
import { includedInWrite, type Scope } from "../contract/scope.ts";
import type { ToolSet } from "../contract/tool-set.ts";
import type { Account } from "./access/accounts.ts";
import type { Claims, Credential, Owner, TokenKind, TokenSpace } from "./access/credential.ts";
import { DomainError } from "./error.ts";

/** Claimed origin of a request. It is recorded and grants nothing. */
export interface Attribution {
  readonly agentId: string | null;
  readonly agentName: string | null;
  readonly instanceHash: string | null;
  readonly sessionId: string | null;
  readonly taskId: string | null;
  /** `token` if the credential is bound to the agent, `claim` if only the request says so. */
  readonly identitySource: "token" | "claim" | "none";
}

/** Attribution of an act without an agent. */
export const UNATTRIBUTED: Attribution = {
  agentId: null,
  agentName: null,
  instanceHash: null,
  sessionId: null,
  taskId: null,
  identitySource: "none",
};

/** An authenticated caller, with everything that decides what it may see and do. */
export interface Caller {
  readonly tokenId: string;
  /** Key of its rate limits: the agent, if the credential is an agent's; otherwise the credential. */
  readonly limitKey: string;
  readonly tokenKind: TokenKind;
  readonly owner: Owner;
  readonly scopes: ReadonlySet<Scope>;
  readonly space: TokenSpace;
  /** See `Credential.toolSet`. */
  readonly toolSet?: ToolSet | null;
  /** See `Credential.onlyFor`. */
  readonly onlyFor: string | null;
  readonly attribution: Attribution;
  /** The project the request names in `X-Project-Id`, if any. */
  readonly projectId: string | null;
  /** The end user the request names in `X-User-Id`, if any. */
  readonly userId?: string | null;
  /** True if it also sees the application's own memories, read-only. Only of callers whose owner is an end user. */
  readonly includesShared?: boolean;
  /** True if it also sees what is every end user's of its application: only where a webhook's events are delivered. */
  readonly includesEndUsers?: boolean;
  readonly requestId: string;
  /** The account and its session, if the credential is a session's. */
  readonly session?: { readonly id: string; readonly account: Account };
  /** A second caller, if any, who must also be able to see each result. */
  readonly onlooker?: Caller;
}

/** A requester without a credential, or whose credential does not matter for the operation. */
export interface Visitor {
  /** The network address; null if the surface has none. */
  readonly address: string | null;
  /** The network of the address. IPv6 counts by its first 64 bits. */
  readonly network: string | null;
  readonly requestId: string;
}

/** True if the caller holds the scope, directly or through `memory:write`. */
export function holds(caller: Caller, scope: Scope): boolean {
  return caller.scopes.has(scope) || (includedInWrite.includes(scope) && caller.scopes.has("memory:write"));
}

/** The owner whose memories a caller sees besides its own, read-only: the application's; null if none. */
export function sharedOwner({ owner, includesShared }: Caller): string | null {
  return includesShared === true ? (owner.applicationId ?? null) : null;
}

/** Returns the session of a caller that is known to have one. */
export function sessionOf({ session }: Caller): NonNullable<Caller["session"]> {
  if (session === undefined) throw new Error("This caller has no session.");
  return session;
}

/** Refuses with `insufficient_scope` unless the caller holds one of the scopes. */
export function requireScope(caller: Caller, scopes: readonly Scope[]): void {
  if (scopes.some((scope) => holds(caller, scope))) return;
  throw new DomainError("insufficient_scope", `This needs the scope ${scopes.join(" or ")}.`);
}

type Callable = Pick<Operation, "name" | "scopes"> & { readonly kinds?: Operation["kinds"] | undefined };

/** True if the credential's kind and scopes allow the operation. */
export function mayCall(caller: Caller, operation: Callable): boolean {
  return whyNot(caller, operation) === null;
}

/**
 * Requires permission for an operation, before any data is read. Throws `invalid_token` for a credential that is only
 * valid for another operation, and `insufficient_scope` for a wrong kind or a missing scope.
 */
export function requireOperation(caller: Caller, operation: Callable): void {
  const why = whyNot(caller, operation);
  if (why === "ended") throw invalidToken();
  if (why === "kind") {
    const kinds = operation.kinds?.join(" or ");
    throw new DomainError("insufficient_scope", `This needs a credential of the kind ${kinds}.`);
  }
  if (why === "scope") requireScope(caller, operation.scopes);
}

/** Returns why the caller may not call the operation: an ended credential, its kind, or its scopes. */
function whyNot(caller: Caller, { name, kinds, scopes }: Callable): "ended" | "kind" | "scope" | null {
  if ((caller.onlyFor ?? name) !== name) return "ended";
  if (kinds && !kinds.includes(caller.tokenKind)) return "kind";
  return scopes.length === 0 || scopes.some((scope) => holds(caller, scope)) ? null : "scope";
}

/** Missing, unknown, expired and revoked credentials get the same answer. */
export function invalidToken(): DomainError {
  return new DomainError("invalid_token", "Send a valid key as X-API-Key or Authorization: Bearer.");
}

/** See `Caller.limitKey`. */
export function limitKeyOf({ agentId, tokenId }: Pick<Credential, "agentId" | "tokenId">): string {
  return agentId ?? tokenId;
}

/** Creates the caller of a request: the credential decides access, the claims are only recorded. */
export function callerOf(
  credential: Credential,
  claims: Claims,
  request: { requestId: string; hash: (text: string) => string },
): Caller {
  const agentId = credential.agentId ?? claims.agentId;
  return {
    tokenId: credential.tokenId,
    limitKey: limitKeyOf(credential),
    tokenKind: credential.kind,
    owner: credential.owner,
    scopes: new Set(credential.scopes),
    space: credential.space,
    toolSet: credential.toolSet ?? null,
    onlyFor: credential.onlyFor,
    attribution: {
      agentId,
      // A name is only a claim: next to an agent attested by the token it would appear trusted.
      agentName: credential.agentId === null ? claims.agentName : null,
      instanceHash: claims.agentInstance === null ? null : request.hash(claims.agentInstance),
      sessionId: claims.sessionId,
      taskId: claims.taskId,
      identitySource: credential.agentId !== null ? "token" : agentId !== null ? "claim" : "none",
    },
    projectId: claims.projectId,
    userId: claims.userId ?? null,
    requestId: request.requestId,
  };
}
