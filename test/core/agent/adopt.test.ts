import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { adopted, newNames } from "../../../src/core/agent/adoption.ts";
import type { MemoryRecord } from "../../../src/core/memory/memory-record.ts";
import { runs } from "../../support/random.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

function record(id: string, memoryId: string, supersededBy: string | null): MemoryRecord {
  return {
    id,
    seq: 1,
    ownerId: "quarantine",
    memoryId,
    authorId: "quarantine",
    scope: "private",
    projectId: null,
    path: "p",
    bucket: "public",
    memoryType: "semantic",
    status: supersededBy === null ? "active" : "superseded",
    workspaceItem: null,
    itemStatus: null,
    itemAgent: null,
    restoreStatus: null,
    content: memoryId,
    createHash: null,
    dedupeHash: null,
    semanticKey: null,
    version: 1,
    supersededBy,
    supersededAt: null,
    supersededByKey: false,
    supersededStatus: null,
    supersededUntil: null,
    factVersion: null,
    importance: 0.5,
    confidence: 1,
    source: null,
    logicPath: null,
    metadata: {},
    provenance: {},
    sessionId: null,
    agentId: "agent",
    instanceHash: null,
    occurredAt: null,
    dueAt: null,
    createdAt: 0,
    updatedAt: 0,
    expiresAt: null,
    revision: 1,
  };
}

test("whatever the new owner has already, ids stay unique and references follow", () => {
  const names = fc.constantFrom("a", "b", "c", "id-0", "id-1", "id-2");
  const quarantine = fc.uniqueArray(fc.tuple(names, fc.option(names, { nil: null })), {
    selector: ([name]) => name,
    maxLength: 4,
  });
  fc.assert(
    fc.property(quarantine, fc.uniqueArray(names), (given, known) => {
      const memories = given.map(([name, successor], at) => record(`id-${at}`, name, successor));
      const taken = new Set<string>(known);
      let made = 0;
      const newId = () => {
        made += 1;
        return `new-${made}`;
      };
      const place = { ownerId: "user", scope: "private", projectId: null } as const;
      const moving = memories.map((memory) => ({
        quarantined: { memory, todo: null, decision: null, linkedTo: [] },
        place,
      }));
      const names = newNames(newId, memories, taken);
      const adoption = {
        agentId: "agent",
        authorId: "user",
        at: 0,
        names,
        facts: new Set<string>(),
        placed: new Set<string>(),
      };
      const moved = adopted(hash, moving, adoption).map(({ memory }) => memory);
      const ids = moved.map((memory) => memory.memoryId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => taken.has(id))).toEqual([]);
      for (const [at, before] of memories.entries()) {
        // A successor that is not here would be whatever has its id at the new place.
        const successor = memories.findIndex((other) => other.memoryId === before.supersededBy);
        expect(moved[at]?.supersededBy).toBe(successor === -1 ? null : ids[successor]);
        const isRenamed = ids[at] !== before.memoryId;
        expect(isRenamed).toBe(taken.has(before.memoryId));
        expect(moved[at]?.provenance.adopted_from).toEqual({
          agent_id: "agent",
          at: "1970-01-01T00:00:00.000Z",
          ...(isRenamed ? { memory_id: before.memoryId } : {}),
        });
      }
    }),
    { numRuns: runs(500) },
  );
});
