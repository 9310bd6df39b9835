import { afterAll, beforeAll, expect, test } from "vitest";
import { memory, unguessable } from "../support/acting.ts";
import { clientOf } from "../support/http-client.ts";
import { openWorld, type World } from "../support/world.ts";
import { readRules } from "./rules.ts";
import { openTargets, type Targets } from "./targets.ts";

const rules = readRules();
let world: World;
let targets: Targets;
beforeAll(async () => {
  world = await openWorld();
  targets = await openTargets(world, rules);
});
afterAll(() => world.close());

/** Who may ask, by the column of the page. */
const holders = ["user", "quarantine", "team", "user confined to a team"] as const;
const writes: readonly string[] = ["/v1/remember", "/v1/memories", "/v1/memories/batch"];

test.each(
  rules.destinations.keys.flatMap((names) =>
    holders.flatMap((holder) => writes.map((path) => [names, holder, path] as const)),
  ),
)("a new memory that names %s, by a %s, through %s", async (names, holder, path) => {
  const isConfined = holder === "team" || holder === "user confined to a team";
  const { free, confined } = rules.destinations.get(names);
  const { ownerId, teamId, client } = await asker(holder);
  const body = memory({
    content: unguessable(),
    ...(/scope: (\w+)/.exec(names)?.[1] ? { scope: /scope: (\w+)/.exec(names)?.[1] } : {}),
    ...(names.includes("team_id") ? { team_id: teamId } : {}),
  });
  const answer = await client.post(path, path.endsWith("batch") ? { items: [body] } : body);
  const refusal = path.endsWith("batch") ? answer.body.results[0].error : answer.body;
  const rows = await world.service
    .sql`select owner_id, scope from memories where content = ${body.content as string}`;
  const foretold = isConfined ? confined : free;
  // A quarantine is in no team.
  const outcome = foretold === "that team" && holder === "quarantine" ? "not_found" : foretold;
  const owners: Readonly<Record<string, object>> = {
    own: { owner_id: ownerId, scope: "private" },
    "its team": { owner_id: teamId, scope: "team" },
    "that team": { owner_id: teamId, scope: "team" },
  };
  const expected = owners[outcome];
  if (expected) expect(rows).toEqual([expected]);
  else expect([refusal?.code, [...rows]]).toEqual([outcome, []]);
});

async function asker(holder: (typeof holders)[number]) {
  const { user, teams, holders: owners, issue } = targets;
  const member = teams.get("member");
  const owner = owners.get(holder.split(" ")[0] as string);
  if (!member || !owner) throw new Error(`nobody is a ${holder}`);
  const space = holder === "user confined to a team" ? { teamId: member.id } : {};
  const kind = holder === "quarantine" ? "agent_temporary" : "api_key";
  const secret = await issue({ kind, owner, scopes: ["memory:write"], space });
  return {
    ownerId: holder === "user" ? user.id : owner.id,
    teamId: holder === "team" ? owner.id : member.id,
    client: clientOf("http://localhost", secret, world.handle),
  };
}
