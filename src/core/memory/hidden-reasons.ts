import { joined, type OwnWords, own, quotedField, shownId } from "../../contract/own-words.ts";
import { eachMember } from "../../recall/each-member.ts";
import { KNOWLEDGE } from "../../recall/index/scope.ts";
import type { TokenSpace } from "../access/credential.ts";
import type { Caller } from "../caller.ts";
import { isBelow } from "./access.ts";
import type { MemoryRecord } from "./memory-record.ts";
import { teamOf } from "./place.ts";

const NAME_LENGTH_MAX = 128;

/**
 * Reasons why a caller does not see a memory, in words. The database has already decided that; this only explains it to
 * a person who may see both the credential and the memory.
 */
export function hiddenReasons({ space, scopes, owner }: Caller, memory: MemoryRecord): OwnWords[] {
  const quoted = (value: string) => quotedField(value, NAME_LENGTH_MAX) ?? own`""`;
  const unless = (reaches: boolean, words: OwnWords) => (reaches ? null : words);
  const team = teamOf(memory);
  const limits = eachMember<TokenSpace, OwnWords>(space, {
    teamId: (teamId) =>
      unless(
        team === teamId,
        own`− the credential is for one team alone, and the memory is ${team === null ? own`private` : own`another team's`}`,
      ),
    projects: (projects) =>
      unless(
        memory.projectId !== null && projects.includes(memory.projectId),
        own`− the credential reaches only the projects ${joined(projects.map(shownId))}, and the memory is in ${memory.projectId === null ? own`none` : shownId(memory.projectId)}`,
      ),
    pathPrefix: (prefix) =>
      unless(
        isBelow(memory.path, prefix),
        own`− the credential reaches only paths below ${quoted(prefix)}, and the memory is at ${quoted(memory.path)}`,
      ),
    buckets: (buckets) =>
      unless(
        buckets.includes(memory.bucket),
        own`− the credential reaches only the buckets ${joined(buckets.map(quoted))}, and the memory is in ${quoted(memory.bucket)}`,
      ),
  });
  const isKnowledge = memory.bucket === KNOWLEDGE || memory.memoryType === KNOWLEDGE;
  const isOthers = memory.ownerId !== owner.id && (team === null || owner.kind !== "user");
  return [
    ...(isOthers ? [own`− the memory belongs to somebody else than the credential`] : []),
    ...limits,
    ...(isKnowledge && !scopes.has("knowledge:read")
      ? [own`− it is knowledge, and the credential lacks the scope knowledge:read`]
      : []),
  ];
}
