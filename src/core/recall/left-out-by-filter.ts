import type { Facet } from "../../contract/facet.ts";
import { eachMember } from "../../recall/each-member.ts";
import { matchesPattern } from "../../recall/index/in-memory/scope-filter.ts";
import { KNOWLEDGE, WORKING } from "../../recall/index/scope.ts";
import { normalForm } from "../../recall/language/normal-form.ts";
import { facetValues } from "../memory/facet.ts";
import type { FilterMembers, MemoryFilter } from "../memory/memory-filter.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { equalsAsked, heldIn } from "../memory/metadata-filter.ts";
import { teamOf } from "../memory/place.ts";
import { rfc3339 } from "../memory/present.ts";
import { isLive, statusAt } from "../memory/supersession.ts";

/** A filter that a memory fails, by its name in requests, with the requested value and the memory's value. */
export interface LeftOut {
  readonly filter: string;
  readonly asked: string;
  readonly has: string | null;
}

/**
 * The filters that leave a memory out. The record decides what matches. This only explains why, from the memory's
 * current state; only the record knows whether the memory was live at a past instant.
 */
export function leftOutBy(memory: MemoryRecord, filter: MemoryFilter): LeftOut[] {
  const { now, asOf } = filter;
  const unless = (passes: boolean, name: string, asked: string, has: string | null): LeftOut[] | null =>
    passes ? null : [{ filter: name, asked, has }];
  const oneOf = (patterns: readonly string[], value: string) =>
    patterns.some((pattern) => matchesPattern(value, pattern));
  return eachMember<FilterMembers, LeftOut[]>(filter, {
    path: (pattern) => unless(oneOf([pattern], memory.path), "path", pattern, memory.path),
    bucket: (pattern) => unless(oneOf([pattern], memory.bucket), "bucket", pattern, memory.bucket),
    memoryTypes: (patterns) =>
      unless(oneOf(patterns, memory.memoryType), "memory_type", patterns.join(", "), memory.memoryType),
    status: (status) =>
      unless(asOf !== null || passesStatus(memory, status, now), "status", status, statusAt(memory, now)),
    scope: (scope) => unless(memory.scope === scope, "scope", scope, memory.scope),
    teamId: (teamId) => unless(teamOf(memory) === teamId, "team_id", teamId, teamOf(memory)),
    projectId: (projectId) =>
      unless(memory.projectId === projectId, "project_id", projectId, memory.projectId),
    metadata: (asked) =>
      Object.entries(asked).flatMap(([key, value]) => {
        const held = heldIn(memory.metadata, key);
        const passes = held.some((one) => equalsAsked(one, value));
        return (
          unless(passes, `metadata.${key}`, shown(value), held[0] === undefined ? null : shown(held[0])) ?? []
        );
      }),
    asOf: (instant) =>
      unless(memory.createdAt <= instant, "as_of", rfc3339(instant), rfc3339(memory.createdAt)),
    createdBefore: (instant) =>
      unless(memory.createdAt < instant, "created_before", rfc3339(instant), rfc3339(memory.createdAt)),
    createdFrom: (instant) =>
      unless(memory.createdAt >= instant, "created_from", rfc3339(instant), rfc3339(memory.createdAt)),
    pathUnder: (path) =>
      unless(memory.path === path || memory.path.startsWith(`${path}/`), "path_under", path, memory.path),
    agentId: (agentId) => unless(memory.agentId === agentId, "agent_id", agentId, memory.agentId),
    source: (source) =>
      unless(
        memory.source !== null && normalForm(memory.source, "NFC") === source,
        "source",
        source,
        memory.source,
      ),
    memoryIds: (ids) => unless(ids.includes(memory.memoryId), "memory_ids", "others", memory.memoryId),
    oneOf: (chosen) =>
      Object.entries(chosen).flatMap(([facet, values]) => {
        const value = facetValues[facet as Facet](memory, now);
        return unless(values.includes(value), `one_of.${facet}`, values.join(", "), value) ?? [];
      }),
    // Only the record knows the recalls.
    recalled: () => null,
    includeKnowledge: (isIncluded) =>
      unless(
        isIncluded || (memory.bucket !== KNOWLEDGE && memory.memoryType !== KNOWLEDGE),
        "include_knowledge",
        "false",
        KNOWLEDGE,
      ),
    session: (session) =>
      unless(
        memory.memoryType !== WORKING || memory.sessionId === null || memory.sessionId === session,
        "sessions",
        session,
        memory.sessionId,
      ),
    withoutItems: (isWithout) =>
      unless(!isWithout || memory.workspaceItem === null, "workspace_item", "none", memory.workspaceItem),
  }).flat();
}

function passesStatus(memory: MemoryRecord, wanted: string, now: number): boolean {
  if (wanted === "active") return isLive(memory, now);
  const status = statusAt(memory, now);
  return matchesPattern(status, wanted) && !(wanted.includes("%") && status === "soft_deleted");
}

/** Strings unchanged, anything else as JSON. */
function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
