import type { MaintenanceAction } from "../../contract/maintenance.ts";
import type { Credential } from "../access/credential.ts";
import { type Caller, limitKeyOf, requireScope } from "../caller.ts";
import { DomainError } from "../error.ts";
import { requireMaintainer, requireWholeSpace } from "../memory/access.ts";
import { requireMode } from "../memory/forget.ts";
import type { Ports } from "../ports.ts";
import { requireWorkspace } from "../project/workspace.ts";
import type { Workspace } from "../project/workspace-store.ts";
import type { Authority } from "./maintenance-store.ts";

export function authorityOf({ tokenId, tokenKind, scopes, attribution, owner }: Caller): Authority {
  const isActing = owner.kind === "end_user" && tokenKind !== "end_user";
  return { tokenId, scopes: [...scopes], attribution, ...(isActing && { endUserId: owner.id }) };
}

/** Rejects with `insufficient_scope` actions that need another scope: purging deletes permanently. */
export function requireActions(caller: Caller, actions: readonly MaintenanceAction[]): void {
  if (actions.includes("purge_deleted")) requireMode(caller, "hard_delete");
}

/** A caller that acts for the original requester, with those of the original scopes that the credential still has. */
function callerNow(credential: Credential, authority: Authority, requestId: string): Caller {
  return {
    tokenId: credential.tokenId,
    limitKey: limitKeyOf(credential),
    tokenKind: credential.kind,
    owner: credential.owner,
    scopes: new Set(credential.scopes.filter((scope) => authority.scopes.includes(scope))),
    space: credential.space,
    onlyFor: credential.onlyFor,
    attribution: authority.attribution,
    projectId: null,
    requestId,
  };
}

/** A caller that acts for the original requester; null if the credential has ended. */
export async function actingFor(
  ports: Pick<Ports, "store">,
  authority: Authority,
  requestId: string,
): Promise<Caller | null> {
  const credential = await ports.store.maintenance.credentialOf(authority);
  return credential && callerNow(credential, authority, requestId);
}

/** Why automatic runs are suspended for the caller that configured them; null if they are not. */
export async function whySuspended(
  ports: Pick<Ports, "store">,
  caller: Caller | null,
  workspace: Workspace,
): Promise<string | null> {
  if (caller === null) return "The credential that set it has ended.";
  try {
    requireScope(caller, ["memory:write"]);
    requireWholeSpace(caller);
    await ports.store.transaction(caller, async (transaction) =>
      requireMaintainer(await requireWorkspace(caller, transaction, workspace)),
    );
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
