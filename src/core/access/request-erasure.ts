/** Erasure requested over the network: authorization, dry run and execution. */
import type { ErasureAnswer, ErasurePlan, ErasureRequest } from "../../contract/erasure.ts";
import type { Caller } from "../caller.ts";
import { DomainError, invalid, notFound } from "../error.ts";
import type { Ports } from "../ports.ts";
import type { UseCase } from "../use-case.ts";
import type { ErasedOwner, ErasureReceipt, RemovedRows } from "./erasure.ts";

export type ErasurePorts = Pick<Ports, "erasures" | "store" | "hash">;

/**
 * Previews or begins the erasure of the caller's user, or of a team that the user owns. Rejects with
 * `insufficient_scope` for a confined key or a team's own key, `not_found` for a team that the user is not in,
 * `role_forbidden` for a team that it does not own, `conflict` if a team would be left without an owner,
 * `validation_failed` if the name or the dry run's hash is missing or the name differs, and `plan_changed` if
 * significant data was added or removed since the dry run.
 */
export const requestErasure: UseCase<ErasurePorts, "eraseOwner"> = async (ports, caller, input) => {
  requireWhole(caller);
  const ownerId = input.team_id ?? caller.owner.id;
  const begun = await ports.erasures.begunBy(ownerId, caller.tokenId);
  if (begun !== null) return begunAnswer(input, begun, true);
  const owner = await erasable(ports, caller, input);
  if (!input.dry_run) requireConfirmed(input, owner);
  const rows = await ports.erasures.preview(owner);
  if (rows === null) throw notFound(owner.kind);
  const planHash = planOf(ports, caller, owner, rows);
  if (input.dry_run)
    return {
      dry_run: true,
      erasure_id: await ports.erasures.idFor(ownerId),
      kind: owner.kind,
      owner_id: ownerId,
      name: owner.name,
      would_remove: { ...rows },
      plan_hash: planHash,
      is_repeat: false,
    };
  if (planHash !== input.plan_hash) throw planChanged();
  const by = { tokenId: caller.tokenId, ownerId: caller.owner.id };
  const receipt = await ports.erasures.begin(owner, by);
  if (receipt === null) throw notFound(owner.kind);
  return begunAnswer(input, receipt, false);
};

export function planChanged(): DomainError {
  return new DomainError(
    "plan_changed",
    "What would be erased has changed since the dry run: make a new one.",
  );
}

/** Returns an erasure's receipt to anyone who knows its id. Rejects with `not_found` if the erasure has not begun. */
export async function getErasure(
  { erasures }: Pick<Ports, "erasures">,
  _visitor: unknown,
  { erasure_id }: { readonly erasure_id: string },
): Promise<ErasureAnswer> {
  const receipt = await erasures.receipt(erasure_id);
  if (receipt === null) throw new DomainError("not_found", "There is no erasure with that id.");
  return present(receipt);
}

/**
 * Requires an unconfined key of a user: a confined key must not erase everything, and a team's own key outlives the
 * person who holds it.
 */
function requireWhole({ owner, space }: Caller): void {
  const why =
    owner.kind !== "user"
      ? "Only an owner of the team can erase it, with a key of their own."
      : Object.values(space).some((limit) => limit !== null)
        ? "Erasing needs a key that is not confined to a team, projects, buckets or a path."
        : null;
  if (why !== null) throw new DomainError("insufficient_scope", why);
}

/** Returns the caller's own user, or the named team if the user is one of its owners. */
async function erasable(
  { erasures, store }: ErasurePorts,
  caller: Caller,
  { team_id: teamId }: ErasureRequest,
): Promise<ErasedOwner> {
  const owner = await erasures.find(teamId ?? caller.owner.id);
  if (teamId == null) {
    if (owner?.kind !== "user") throw notFound("user");
    return owner;
  }
  const role = owner?.kind === "team" ? await store.workspace.roleIn(caller, teamId) : null;
  if (owner === null || role === null) throw notFound("team");
  if (role !== "owner") throw new DomainError("role_forbidden", "Only an owner of the team can erase it.");
  return owner;
}

function requireConfirmed({ confirm, plan_hash }: ErasureRequest, { name }: ErasedOwner): void {
  if (!plan_hash) throw invalid(["plan_hash"], "must be the plan_hash of a dry run");
  if (confirm !== name) throw invalid(["confirm"], "must be the name that the dry run returned");
}

/**
 * Tables whose counts a plan depends on. Rows that the service creates by itself (vectors, stored answers, queued work)
 * do not invalidate a plan.
 */
const WEIGHED = ["memories", "agents", "tokens", "webhooks", "team_members", "auth.user"];

function planOf(
  { hash }: Pick<ErasurePorts, "hash">,
  caller: Caller,
  owner: ErasedOwner,
  rows: RemovedRows,
): string {
  return hash(JSON.stringify([caller.tokenId, owner.id, WEIGHED.map((table) => rows[table] ?? 0)]));
}

export function begunAnswer(
  { dry_run }: Pick<ErasureRequest, "dry_run">,
  receipt: ErasureReceipt,
  isRepeat: boolean,
): ErasurePlan {
  const { id, kind, ownerId } = receipt;
  return {
    dry_run,
    erasure_id: id,
    kind,
    owner_id: ownerId,
    receipt: present(receipt),
    is_repeat: isRepeat,
  };
}

function present(receipt: ErasureReceipt): ErasureAnswer {
  return {
    id: receipt.id,
    kind: receipt.kind,
    owner_id: receipt.ownerId,
    state: receipt.state,
    removed: { ...receipt.removed },
    audit_lines: receipt.auditLines,
    started_at: inUtc(receipt.startedAt),
    finished_at: receipt.finishedAt === null ? null : inUtc(receipt.finishedAt),
  };
}

const inUtc = (instant: number) => new Date(instant).toISOString();
