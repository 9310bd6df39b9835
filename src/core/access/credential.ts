import type { TokenKind } from "../../contract/credential.ts";
import type { Scope } from "../../contract/scope.ts";
import type { ToolSet } from "../../contract/tool-set.ts";
import { TOKEN_PREFIXES } from "./token-prefixes.ts";

export type { TokenKind };
export { TOKEN_PREFIXES };

/** A kind of credential without a prefix does not compile. */
TOKEN_PREFIXES satisfies Readonly<Record<TokenKind | "confirmation", string>>;

/**
 * An owner of memories: a user, a team, an end user of an application, or an unbound agent, whose memories are its
 * quarantine. Not a sign-in account.
 */
export interface Owner {
  readonly id: string;
  readonly kind: "user" | "team" | "agent" | "end_user";
  /** Of an end user, the application's own id of it. */
  readonly name: string;
  /** Of an end user, the user or team that its application belongs to. */
  readonly applicationId?: string;
}

/** The id of the user, team or agent that answers for an owner: of an end user, its application's. */
export function principalOf({ id, applicationId }: Owner): string {
  return applicationId ?? id;
}

/** The part of its owner's memories that a credential is confined to. null: not confined. */
export interface TokenSpace {
  /** Only this team of the owner, with the owner's current role; excludes the owner's private memories. */
  readonly teamId: string | null;
  readonly projects: readonly string[] | null;
  /** The path itself and everything below it. */
  readonly pathPrefix: string | null;
  readonly buckets: readonly string[] | null;
}

/** A valid credential: neither unknown, expired nor revoked. */
export interface Credential {
  readonly tokenId: string;
  readonly kind: TokenKind;
  readonly owner: Owner;
  readonly scopes: readonly Scope[];
  readonly space: TokenSpace;
  /** Which tools MCP lists by default; the address can override it. null: all. */
  readonly toolSet?: ToolSet | null;
  /** The agent the token is bound to, if any. */
  readonly agentId: string | null;
  /** The only operation that it may still call, after it has ended for all others; null: no such restriction. */
  readonly onlyFor: string | null;
}

/** Unverified claims of a request about its origin, as plain text. */
export interface Claims {
  readonly agentId: string | null;
  readonly agentName: string | null;
  /** The client's name for its instance. Only its hash is stored. */
  readonly agentInstance: string | null;
  readonly sessionId: string | null;
  readonly taskId: string | null;
  readonly projectId: string | null;
  /** The end user in whose space the request takes place. */
  readonly userId?: string | null;
}
