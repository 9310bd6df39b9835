/** What members of a team say of the weight of their words is their claim: it is told as theirs, and beats nothing of the reader's own. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { maintained } from "../project/maintenance.ts";
import { stored } from "../support/acting.ts";
import { RUNS } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { joined, type Person, person, teamOf } from "./people.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function readerAndOther(role = "member") {
  const [reader, other] = [await person(world), await person(world)];
  const team_id = await teamOf(reader);
  await joined(reader, team_id, other, role);
  const { name } = (await reader.ask("session")).data.teams[0];
  return { reader, other, team_id, team: name as string };
}

const pack = async ({ client }: Pick<Person, "client">, query: string, more: object = {}) =>
  (await client.post("/v1/recall/context", { query, ...more })).body;
const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id);

/** Everything by which a write can claim to matter. */
const claims = fc.record({
  importance: fc.constantFrom(0.5, 0.9, 1),
  confidence: fc.constantFrom(0.9, 1),
  metadata: fc.record(
    {
      last_verified_at: fc.constantFrom("2026-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
      review_after: fc.constantFrom("2030-01-01T00:00:00Z"),
      authority: fc.constantFrom("verified", "directive"),
    },
    { requiredKeys: [] },
  ),
});

test("whatever another member claims of equal words, the reader's own come first", async () => {
  await fc.assert(
    fc.asyncProperty(claims, async (claimed) => {
      const { reader, other, team_id } = await readerAndOther();
      const theirs = await stored(other.client, {
        content: "The payroll account of the harbour office is 4711.",
        team_id,
        ...claimed,
      });
      const own = await stored(reader.client, {
        content: "The payroll account of the harbour office is 4712.",
      });
      const answer = await pack(reader, "Which payroll account has the harbour office?");
      expect(idsOf(answer)).toEqual([own, theirs]);
      expect(answer.answer_status).toBe("conflicting_answers");
      expect(answer.conflicts[0].ids[0]).toBe(own);
      const search = await reader.client.get(
        "/v1/memories/search?query=payroll%20account%20harbour%20office",
      );
      expect(search.body.results[0].id).toBe(own);
    }),
    { numRuns: Math.min(RUNS, 6) },
  );
}, 120_000);

test("what another member says happened later is no newer than it was stored", async () => {
  const { reader, other, team_id } = await readerAndOther();
  const theirs = await stored(other.client, {
    content: "The tide gate opens at six.",
    team_id,
    metadata: { occurred_at: "2031-01-01T00:00:00Z" },
  });
  const own = await stored(reader.client, { content: "The tide gate opens at seven." });
  const answer = await pack(reader, "When does the tide gate open?");
  expect(answer.conflicts[0].ids).toEqual([own, theirs]);
});

test("weights of one's own words in a team are one's own, until somebody else changes them", async () => {
  const { reader, other, team_id } = await readerAndOther();
  const id = await stored(reader.client, {
    content: "The lighthouse is painted white.",
    team_id,
    importance: 0.9,
  });
  const item = async (who = reader) => (await pack(who, "How is the lighthouse painted?")).items[0];
  expect(await item()).toMatchObject({ id, claimed_by: null });
  expect(await item(other)).toMatchObject({ id, claimed_by: reader.owner.name });
  await other.client.patch(`/v1/memories/${id}`, { importance: 1 });
  expect(await item()).toMatchObject({ id, claimed_by: other.owner.name });
  // An answer would go on naming a member who has left.
  for (const who of [reader, other])
    expect(JSON.stringify((await who.client.get(`/v1/memories/${id}`)).body)).not.toContain(other.owner.id);
  // Nobody writes that note but the service.
  const forged = await stored(other.client, {
    content: "The pier is painted black.",
    team_id,
    provenance: { changed_by: reader.owner.id },
  });
  const { provenance } = (await other.client.get(`/v1/memories/${forged}`)).body;
  expect(provenance).not.toHaveProperty("changed_by");
});

test("a repeat by another member raises nothing to the weight that they give", async () => {
  const { reader, other, team_id } = await readerAndOther();
  const said = { content: "Ropes are kept in shed nine.", path: "facts", team_id };
  const { id } = (await reader.client.post("/v1/remember", { ...said, importance: 0.3 })).body;
  expect((await other.client.post("/v1/remember", { ...said, importance: 1 })).body).toMatchObject({ id });
  expect((await reader.client.get(`/v1/memories/${id}`)).body.importance).toBeLessThan(0.4);
  await reader.client.post("/v1/remember", { ...said, importance: 0.8 });
  expect((await reader.client.get(`/v1/memories/${id}`)).body.importance).toBeGreaterThanOrEqual(0.8);
});

test("a pack says whose team a text is of and whose word it is, at every size", async () => {
  const { reader, other, team_id, team } = await readerAndOther();
  await stored(other.client, {
    content: "The ferry leaves at nine.",
    team_id,
    source: reader.owner.name,
    metadata: { last_verified_at: "2026-01-01T00:00:00Z" },
  });
  await stored(reader.client, { content: "The ferry costs four crowns." });
  const query = "ferry";
  const answer = await pack(reader, query);
  expect(answer.items.find((item: { team_id: string }) => item.team_id)).toMatchObject({
    team_id,
    team_name: team,
    claimed_by: other.owner.name,
  });
  expect(answer.items.find((item: { scope: string }) => item.scope === "private")).toMatchObject({
    team_name: null,
    claimed_by: null,
  });
  const shown = (name: string) => `"${[...name].length > 40 ? `${[...name].slice(0, 39).join("")}…` : name}"`;
  expect(answer.context_text).toContain(`team ${shown(team)}, word of ${shown(other.owner.name)}`);
  expect(answer.context_text).toContain(`verified 2026-01-01 by ${shown(other.owner.name)}`);
  for (let max_tokens = 20; max_tokens < 200; max_tokens += 15) {
    const { context_text } = await pack(reader, query, { max_tokens });
    for (const [header] of context_text.matchAll(/^####.*\n(?=> The ferry leaves)/gm))
      expect([max_tokens, header]).toEqual([max_tokens, expect.stringContaining("team")]);
  }
  // Whoever has left is not named.
  await reader.ask("removeMember", { team_id, user_id: other.owner.id });
  const after = await pack(reader, query);
  expect(after.context_text).toContain("word of another member");
  expect(after.context_text).not.toContain(other.owner.name);
});

test("a project's pack says whose team it is of and whose word each memory is", async () => {
  const { reader, other, team_id, team } = await readerAndOther();
  await stored(other.client, { content: "The dry dock is booked.", team_id, project_id: "dock" });
  const { body } = await reader.client.post("/v1/projects/dock/context", { team_id });
  expect(body.context_text).toContain(`of team "${team}"`);
  expect(body.context_text).toContain(`word of "${other.owner.name}"`);
});

test("in a request for one team, and to the team's own key, its weights count", async () => {
  const { reader, other, team_id } = await readerAndOther();
  const key = { kind: "api_key", name: "k", scopes: ["memory:read"], team_id, is_teams: true };
  const client = world.withToken((await reader.ask("createCredential", key)).data.token) as Client;
  const at = (what: string) => `The ${what} crane lifts forty tons of steel at the quay.`;
  const plain = await stored(other.client, { content: at("eastern"), team_id, importance: 0.5 });
  const raised = await stored(other.client, { content: at("western"), team_id, importance: 1 });
  const query = "What does the crane lift at the quay?";
  expect(idsOf(await pack(reader, query, { team_id }))).toEqual([raised, plain]);
  const { items } = await pack({ client }, query);
  expect(idsOf({ items })).toEqual([raised, plain]);
  expect(items[0]).toMatchObject({ team_name: null, claimed_by: null });
});

test("in a team's maintenance nobody's memory gives place because of weights that another member set", async () => {
  const { reader, other, team_id } = await readerAndOther();
  const of = (who: Person) => maintained(who.client, world, "berths", team_id);
  const say = (who: Person, content: string, more: object = {}) =>
    of(who).stored({ content, path: "berths", ...more });
  const raised = { importance: 1, metadata: { last_verified_at: "2026-01-01T00:00:00Z" } };
  const theirs = await say(other, "Berth  four is free on Mondays.", raised);
  await say(reader, "Berth four is free on Mondays.", { dedupe: false });
  expect(await of(reader).due("merge_duplicates")).toEqual([theirs]);
});
