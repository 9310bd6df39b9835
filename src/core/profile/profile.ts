import { authorities } from "../../contract/memory.ts";
import { type ProfileRequest, type ProfileSection, profileSections } from "../../contract/profile.ts";
import type { TodoStatus } from "../../contract/project.ts";
import { WORKING } from "../../recall/index/scope.ts";
import { conflictingPairs } from "../../recall/statements/conflicts.ts";
import { conflictsOf } from "../../recall/statements/newest-first.ts";
import { inTurns } from "../../recall/work.ts";
import type { Caller } from "../caller.ts";
import { packContext } from "../context/pack.ts";
import { shortRef } from "../context/render.ts";
import { notFound } from "../error.ts";
import { allReduced } from "../limits/answer-bytes.ts";
import { requireProject } from "../memory/access.ts";
import { isGuiding } from "../memory/guiding.ts";
import { noteShown } from "../memory/junk.ts";
import { everyLiveMemory, requireKnowledgeScope } from "../memory/memory-filter.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { countedAuthority, countedImportance, isOthersWord, whoseOf } from "../memory/others-word.ts";
import { rfc3339, timeOrNull } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import { isFinished } from "../project/todo.ts";
import { ownerIn, teamIn } from "../project/workspace.ts";
import { namedConflicts } from "../recall/contradicting-hits.ts";
import { type Candidate, candidateOf, packedItem, reducedItem } from "../recall/recall-context.ts";
import type { UseCase } from "../use-case.ts";

/** The tokens of a short line. No more lines are weighed than would fit if all were short. */
const LINE_TOKENS = 16;
/** Maximum number of lines that are compared with each other for conflicts. */
const COMPARED_MAX = 24;

/** The value of the first line of each section. An agent needs most what tells it how to work. */
const SECTION_WORTH: Readonly<Record<ProfileSection, number>> = {
  instructions: 1,
  facts: 0.8,
  working: 0.7,
  todos: 0.8,
  recent: 0.4,
};
/** The place in a section at which the value is halved, so that no section displaces the others. */
const HALVED_AT = 10;

/** In UTF-16 units: a sentence or two. */
const LENGTH_SAID = 160;

/** A candidate for a line of the profile. */
interface Line extends Candidate {
  readonly section: ProfileSection;
}

/**
 * What is known of an owner, or in a project, without a question: the most valuable memories of each section that fit
 * both limits. Only live memories, and only those that the caller sees. `not_found` for a team that the caller is not
 * in, `knowledge_scope_required` for knowledge without its scope. Records what it shows.
 */
export const getProfile: UseCase<
  Pick<Ports, "store" | "clock" | "pace" | "junk" | "watch">,
  "getProfile"
> = async (ports, caller, input) => {
  const now = ports.clock();
  const projectId = input.project_id ?? caller.projectId;
  if (projectId !== null) requireProject(caller, projectId);
  if (input.include_knowledge) requireKnowledgeScope(caller);
  const ownerId = await profiledOwner(ports, caller, input.team_id);
  const lines = await profileLines(ports, caller, { input, ownerId, projectId, now });
  const conflicts = conflictsOf(conflictingPairs(lines.slice(0, COMPARED_MAX)));
  const pack = await ports.watch.stage("pack", () =>
    inTurns(
      packContext({
        query: "",
        candidates: lines,
        conflicts,
        maxItems: input.max_items,
        maxTokens: input.max_tokens,
        nowMs: now,
        isCompact: true,
        keepsOrder: true,
      }),
      ports.pace,
    ),
  );
  noteShown(
    ports.junk,
    caller,
    pack.items.map(({ candidate: { memory }, shown }) => ({ memory, texts: [shown] })),
    pack.contextText,
  );
  const items = pack.items.map((item, at) => ({
    ...packedItem(caller, item, { now, content: item.shown }),
    ref: shortRef(at + 1),
    section: item.candidate.section,
    due_at: timeOrNull(item.candidate.memory.dueAt),
  }));
  return {
    project_id: projectId,
    team_id: teamIn(caller, ownerId),
    assembled_at: rfc3339(now),
    budget: pack.budget,
    items: allReduced(items, reducedItem),
    conflicts: namedConflicts(conflicts),
    context_text: pack.contextText,
  };
};

/** The owner whose profile is requested, as for a workspace. */
async function profiledOwner(
  { store }: Pick<Ports, "store">,
  caller: Caller,
  team_id: ProfileRequest["team_id"],
): Promise<string> {
  const ownerId = ownerIn(caller, team_id);
  if (ownerId !== caller.owner.id && (await store.workspace.roleIn(caller, ownerId)) === null)
    throw notFound("team");
  return ownerId;
}

/** The candidates of all sections, each with a relevance by its section and its place there. */
async function profileLines(
  { store }: Pick<Ports, "store">,
  caller: Caller,
  asked: { input: ProfileRequest; ownerId: string; projectId: string | null; now: number },
): Promise<Line[]> {
  const { input, ownerId, projectId, now } = asked;
  const linesMax = Math.min(input.max_items, Math.ceil(input.max_tokens / LINE_TOKENS));
  const memories = await store.profile(caller, {
    ownerId,
    filter: { ...everyLiveMemory(now), projectId, includeKnowledge: input.include_knowledge },
  });
  const lines = worthiest(ranked(caller, memories, now), linesMax);
  const whose = await whoseOf(
    store,
    caller,
    lines.map(({ memory }) => memory),
  );
  return lines.map(({ memory, section, relevance }) => {
    const hit = { memory, passage: null, score: relevance, judgedRelevance: relevance };
    return { ...candidateOf(caller, hit, { now, isOfOneTeam: true, ...whose(memory) }), section };
  });
}

/** A memory in its section, with a relevance by the section and by its place there. */
interface Ranked {
  readonly memory: MemoryRecord;
  readonly section: ProfileSection;
  readonly relevance: number;
}

/** The memories section by section, each in its order. */
function ranked(caller: Caller, memories: readonly MemoryRecord[], now: number): Ranked[] {
  const orders = ordersFor(caller);
  return profileSections.flatMap((section) =>
    memories
      .filter((memory) => sectionOf(memory, now) === section)
      .sort(orders[section])
      .map((memory, place) => {
        const worth = SECTION_WORTH[section] / (1 + place / HALVED_AT);
        return { memory, section, relevance: worth * shareSaid(memory, section) };
      }),
  );
}

/**
 * How much a memory says, 0..1. What was not singled out as a fact or an instruction counts by its length, or the
 * shortest remarks of a conversation would fill the profile.
 */
function shareSaid({ content }: MemoryRecord, section: ProfileSection): number {
  return section === "recent" ? Math.min(1, content.length / LENGTH_SAID) : 1;
}

/** Those of the greatest relevance, in the given order. */
function worthiest(lines: readonly Ranked[], count: number): Ranked[] {
  const least = lines.map(({ relevance }) => relevance).sort((a, b) => b - a)[count - 1] ?? 0;
  return lines.filter(({ relevance }) => relevance >= least);
}

function sectionOf(memory: MemoryRecord, now: number): ProfileSection {
  const { memoryType, workspaceItem, itemStatus, dueAt, status, semanticKey } = memory;
  const isOpen = status === "active" || status === "started";
  if (workspaceItem === "todo") return isFinished(itemStatus as TodoStatus) ? "recent" : "todos";
  if (memoryType === "reminder") return isOpen && dueAt !== null && dueAt <= now ? "todos" : "recent";
  if (memoryType === WORKING) return isOpen ? "working" : "recent";
  if (isGuiding(memory)) return "instructions";
  return semanticKey === null ? "recent" : "facts";
}

type Order = (a: MemoryRecord, b: MemoryRecord) => number;

const AUTHORITIES: readonly unknown[] = authorities;

/** The order within each section, as authority and importance count for the caller. */
function ordersFor(caller: Caller): Readonly<Record<ProfileSection, Order>> {
  const importanceOf = (memory: MemoryRecord) =>
    countedImportance(memory.importance, isOthersWord(caller, memory));
  const authorityOf = (memory: MemoryRecord) =>
    AUTHORITIES.indexOf(countedAuthority(String(memory.metadata.authority), isOthersWord(caller, memory)));
  const dueOf = ({ dueAt }: MemoryRecord) => dueAt ?? Number.MAX_VALUE;
  const newest: Order = (a, b) => b.updatedAt - a.updatedAt || b.seq - a.seq;
  const mostImportant: Order = (a, b) => importanceOf(b) - importanceOf(a) || newest(a, b);
  return {
    instructions: (a, b) => authorityOf(b) - authorityOf(a) || mostImportant(a, b),
    facts: mostImportant,
    working: newest,
    todos: (a, b) => dueOf(a) - dueOf(b) || mostImportant(a, b),
    recent: newest,
  };
}
