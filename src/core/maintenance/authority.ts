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

export function authorityOf({ tokenId, scopes, attribution }: Caller): Authority {
  return { tokenId, scopes: [...scopes], attribution };
}

/** Refuses with `insufficient_scope` actions that need more than the scope to change: purging deletes for good. */
export function requireActions(caller: Caller, actions: readonly MaintenanceAction[]): void {
  if (actions.includes("purge_deleted")) requireMode(caller, "hard_delete");
}

/** The caller that acts now for the one who asked then: with the scopes it had, as far as the credential still has them. */
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

/** The caller that acts now for the one who asked then; null where the credential has ended. */
export async function actingFor(
  ports: Pick<Ports, "store">,
  authority: Authority,
  requestId: string,
): Promise<Caller | null> {
  const credential = await ports.store.maintenance.credentialOf(authority);
  return credential && callerNow(credential, authority, requestId);
}

/** Why runs can no longer begin by themselves for the caller who set them up; null where they can. */
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
