import type { InputOf } from "../../contract/operations.ts";
import type { Caller } from "../caller.ts";
import { invalid, notFound } from "../error.ts";
import { mayWrite, requireBucket, requireMember } from "../memory/access.ts";
import type { MemoryRecord, NewMemory } from "../memory/memory-record.ts";
import { teamOf } from "../memory/place.ts";
import { remarksOn, type Screened, screen } from "../memory/screen.ts";
import { lockForWrite } from "../memory/write-rules.ts";
import type { Ports } from "../ports.ts";
import type { RecordTransaction } from "../system-of-record.ts";
import type { UseCase } from "../use-case.ts";
import { namedAgent } from "./actor.ts";
import {
  type Decision,
  type DecisionAction,
  decisionsInOrder,
  decisionTransitions,
  nextDecision,
} from "./decision.ts";
import { invalidTransition } from "./invalid-transition.ts";
import {
  type Correctable,
  corrected,
  differing,
  type ItemKind,
  type ItemPorts,
  insertItem,
  keptArchived,
  lockItem,
  placeItem,
  type RemovalPorts,
  removeItem,
  restoreItem,
  takeStep,
} from "./item.ts";
import { decisionOf, presentDecision } from "./present.ts";
import { recalledDecision } from "./recalled.ts";
import { listOf, partOf, readableWorkspace } from "./workspace.ts";
import type { StoredDecision } from "./workspace-store.ts";

const DECISION: ItemKind<Decision, StoredDecision, ReturnType<typeof presentDecision>> = {
  item: "decision",
  read: (workspace, row) => workspace.decision(row),
  save: (workspace, row, state) => workspace.saveDecision(row, state),
  recalled: recalledDecision,
  present: presentDecision,
};

/** One decision. `not_found` if it is in another project or soft-deleted. */
export const getDecision: UseCase<Pick<Ports, "store">, "getDecision"> = async ({ store }, caller, input) => {
  const decision = await store.workspace.decision(caller, input.project_id, input.decision_id);
  if (decision === null) throw notFound("decision");
  return decisionOf(decision);
};

/**
 * A workspace's decisions that the caller may see, open ones first. `not_found` for a team that the caller is not in.
 */
export const listDecisions: UseCase<Pick<Ports, "store">, "listDecisions"> = async (ports, caller, input) => {
  const { workspace } = await readableWorkspace(ports, caller, input);
  const filter = { status: input.status ?? null, impactLevel: input.impact_level ?? null };
  const part = await ports.store.workspace.decisions(caller, workspace, filter, {
    ...partOf(input),
    inOrder: decisionsInOrder,
    show: decisionOf,
  });
  return listOf(part, ({ decision_id }) => decision_id);
};

/**
 * Adds a decision as `proposed`, and supersedes another one if it names it. `validation_failed` if that is not a
 * decision of the workspace that the caller may change, `invalid_transition` if it is already superseded; ownership and
 * its errors are the same as for memories.
 */
export const createDecision: UseCase<ItemPorts, "createDecision"> = async (ports, caller, asked) => {
  const { input, ...screened } = screen(ports.secrets, asked);
  const placed = placeItem(ports, caller, "decision", input);
  const decision = newDecision(caller, input, placed.extra);
  const memory = placed.withWords(recalledDecision(decision));
  return ports.store.transaction(caller, async (transaction) => {
    await requireMember(transaction, memory.ownerId);
    await lockForWrite(caller, transaction, [], [memory.ownerId]);
    const old = input.supersedes ? await lockOld(caller, transaction, memory, input.supersedes) : null;
    if (old) await supersede(ports, caller, transaction, old, memory.memoryId);
    const stored = await insertDecision(ports, caller, transaction, { memory, decision, old });
    const notices = [...screened.notices, ...placed.notices];
    return { ...presentDecision(caller, stored), ...remarksOn(screened, notices) };
  });
};

function newDecision(caller: Caller, input: InputOf<"createDecision">, extra: Decision["extra"]): Decision {
  return {
    context: input.context,
    options: input.options ?? [],
    impactLevel: input.impact_level ?? null,
    status: "proposed",
    proposedBy: namedAgent(caller, input.proposed_by_agent_id),
    resolution: null,
    resolvedBy: null,
    resolvedAt: null,
    dueAt: input.due_at ? Date.parse(input.due_at) : null,
    sourceMemoryId: input.source_memory_id ?? null,
    extra,
  };
}

/** The decision to be superseded, locked. */
async function lockOld(
  caller: Caller,
  transaction: RecordTransaction,
  memory: NewMemory,
  supersedes: string,
): Promise<MemoryRecord> {
  const seen = await transaction.findForChange(supersedes, { teamId: teamOf(memory) });
  const isOne =
    seen?.memory.workspaceItem === "decision" &&
    seen.memory.ownerId === memory.ownerId &&
    seen.memory.projectId === memory.projectId &&
    seen.memory.itemStatus !== null &&
    mayWrite(caller, seen);
  if (seen && isOne) return seen.memory;
  throw invalid(["supersedes"], "must be a decision of this workspace that this credential may change");
}

/**
 * Supersedes a decision by a new one with the same owner, project, path and bucket. The new one is `resolved` if a
 * resolution is given, otherwise `proposed`. Returns the old decision, then the new one. `invalid_transition` if the
 * old one is already superseded.
 */
export const supersedeDecision: UseCase<ItemPorts, "supersedeDecision"> = async (ports, caller, asked) => {
  const { input, ...screened } = screen(ports.secrets, asked);
  return ports.store.transaction(caller, async (transaction) => {
    const old = await lockDecision(caller, transaction, input);
    const placed = placeItem(ports, caller, "decision", {
      project_id: input.project_id,
      path: old.path,
      bucket: old.bucket,
      team_id: teamOf(old),
    });
    const { workspace } = transaction;
    const { state } = await workspace.decision(old);
    const decision = successor(caller, input, state, ports.clock());
    const memory = placed.withWords(recalledDecision(decision));
    await supersede(ports, caller, transaction, old, memory.memoryId);
    const latter = await insertDecision(ports, caller, transaction, { memory, decision, old });
    const former = await workspace.decision(old);
    return [
      presentDecision(caller, former),
      { ...presentDecision(caller, latter), ...remarksOn(screened, screened.notices) },
    ];
  });
};

/** The new decision. Its impact defaults to that of the old one. */
function successor(
  caller: Caller,
  input: InputOf<"supersedeDecision">,
  old: Decision,
  now: number,
): Decision {
  const resolution = input.resolution_note ?? null;
  return {
    context: input.context,
    options: input.options ?? [],
    impactLevel: input.impact_level ?? old.impactLevel,
    status: resolution === null ? "proposed" : "resolved",
    proposedBy: namedAgent(caller, input.proposed_by_agent_id),
    resolution,
    resolvedBy: resolution === null ? null : caller.attribution.agentId,
    resolvedAt: resolution === null ? null : now,
    dueAt: null,
    sourceMemoryId: null,
    extra: {},
  };
}

/** Stores a new decision with its first audit line, and returns it. */
async function insertDecision(
  ports: ItemPorts,
  caller: Caller,
  transaction: RecordTransaction,
  { memory, decision, old }: { memory: NewMemory; decision: Decision; old: MemoryRecord | null },
): Promise<StoredDecision> {
  const { workspace } = transaction;
  const row = await insertItem(ports, caller, transaction, memory, {
    to: decision.status,
    note: decision.resolution,
    insertState: (inserted) => workspace.insertDecision(inserted, decision, old?.id ?? null),
  });
  return workspace.decision(row);
}

/**
 * Marks a locked decision as superseded by the one with that public id. `invalid_transition` if it is already
 * superseded; therefore call it before the new one is stored.
 */
async function supersede(
  ports: ItemPorts,
  caller: Caller,
  transaction: RecordTransaction,
  old: MemoryRecord,
  by: string,
): Promise<void> {
  const at = ports.clock();
  const before = await transaction.workspace.decision(old);
  await takeStep(ports, caller, transaction, DECISION, {
    memory: old,
    before,
    state: nextDecision(before.state, { operation: "supersede" }, at),
    at,
    operation: "supersede",
    note: `by ${by}`,
    besides: { supersededBy: by, supersededAt: at },
  });
}

/** Members that cannot be corrected once a decision is resolved. */
const FIXED_ONCE_RESOLVED: readonly Correctable[] = ["context", "options", "impact_level", "due_at"];

/**
 * Corrects the text of a proposed decision, and metadata, source and place of any decision. Writes nothing if nothing
 * changes. `invalid_transition` for the text of a resolved or superseded decision; other errors as in `updateTodo`.
 */
export const updateDecision: UseCase<ItemPorts, "updateDecision"> = async (ports, caller, asked) => {
  const { input, ...screened } = screen(ports.secrets, asked);
  if (input.bucket) requireBucket(caller, input.bucket);
  return ports.store.transaction(caller, async (transaction) => {
    const { workspace } = transaction;
    const memory = await lockDecision(caller, transaction, input);
    const before = await workspace.decision(memory);
    const wording = wordingOf(before.state, input);
    const { common, place, notices } = corrected(caller, memory, before.state, {
      ...input,
      saysOtherwise: differing(before.state, wording).length > 0,
    });
    const state: Decision = { ...before.state, ...wording, ...common };
    const changed = [...differing(before.state, state), ...differing(memory, place)];
    requireUnresolved(before.state, changed);
    const remarks = remarksOn(screened, [...screened.notices, ...notices]);
    if (changed.length === 0) return { ...presentDecision(caller, before), ...remarks };
    await takeStep(ports, caller, transaction, DECISION, {
      memory,
      before,
      state,
      at: ports.clock(),
      operation: "update",
      note: changed.join(", "),
      besides: { ...place, ...keptArchived(memory) },
    });
    return { ...presentDecision(caller, await workspace.decision(memory)), ...remarks };
  });
};

function wordingOf(
  { context, options, impactLevel }: Decision,
  input: InputOf<"updateDecision">,
): Pick<Decision, "context" | "options" | "impactLevel"> {
  const asked = input.context ?? input.content;
  if (input.content !== undefined && input.content !== asked)
    throw invalid(["content"], "must be what context says, or left out");
  return {
    context: asked ?? context,
    options: input.options === undefined ? options : (input.options ?? []),
    impactLevel: input.impact_level === undefined ? impactLevel : input.impact_level,
  };
}

function requireUnresolved({ status }: Decision, changed: readonly Correctable[]): void {
  const fixed = changed.filter((name) => FIXED_ONCE_RESOLVED.includes(name));
  if (status === "proposed" || fixed.length === 0) return;
  throw invalidTransition("decision", status, `To change ${fixed.join(", ")}`, decisionTransitions[status]);
}

/** Resolves the decision. `invalid_transition` if it is already resolved: reopen or supersede it. */
export const resolveDecision: UseCase<ItemPorts, "resolveDecision"> = (ports, caller, asked) => {
  const screened = screen(ports.secrets, asked);
  const by = caller.attribution.agentId;
  const { resolution } = screened.input;
  return changeDecision(ports, caller, screened, { operation: "resolve", resolution, by });
};

/**
 * Reopens a resolved decision, or a superseded one whose successor is deleted. The former resolution stays in its audit
 * trail.
 */
export const reopenDecision: UseCase<ItemPorts, "reopenDecision"> = (ports, caller, input) =>
  changeDecision(ports, caller, screen(ports.secrets, input), { operation: "reopen" });

/** Applies an action to a decision: its state, its memory and the audit line change together or not at all. */
async function changeDecision(
  ports: ItemPorts,
  caller: Caller,
  { input, ...screened }: Screened<InputOf<"reopenDecision">>,
  asked: Exclude<DecisionAction, { operation: "reopen" }> | { readonly operation: "reopen" },
) {
  return ports.store.transaction(caller, async (transaction) => {
    const memory = await lockDecision(caller, transaction, input);
    const { workspace } = transaction;
    const before = await workspace.decision(memory);
    const at = ports.clock();
    const { operation } = asked;
    const isSuperseded = before.state.status === "superseded";
    const action: DecisionAction =
      asked.operation === "reopen"
        ? { ...asked, isSuccessorGone: isSuperseded && (await workspace.cutDeletedSuccessor(memory)) }
        : asked;
    const state = nextDecision(before.state, action, at);
    const note = asked.operation === "resolve" ? asked.resolution : null;
    const besides = isSuperseded ? { supersededBy: null, supersededAt: null } : {};
    await takeStep(ports, caller, transaction, DECISION, {
      memory,
      before,
      state,
      at,
      operation,
      note,
      besides,
    });
    const after = await workspace.decision(memory);
    return { ...presentDecision(caller, after), ...remarksOn(screened, screened.notices) };
  });
}

function lockDecision(
  caller: Caller,
  transaction: RecordTransaction,
  { project_id: projectId, decision_id: id, if_match: ifMatch }: InputOf<"reopenDecision">,
): Promise<MemoryRecord> {
  return lockItem(caller, transaction, "decision", { projectId, id, ifMatch });
}

/**
 * Soft-deletes, hard-deletes or redacts a decision, by the same rules as for memories. Decisions that it superseded
 * stay superseded.
 */
export const deleteDecision: UseCase<RemovalPorts, "deleteDecision"> = (ports, caller, input) =>
  removeItem(ports, caller, "decision", input.decision_id, input);

/** Restores a soft-deleted decision to its former state and returns it. `not_restorable` if it is not soft-deleted. */
export const restoreDecision: UseCase<Pick<Ports, "store" | "clock">, "restoreDecision"> = (
  ports,
  caller,
  input,
) => restoreItem(ports, caller, DECISION, input.decision_id, input);
