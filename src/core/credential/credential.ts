import type { Scope } from "../../contract/scope.ts";

/** The kinds of credential. Agents, OAuth and skills issue their own; all become the same `Caller`. */
export type TokenKind = "api_key" | "oauth" | "agent_temporary" | "agent_formal" | "skill";

/** Who owns memories: a user or a team. A row of ours, not a sign-in account. */
export interface Owner {
  readonly id: string;
  readonly kind: "user" | "team";
  readonly name: string;
}

/** The part of its owner's memories a credential is confined to. null: not confined. */
export interface TokenSpace {
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
  /** The agent the token is bound to, if any. */
  readonly agentId: string | null;
}
