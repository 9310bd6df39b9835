/** Erases the records of confirmed plans, in the background. */
import { actingFor } from "../maintenance/authority.ts";
import { mayErase } from "../memory/access.ts";
import type { Ports } from "../ports.ts";
import { type SubjectPorts, workspacesOf } from "./erase-subject.ts";
import { recordDigest, type Workspace } from "./find-subject.ts";
import type { OpenErasure } from "./subject-store.ts";

/** Few enough that other writers of the workspace do not wait long. */
const BATCH_RECORDS = 200;

type FinishPorts = SubjectPorts & Pick<Ports, "store" | "hash" | "clock" | "newId" | "pace" | "report">;

interface Background {
  /** Asked between batches. True ends the work; another server, or the next start, continues. */
  readonly isStopping: () => boolean;
}

/** Carries out erasures that people began, and interrupted ones, until none are left. */
export async function finishSubjectErasures(ports: FinishPorts, background: Background): Promise<void> {
  while (!background.isStopping()) {
    const erasure = await ports.subjectErasures.takeUp();
    if (erasure === null) return;
    await carryOn(ports, erasure, background).catch(async (error) => {
      ports.report(error);
      await ports.subjectErasures.fail(erasure.id, error);
    });
  }
}

/**
 * Acts for whoever began it, in the workspaces where they may still erase. A workspace where it fails does not keep the
 * others from being erased.
 */
async function carryOn(ports: FinishPorts, erasure: OpenErasure, { isStopping }: Background): Promise<void> {
  const caller = await actingFor(ports, erasure.authority, ports.newId());
  const workspaces = caller === null ? [] : (await workspacesOf(ports, caller)).searched;
  const failures: unknown[] = [];
  for (const workspace of workspaces) {
    try {
      while (await eraseBatch(ports, erasure.id, workspace)) {
        if (isStopping()) return;
        await ports.pace.pause();
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  for (const { ownerId } of workspaces)
    await ports.subjects.forgetQuestions(ownerId, erasure.questions[ownerId] ?? []);
  await ports.subjectErasures.finish(erasure.id);
}

/**
 * Erases the next records of the workspace as a hard delete does. A record whose text has changed since it was found is
 * left, and so is one that the person may no longer erase. Returns false if none were left.
 */
function eraseBatch(
  ports: Pick<FinishPorts, "store" | "hash" | "clock">,
  erasure: string,
  { caller, ownerId }: Workspace,
): Promise<boolean> {
  return ports.store.transaction(caller, async (transaction) => {
    await transaction.lockOwners([ownerId]);
    const planned = await transaction.subjects.take(erasure, ownerId, BATCH_RECORDS);
    if (planned.length === 0) return false;
    const ids = planned.map(({ id }) => id);
    const locked = await transaction.maintenance.lockMemories(ownerId, ids);
    const same = planned.flatMap(({ id, digest }) => {
      const seen = locked.get(id);
      const isPlanned = seen !== undefined && recordDigest(ports.hash, seen.memory) === digest;
      return isPlanned && mayErase(caller, seen) ? [seen.memory] : [];
    });
    const how = { mode: "hard_delete", at: ports.clock(), replacement: null } as const;
    const receipt = same.length === 0 ? null : await transaction.erase(same, how);
    await transaction.subjects.note(erasure, {
      erased: same.length,
      skipped: planned.length - same.length,
      receipt: receipt?.id ?? null,
    });
    return true;
  });
}
