import { type Caller, holds } from "../caller.ts";
import { actingFor } from "../maintenance/authority.ts";
import type { Ports } from "../ports.ts";
import type { StoredWebhook } from "./webhook-store.ts";

type Acting = Pick<StoredWebhook, "authority" | "hasEndUsers">;

/**
 * The caller that a webhook acts for, as its credential is now; null if the credential has ended or may no longer see
 * what the webhook reports.
 */
export async function webhookCaller(
  ports: Pick<Ports, "store">,
  { authority, hasEndUsers }: Acting,
  requestId: string,
): Promise<Caller | null> {
  const caller = await actingFor(ports, authority, requestId);
  return caller === null || !holds(caller, "memory:read") ? null : seeingReports(caller, { hasEndUsers });
}

/** The caller with the sight that it needs for what the webhook reports; null if it may not have it. */
export function seeingReports(caller: Caller, { hasEndUsers }: Pick<Acting, "hasEndUsers">): Caller | null {
  if (!hasEndUsers) return caller;
  return holds(caller, "users:act") ? { ...caller, includesEndUsers: true } : null;
}
