import type { Credential } from "../access/credential.ts";
import { type Caller, limitKeyOf, requireScope } from "../caller.ts";
import { DomainError } from "../error.ts";
import { requireMaintainer, requireWholeSpace } from "../memory/access.ts";
import type { Ports } from "../ports.ts";
import { requireWorkspace } from "../project/workspace.ts";
import type { Workspace } from "../project/workspace-store.ts";
import type { Authority } from "./maintenance-store.ts";

export function authorityOf({ tokenId, scopes, attribution }: Caller): Authority {
  return { tokenId, scopes: [...scopes], attribution };
}

/** The caller that acts now for who asked then: never wider than it was, and only as far as the credential still is. */
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

/** Who acts now for who asked then; null where the credential has ended. */
export async function actingFor(
  ports: Pick<Ports, "store">,
  authority: Authority,
  requestId: string,
): Promise<Caller | null> {
  const credential = await ports.store.maintenance.credentialOf(authority);
  return credential && callerNow(credential, authority, requestId);
}

/** Why nothing may run by itself any more for whoever set it; null where it may. */
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
