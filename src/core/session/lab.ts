/** The recall lab: shows a person what recall does for a credential that the person manages. */

import type { InputOf, OutputOf } from "../../contract/operations.ts";
import { type OwnWords, own } from "../../contract/own-words.ts";
import type { RecallContextRequest } from "../../contract/recall.ts";
import { recallContext as recallOperation } from "../../contract/recall-operations.ts";
import type { ListedCredential, ManagedCredentials } from "../access/credential-store.ts";
import { type Caller, callerOf, mayCall } from "../caller.ts";
import { DomainError, invalid, notFound } from "../error.ts";
import { allReduced } from "../limits/answer-bytes.ts";
import { hiddenReasons } from "../memory/hidden-reasons.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { rfc3339, timeOrNull } from "../memory/present.ts";
import { statusAt } from "../memory/supersession.ts";
import type { Ports } from "../ports.ts";
import { leftOutWords, NOISE_MAX, repetitionWords } from "../recall/left-out-of-pack.ts";
import { contextFor, type MadeContext } from "../recall/recall-context.ts";
import { outcomeOf } from "../recall/recall-log.ts";
import type { Hit, RetrievePorts } from "../recall/retrieve.ts";
import { explanationOf } from "../recall/search.ts";
import { recallWhy } from "../recall/why.ts";

export interface LabPorts extends RetrievePorts, Pick<Ports, "clock" | "hash"> {
  readonly managed: ManagedCredentials;
}

/** The person who uses the lab, as the caller of its session. */
type Onlooker = Caller;

type Looking = Pick<InputOf<"labRecall">, "as" | "session_id" | "user_id">;

/** Returns the credentials that the person can recall with, newest first. */
export async function labCredentials(
  { managed }: LabPorts,
  { owner }: Onlooker,
): Promise<OutputOf<"labCredentials">> {
  const credentials = await managed.list(owner);
  return { credentials: credentials.map(shownCredential) };
}

function shownCredential(credential: ListedCredential) {
  const { space, owner } = credential;
  return {
    token_id: credential.tokenId,
    kind: credential.kind,
    name: credential.name,
    hint: credential.hint,
    owner: { id: owner.id, kind: owner.kind, name: owner.name },
    agent_id: credential.agentId,
    scopes: [...credential.scopes],
    team_id: space.teamId,
    projects: space.projects && [...space.projects],
    path_prefix: space.pathPrefix,
    buckets: space.buckets && [...space.buckets],
    last_used_at: timeOrNull(credential.lastUsedAt),
  };
}

/**
 * Returns what recall would answer to the credential, with every hit considered. It sees only what both the credential
 * and the person see, and records nothing as shown. Rejects with `not_found` for a credential that the person does not
 * manage, and with `insufficient_scope` for one that may not recall.
 */
export async function labRecall(
  ports: LabPorts,
  onlooker: Onlooker,
  { as, session_id, user_id, ...input }: InputOf<"labRecall">,
): Promise<OutputOf<"labRecall">> {
  const caller = await lookingAs(ports, onlooker, { as, session_id, user_id });
  const begunAt = ports.clock();
  const made = await contextFor(ports, caller, input);
  const milliseconds = Math.max(0, ports.clock() - begunAt);
  const hits = allReduced(hitsOf(made, input), (hit) => ({
    ...hit,
    content: beginningOf(hit.content),
    reduced: true as const,
  }));
  return { answer: made.answer, outcome: outcomeOf(made.answer), hits, milliseconds };
}

/**
 * The same for one memory that the person sees: its rank and the reasons, or why the credential cannot see it. Rejects
 * with `not_found` for a memory that the person does not see, even if the credential does.
 */
export async function labWhy(
  ports: LabPorts,
  onlooker: Onlooker,
  { as, session_id, user_id, memory_id, ...input }: InputOf<"labWhy">,
): Promise<OutputOf<"labWhy">> {
  const { store, clock } = ports;
  const caller = await lookingAs(ports, onlooker, { as, session_id, user_id });
  const seen = await store.find(onlooker, memory_id);
  const seenByBoth = await store.find(caller, memory_id);
  const memory = (seenByBoth ?? seen)?.memory;
  if (memory === undefined) throw notFound();
  const about = {
    id: memory.memoryId,
    status: statusAt(memory, clock()),
    text: beginningOf(memory.content),
  };
  const hidden_by = seenByBoth === null ? hiddenBy(caller, memory) : forgottenWords(memory, input);
  if (hidden_by.length > 0) return { memory: about, hidden_by, why: null };
  const why = await recallWhy(ports, caller, {
    ...input,
    memory_id,
    bucket: input.bucket,
    retrievers: "hybrid",
  });
  return { memory: about, hidden_by: [], why };
}

const NOT_REACHED = own`− the credential does not reach it`;

function hiddenBy(caller: Caller, memory: MemoryRecord): OwnWords[] {
  const words = hiddenReasons(caller, memory);
  return words.length > 0 ? words : [NOT_REACHED];
}

function forgottenWords({ status }: MemoryRecord, input: Pick<RecallContextRequest, "status">): OwnWords[] {
  if (status !== "soft_deleted" || input.status === "soft_deleted") return [];
  return [own`− it was forgotten, and recall finds it again only after it is restored`];
}

/**
 * Returns a caller with the credential's rights that sees nothing that the person does not. In the space of an end user
 * the person recalls as that end user.
 */
async function lookingAs(
  ports: LabPorts,
  onlooker: Onlooker,
  { as, session_id, user_id }: Looking,
): Promise<Caller> {
  const sessionId = session_id ?? null;
  if (as != null && user_id != null) throw invalid(["as"], "must be left out with user_id");
  if (as == null) return { ...onlooker, attribution: { ...onlooker.attribution, sessionId } };
  const credential = await ports.managed.find(onlooker.owner, as);
  if (credential === null) throw notFound("credential");
  const claims = { agentId: null, agentName: null, agentInstance: null, taskId: null, projectId: null };
  const { requestId } = onlooker;
  const caller = callerOf(credential, { ...claims, sessionId }, { requestId, hash: ports.hash });
  if (!mayCall(caller, recallOperation))
    throw new DomainError(
      "insufficient_scope",
      "This credential gets nothing from recall: it lacks the scope memory:read.",
    );
  return { ...caller, onlooker };
}

type LabHit = OutputOf<"labRecall">["hits"][number];
type Outcome = Pick<LabHit, "place" | "outcome" | "because" | "repeats" | "value" | "tokens">;

/** Returns every hit in the ranker's order, with its outcome in the pack. */
function hitsOf({ answer, hits, pack, now }: MadeContext, input: RecallContextRequest): LabHit[] {
  const packed = new Map(pack.items.map((item, at) => [item.candidate.hit.memory.id, { item, at }]));
  const leftOut = new Map(pack.leftOut.map((item) => [item.candidate.hit.memory.id, item]));
  return hits.map((hit, at) => {
    const inPack = packed.get(hit.memory.id);
    const left = leftOut.get(hit.memory.id);
    const outcome =
      inPack !== undefined
        ? packedOutcome(inPack)
        : left !== undefined
          ? leftOutcome(answer, hit, left, input)
          : worthless(answer, hit, input);
    return { ...described(hit, now), rank: at + 1, ...outcome };
  });
}

function described(hit: Hit, now: number) {
  const { memory, score, rankScore } = hit;
  const { agent_name, session_id } = memory.provenance;
  return {
    id: memory.memoryId,
    content: memory.content,
    path: memory.path,
    memory_type: memory.memoryType,
    status: statusAt(memory, now),
    created_at: rfc3339(memory.createdAt),
    session_id: typeof session_id === "string" ? session_id : null,
    speaker: memory.source ?? (typeof agent_name === "string" ? agent_name : null),
    score,
    rank_score: rankScore,
    ...explanationOf(hit),
  };
}

function packedOutcome({ item, at }: { item: MadeContext["pack"]["items"][number]; at: number }): Outcome {
  const { value, tokens, isTruncated } = item;
  const shown = isTruncated ? own`an excerpt of it` : own`all of it`;
  return {
    place: at + 1,
    outcome: isTruncated ? "excerpt" : "packed",
    because: own`+ the pack has ${shown} in place ${at + 1}, for ${tokens} tokens`,
    repeats: null,
    value,
    tokens,
  };
}

function leftOutcome(
  answer: MadeContext["answer"],
  hit: Hit,
  { reason, repeats, value, tokens }: MadeContext["pack"]["leftOut"][number],
  input: RecallContextRequest,
): Outcome {
  const because =
    repeats === undefined ? leftOutWords(answer, weighedOf(hit, input, reason)) : repetitionWords(repeats);
  return { place: null, outcome: reason, because, repeats: repeats ?? null, value, tokens: tokens() };
}

/** Outcome of a hit that the pack did not consider. */
function worthless(answer: MadeContext["answer"], hit: Hit, input: RecallContextRequest): Outcome {
  const nothing = { place: null, repeats: null, value: 0, tokens: null };
  const { memory, judgedRelevance } = hit;
  if (memory.status === "superseded" || memory.supersededBy !== null)
    return { ...nothing, outcome: "superseded", because: own`− a later memory superseded it` };
  const outcome: Outcome["outcome"] =
    input.threshold == null && judgedRelevance < NOISE_MAX ? "noise" : "worthless";
  if (outcome === "worthless" && memory.confidence > 0)
    return { ...nothing, outcome, because: own`− its relevance is 0, so it would add nothing to the pack` };
  return { ...nothing, outcome, because: leftOutWords(answer, weighedOf(hit, input, null)) };
}

function weighedOf(
  { judgedRelevance, memory }: Hit,
  { threshold }: RecallContextRequest,
  reason: string | null,
) {
  return { score: judgedRelevance, confidence: memory.confidence, threshold: threshold ?? null, reason };
}

const TEXT_LENGTH_MAX = 400;

/** Returns the beginning of a content, without splitting a character. */
function beginningOf(content: string): string {
  return content.length <= TEXT_LENGTH_MAX ? content : content.slice(0, TEXT_LENGTH_MAX).toWellFormed();
}
