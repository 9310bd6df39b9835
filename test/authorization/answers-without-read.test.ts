import { afterAll, beforeAll, expect, test } from "vitest";
import { operationList } from "../../src/contract/operations.ts";
import { stored, unguessable } from "../support/acting.ts";
import { clientOf } from "../support/http-client.ts";
import { openWorld, type World } from "../support/world.ts";
import { type Cell, ORDINARY } from "./cells.ts";
import { doors } from "./doors.ts";
import { inputs } from "./inputs.ts";
import { type OperationRule, readRules } from "./rules.ts";
import { openTargets, type Target, type Targets } from "./targets.ts";

const rules = readRules();
let world: World;
let targets: Targets;
beforeAll(async () => {
  world = await openWorld();
  targets = await openTargets(world, rules);
});
afterAll(() => world.close());

/** What a memory may hold, each with a word or a number that is nowhere else. */
const secretMembers = (word: string) => ({
  content: `content ${word}`,
  bucket: `bucket-${word}`,
  semantic_key: `key ${word}`,
  source: `source ${word}`,
  logic_path: `logic ${word}`,
  metadata: { [`name ${word}`]: `value ${word}`, completed_at: `when ${word}` },
  provenance: { project_id: "in", session_id: word, task_id: word, agent_name: word, note: word },
  importance: 0.4321,
  confidence: 0.8765,
});

const changes = rules.operations.filter(
  ({ actsOn, capacity, also }) =>
    capacity !== "read" && actsOn.includes("memor") && !also.includes("memory:read"),
);

test.each(
  changes.flatMap((rule) =>
    ["active", "completed"].map((status) => [`${rule.operation} ${rule.mode}`.trim(), status, rule] as const),
  ),
)("%s of an %s memory tells a caller without memory:read nothing that is stored", async (_, status, rule) => {
  const word = unguessable("hidden");
  const keeper = clientOf(
    "http://localhost",
    await targets.issue({ kind: "api_key", owner: targets.user }),
    world.handle,
  );
  const path = `in/${unguessable("p")}`;
  const id = await stored(keeper, { ...secretMembers(word), path, memory_type: "reminder", status });
  if (rule.operation === "restoreMemory") await keeper.delete(`/v1/memories/${id}`);
  const reply = await askBlindly(rule, { memoryId: id, path });
  expect(reply.code).toBeNull();
  for (const hidden of [word, "0.4321", "0.8765", "0.88", "0.788"]) expect(reply.text).not.toContain(hidden);
});

async function askBlindly(rule: OperationRule, target: Partial<Target>) {
  const secret = await targets.issue({ kind: "api_key", owner: targets.user, scopes: ["memory:write"] });
  const cell: Cell = {
    rule,
    door: "REST",
    kind: "api_key",
    holder: "user",
    scopes: ["memory:write"],
    position: { confinement: "nothing", isInside: true },
    relation: { whose: "own", role: null },
    subject: ORDINARY,
  };
  const operation = operationList.find(({ name }) => name === rule.operation);
  const input = inputs[rule.operation]?.({ cell, target: target as Target, unique: unguessable() });
  const door = doors.REST;
  if (!operation || !input || !door) throw new Error(`nothing asks for ${rule.operation}`);
  return door(world, secret, operation, input);
}
