import {
  type Credential,
  change,
  credentialOf,
  find,
  holds,
  idOf,
  isLive,
  type Memory,
  type Model,
  sees,
  shownStatus,
  whyNotErase,
  whyNotWrite,
} from "./model.ts";
import { playCreate } from "./model-create.ts";
import { playUpdate } from "./model-update.ts";
import type { Target, Write } from "./step.ts";
import { asItStands, giveWay, isSameFact, settle } from "./supersession.ts";
import { brief, refused, same, type Told } from "./told.ts";

/** Changes the model as the write should change the world; answers where the service disagrees, or null. */
export function playWrite(model: Model, write: Write, told: Told): string | null {
  const fault = playedWrite(model, write, told);
  settle(model);
  return fault;
}

function playedWrite(model: Model, write: Write, told: Told): string | null {
  const { body } = told;
  const credential = credentialOf(model, write.by);
  switch (write.kind) {
    case "create":
      return playCreate(model, write, createAnswer(body));
    case "batch":
      return playBatch(model, write, told);
    case "update":
      return playUpdate(model, credential, write.target, write.change, told);
    case "forget":
      return playForget(model, credential, write, told);
    case "restore":
      return playRestore(model, credential, write.target, told);
    case "complete":
      return playComplete(model, credential, write.target, told);
    case "feedback":
      return playFeedback(model, credential, write.target, told);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function createAnswer(body: any) {
  return {
    code: (body.error?.code ?? body.code ?? null) as string | null,
    id: (body.id ?? null) as string | null,
    superseded: (body.superseded ?? []) as string[],
  };
}

function playBatch(model: Model, write: Extract<Write, { kind: "batch" }>, { body }: Told): string | null {
  const credential = credentialOf(model, write.by);
  if (credential.isEnded) return refused(body, ["invalid_token"]);
  if (!holds(credential, "memory:write")) return refused(body, ["insufficient_scope"]);
  if (body.results?.length !== write.items.length) return `a batch was answered ${brief(body)}`;
  for (const [n, item] of write.items.entries()) {
    const fault = playCreate(model, { by: write.by, ...item }, createAnswer(body.results[n]));
    if (fault) return `item ${n} of a batch: ${fault}`;
  }
  return null;
}

function playForget(
  model: Model,
  credential: Credential,
  write: Extract<Write, { kind: "forget" }>,
  { body }: Told,
): string | null {
  const { mode } = write;
  if (credential.isEnded) return refused(body, ["invalid_token"]);
  const scope = { soft_delete: "memory:delete", hard_delete: "memory:hard_delete", redact: "memory:redact" };
  if (!holds(credential, scope[mode] as never)) return refused(body, ["insufficient_scope"]);
  const memory = find(model, credential, idOf(model, write.target));
  if (!memory) return refused(body, ["not_found"]);
  const why = (mode === "soft_delete" ? whyNotWrite : whyNotErase)(model, credential, memory);
  if (why.length > 0) return refused(body, why);
  const remaining = mode === "soft_delete" ? [] : restOfChain(model, credential, memory);
  remove(model, memory, mode);
  const status = { soft_delete: "soft_deleted", hard_delete: "hard_deleted", redact: "redacted" }[mode];
  const fault = same(
    { id: body.id, mode: body.mode, status: body.status, reversible: body.reversible },
    { id: memory.id, mode, status, reversible: mode === "soft_delete" },
    "a removal",
  );
  if (fault || mode === "soft_delete") return fault;
  if (typeof body.receipt?.id !== "string") return `a removal without receipt: ${brief(body)}`;
  model.receipts.push({ id: body.receipt.id, owner: memory.owner, credential: write.by });
  return same([...body.receipt.remaining].sort(), remaining, "what remains of a chain");
}

export function remove(model: Model, memory: Memory, mode: string): void {
  if (mode === "hard_delete") model.memories.delete(memory.serial);
  if (mode === "soft_delete" && memory.status !== "soft_deleted") {
    const { status: before, ...rest } = asItStands(memory);
    change(model, memory.serial, { ...rest, status: "soft_deleted", before });
  }
  if (mode === "redact")
    change(model, memory.serial, {
      ...{ status: "redacted", content: "[redacted]", tag: null, key: null, created: null },
      ...{ before: null, past: [], isAdopted: false },
      ...{ isByKey: false, former: null, isBack: false },
    });
  settle(model);
}

/** Everything that superseded the memory or was superseded by it, near and far, or states its fact; and the memory. */
export function chainOf(model: Model, memory: Memory): Memory[] {
  const chain = new Map([[memory.serial, memory]]);
  for (let before = 0; before < chain.size; ) {
    before = chain.size;
    for (const other of model.memories.values()) {
      const isLinked =
        isSameFact(memory, other) ||
        [...chain.values()].some(
          (link) => link.supersededBy === other.serial || other.supersededBy === link.serial,
        );
      if (isLinked) chain.set(other.serial, other);
    }
  }
  return [...chain.values()];
}

function restOfChain(model: Model, credential: Credential, memory: Memory): string[] {
  const rest = chainOf(model, memory).filter(
    (link) => link.serial !== memory.serial && sees(model, credential, link),
  );
  return rest.map(({ id }) => id).sort();
}

function playRestore(model: Model, credential: Credential, target: Target, { body }: Told): string | null {
  if (credential.isEnded) return refused(body, ["invalid_token"]);
  if (!holds(credential, "memory:restore")) return refused(body, ["insufficient_scope"]);
  const memory = find(model, credential, idOf(model, target));
  if (!memory) return refused(body, ["not_found"]);
  const why = whyNotWrite(model, credential, memory);
  if (memory.status !== "soft_deleted") why.push("not_restorable");
  if (why.length > 0) return refused(body, why);
  const status = memory.before ?? "active";
  const holder = [...model.memories.values()].find(
    (other) =>
      isLive({ ...memory, status }) &&
      isLive(other) &&
      memory.key !== null &&
      other.key === memory.key &&
      other.owner === memory.owner &&
      other.project === memory.project &&
      other.bucket === memory.bucket,
  );
  const back = { ...memory, status, before: null };
  change(model, memory.serial, holder ? { ...back, ...giveWay(back, holder.serial) } : back);
  settle(model);
  const restored = model.memories.get(memory.serial) as Memory;
  return same(
    { id: body.id, status: body.status },
    { id: memory.id, status: shownStatus(restored) },
    "a restore",
  );
}

function playComplete(model: Model, credential: Credential, target: Target, { body }: Told): string | null {
  if (credential.isEnded) return refused(body, ["invalid_token"]);
  if (!holds(credential, "memory:update")) return refused(body, ["insufficient_scope"]);
  const memory = find(model, credential, idOf(model, target));
  const isReminder = memory?.type === "reminder" && isLive({ ...memory, isExpired: false });
  if (!memory || !isReminder) return refused(body, ["not_found"]);
  const why = whyNotWrite(model, credential, memory);
  if (why.length > 0) return refused(body, why);
  change(model, memory.serial, { ...asItStands(memory), status: "completed" });
  return same({ id: body.id, status: body.status }, { id: memory.id, status: "completed" }, "a completion");
}

function playFeedback(model: Model, credential: Credential, target: Target, { body }: Told): string | null {
  if (credential.isEnded) return refused(body, ["invalid_token"]);
  if (!holds(credential, "memory:update")) return refused(body, ["insufficient_scope"]);
  const memory = find(model, credential, idOf(model, target));
  if (!memory || memory.status === "soft_deleted") return refused(body, ["not_found"]);
  const why = whyNotWrite(model, credential, memory);
  if (why.length > 0) return refused(body, why);
  const isBare = body.confidence === undefined;
  if (isBare === holds(credential, "memory:read")) return `feedback was answered ${brief(body)}`;
  return same({ id: body.id, status: body.status }, { id: memory.id, status: "recorded" }, "feedback");
}
