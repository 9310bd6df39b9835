import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, freshOwner, stored } from "../support/acting.ts";
import { type Answer, type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** A memory's owner, with the memory and the tag of its state. */
async function tagged() {
  const client = await world.client({ owner: freshOwner() });
  const id = await stored(client);
  const tag = (await client.get(`/v1/memories/${id}`)).headers.get("etag") as string;
  return { client, id, tag };
}

type Send = (client: Client, id: string, headers: Record<string, string>) => Promise<Answer>;

/** Everything that takes the condition, each of which leaves the memory there for the next. */
const WAYS: Record<string, Send> = {
  PATCH: (client, id, headers) => client.patch(`/v1/memories/${id}`, { importance: 0.5 }, headers),
  DELETE: (client, id, headers) => client.delete(`/v1/memories/${id}`, headers),
  restore: (client, id, headers) => client.post(`/v1/memories/${id}/restore`, undefined, headers),
  forget: (client, id, headers) => client.post(`/v1/memories/${id}/forget`, {}, headers),
};

/** The tag of the state that the record holds, whether it may be read or not. */
async function tagNow(id: string): Promise<string> {
  const [row] = await world.service.sql`select id, revision from memories where memory_id = ${id}`;
  return `"${row?.id.slice(-12)}-${row?.revision}"`;
}

test.each([
  ["among others", (tag: string) => `"a", ${tag}, "b"`],
  ["without spaces", (tag: string) => `"a",${tag}`],
  ["with empty elements", (tag: string) => `, ,"a",, ${tag} ,`],
  ["beside tags with commas", (tag: string) => `"a,b", ${tag}`],
  ["beside weak ones", (tag: string) => `W/"a", ${tag}`],
  [
    "in a long list",
    (tag: string) => `${Array.from({ length: 60 }, (_, n) => `"other-${n}"`).join(", ")}, ${tag}`,
  ],
  ["as any", () => "*"],
])("a list that has the tag %s is met, by every way to change a memory", async (_, listOf) => {
  const { client, id } = await tagged();
  for (const [name, send] of Object.entries(WAYS)) {
    const answer = await send(client, id, { "if-match": listOf(await tagNow(id)) });
    expect([name, answer.status]).toEqual([name, 200]);
  }
});

test.each([
  ["others only", () => '"a", "b"'],
  ["the weak form of the tag, which never matches", (tag: string) => `W/${tag}`],
  ["the tag inside another one", (tag: string) => `"a,${tag.slice(1, -1)}"`],
  ["a part of it", (tag: string) => `${tag.slice(0, -2)}"`],
  ["an empty tag", () => '""'],
])("a list of %s is 412, by every way to change a memory", async (_, listOf) => {
  const { client, id, tag } = await tagged();
  for (const send of Object.values(WAYS))
    expectRefusal(await send(client, id, { "if-match": listOf(tag) }), 412, "precondition_failed");
  expect(await tagNow(id)).toBe(tag);
});

test.each([
  ["no quotes", (tag: string) => tag.slice(1, -1)],
  ["a quote that is not closed", (tag: string) => tag.slice(0, -1)],
  ["any among tags", (tag: string) => `*, ${tag}`],
  ["two tags without a comma", (tag: string) => `${tag} "a"`],
  ["commas alone", () => ", ,"],
  ["a space in a tag", () => '"a b"'],
  ["nothing", () => ""],
])("a condition with %s is 422 and changes nothing", async (_, listOf) => {
  const { client, id, tag } = await tagged();
  for (const send of Object.values(WAYS))
    expect(faultyPlaces(await send(client, id, { "if-match": listOf(tag) }))).toEqual(["header.if_match"]);
  expect(await tagNow(id)).toBe(tag);
});
