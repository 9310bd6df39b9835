import type { Scope } from "../../src/contract/scope.ts";
import type { OwnerName, Role, Space, Status } from "./model.ts";

/** A memory by its id, or by the create that made it: ids of the service's own are not known beforehand. */
export type Target = { readonly id: string } | { readonly made: number };

export type ForgetMode = "soft_delete" | "hard_delete" | "redact";

/** What a create says. */
export interface Said {
  readonly content: string;
  readonly path: string;
  readonly bucket: string;
  readonly type: string;
  readonly tag: string;
  readonly key: string | null;
  readonly id: string | null;
  readonly status: Extract<Status, "started" | "archived"> | null;
  readonly isExpired: boolean;
  readonly scope: "private" | "team" | null;
  /** An owner's name; of a team, or wrongly of a user. */
  readonly team: OwnerName | null;
  readonly project: string | null;
  readonly supersededBy: Target | null;
}

/** What a PATCH says; a member that is left out stays. */
export interface Change {
  readonly tag: string;
  readonly content?: string;
  readonly path?: string;
  readonly bucket?: string;
  readonly type?: string;
  readonly key?: string | null;
  readonly status?: "active" | "started" | "archived";
  readonly isExpired?: boolean;
  readonly team?: OwnerName;
  readonly scope?: "private" | "team";
  readonly supersededBy?: Target | null;
}

/** A filter of a list, a search or a deletion. */
export interface Filter {
  readonly path?: string;
  readonly bucket?: string;
  readonly type?: string;
  readonly status?: string;
  readonly scope?: "private" | "team";
  readonly team?: OwnerName;
  readonly project?: string;
}

export interface Grant {
  readonly credential: string;
  readonly scopes: readonly Scope[];
  readonly space: Space;
  readonly isExpired: boolean;
}

interface By {
  readonly by: string;
}

/** A change of memories that one credential asks for. */
export type Write =
  | ({ readonly kind: "create"; readonly number: number; readonly dedupe: boolean; readonly said: Said } & By)
  | ({
      readonly kind: "batch";
      readonly items: readonly { readonly number: number; readonly dedupe: boolean; readonly said: Said }[];
    } & By)
  | ({ readonly kind: "update"; readonly target: Target; readonly change: Change } & By)
  | ({
      readonly kind: "forget";
      readonly target: Target;
      readonly mode: ForgetMode;
      readonly door: "delete" | "forget";
      readonly reason: string | null;
    } & By)
  | ({ readonly kind: "restore"; readonly target: Target } & By)
  | ({ readonly kind: "complete"; readonly target: Target } & By)
  | ({ readonly kind: "feedback"; readonly target: Target } & By);

/** A read whose answer the model tells. */
export type Read =
  | ({ readonly kind: "list" | "search" | "context"; readonly filter: Filter } & By)
  | ({ readonly kind: "get" | "versions" | "why"; readonly target: Target } & By)
  | ({ readonly kind: "receipt"; readonly place: number } & By)
  | ({ readonly kind: "past" | "profile" } & By);

/** Who may see what: set by those who run the service. */
export type Rule =
  | ({ readonly kind: "issue"; readonly owner: OwnerName } & Grant)
  | { readonly kind: "revoke"; readonly credential: string }
  | { readonly kind: "rescope"; readonly grants: readonly Grant[] }
  | { readonly kind: "role"; readonly team: OwnerName; readonly user: OwnerName; readonly role: Role | null }
  /** A membership that names a user where a team belongs: it opens nothing. */
  | { readonly kind: "ghost"; readonly user: OwnerName; readonly of: OwnerName };

/** What becomes of an agent. A user of null: the agent itself denies, an operator revokes. */
export type AgentStep =
  | { readonly kind: "register"; readonly agent: OwnerName }
  | {
      readonly kind: "approve";
      readonly agent: OwnerName;
      readonly user: OwnerName;
      readonly scopes: readonly Scope[];
      readonly team: OwnerName | null;
      readonly projects: readonly string[] | null;
      readonly discards: boolean;
    }
  /** `credential` is the name that the formal token gets. */
  | { readonly kind: "confirm" | "rotate"; readonly agent: OwnerName; readonly credential: string }
  | {
      readonly kind: "denyAgent" | "revokeAgent";
      readonly agent: OwnerName;
      readonly user: OwnerName | null;
    };

/** All data, so that any part of a run can be played again. */
export type Step =
  | Write
  | Rule
  | AgentStep
  | Read
  | ({ readonly kind: "deleteMatching"; readonly filter: Filter; readonly mode: ForgetMode } & By)
  /** Sent at once; the answers must be those of some order. */
  | { readonly kind: "together"; readonly writes: readonly Write[] }
  /** Every door for every credential, and the record itself. */
  | { readonly kind: "look" };
