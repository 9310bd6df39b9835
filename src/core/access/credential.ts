import type { TokenKind } from "../../contract/credential.ts";
import type { Scope } from "../../contract/scope.ts";
import type { ToolSet } from "../../contract/tool-set.ts";
import { TOKEN_PREFIXES } from "./token-prefixes.ts";

export type { TokenKind };
export { TOKEN_PREFIXES };

/** A kind of credential without a prefix of its own does not compile. */
TOKEN_PREFIXES satisfies Readonly<Record<TokenKind | "confirmation", string>>;

/**
 * An owner of memories: a user, a team, or an unbound agent, whose memories are its quarantine.
 * A row of ours, not a sign-in account.
 */
export interface Owner {
  readonly id: string;
  readonly kind: "user" | "team" | "agent";
  readonly name: string;
}

/** The part of its owner's memories a credential is confined to. null: not confined. */
export interface TokenSpace {
  /** This one team of the owner, under the owner's live role; nothing that is the owner's alone. */
  readonly teamId: string | null;
  readonly projects: readonly string[] | null;
  /** The path itself and everything below it. */
  readonly pathPrefix: string | null;
  readonly buckets: readonly string[] | null;
}

/** A credential that is valid now: neither unknown, expired nor revoked. */
export interface Credential {
  readonly tokenId: string;
  readonly kind: TokenKind;
  readonly owner: Owner;
  readonly scopes: readonly Scope[];
  readonly space: TokenSpace;
  /** Which tools MCP lists unless the address says so. null: all. */
  readonly toolSet?: ToolSet | null;
  /** The agent the token is bound to, if any. */
  readonly agentId: string | null;
  /** The one operation it is still good for, where it has ended for all others; null: good for all. */
  readonly onlyFor: string | null;
}

/** Unverified claims of a request about its origin, as plain text. */
export interface Claims {
  readonly agentId: string | null;
  readonly agentName: string | null;
  /** As the client names its instance; only its hash is kept. */
  readonly agentInstance: string | null;
  readonly sessionId: string | null;
  readonly taskId: string | null;
  readonly projectId: string | null;
}
