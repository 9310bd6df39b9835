/**
 * Whether the names and descriptions of the tools lead a reader to the right one. The reader is the service's own recall:
 * each tool is stored as a memory, and each request is searched for, over the words and the meaning alike.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { operationList } from "../../../src/contract/operations.ts";
import { toolsOf } from "../../../src/surfaces/mcp/tools.ts";
import { freshOwner } from "../../support/acting.ts";
import { type Client, openWorld, type World } from "../../support/world.ts";
import { heldOutRequests, type SpokenRequest, spokenRequests, unseenRequests } from "./requests.ts";

type Score = Awaited<ReturnType<typeof scoreOf>>;

const tools = toolsOf(operationList);
let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client({ owner: freshOwner() });
  const items = tools.map(({ name, title, description }) => ({
    memory_id: name,
    path: "tools",
    // Tools do not follow each other as what is said in a conversation does.
    provenance: { session_id: name },
    content: `${name.replaceAll("_", " ")}: ${title}. ${description}`,
  }));
  expect(await client.post("/v1/memories/batch", { items })).toMatchObject({
    body: { stored: tools.length },
  });
});
afterAll(() => world.close());

/** The tools that the matcher puts first for these words, best first. */
async function ranked(says: string): Promise<string[]> {
  const { body } = await client.get(
    `/v1/memories/search?${new URLSearchParams({ query: says, limit: "100" })}`,
  );
  return body.results.map(({ id }: { id: string }) => id);
}

test("there are sixty-two requests, each of them once, and every tool is asked for", () => {
  expect(new Set(spokenRequests.map(({ says }) => says)).size).toBe(62);
  expect([...new Set(spokenRequests.map(({ tool }) => tool))].sort()).toEqual(
    tools.map(({ name }) => name).sort(),
  );
});

/** How many of the requests have their tool first and among the first three, and in words those that have it further down. */
async function scoreOf(requests: readonly SpokenRequest[]) {
  const missed: string[] = [];
  let [first, amongThree] = [0, 0];
  for (const { says, tool } of requests) {
    const found = await ranked(says);
    const place = found.indexOf(tool);
    if (place === 0) first += 1;
    else missed.push(`${says} → ${tool}, ${place + 1}th after ${found.slice(0, 3)}`);
    if (place >= 0 && place < 3) amongThree += 1;
  }
  return { first, amongThree, missed };
}

test("the right tool is first for at least 56 of 62 requests, and among the first three for 61", async () => {
  expect(spokenRequests).toHaveLength(62);
  expect(await scoreOf(spokenRequests)).toSatisfy(
    ({ first, amongThree }: Score) => first >= 56 && amongThree >= 61,
  );
});

test("of 28 requests that no description was held against 12 find their tool first, and 20 among three", async () => {
  expect(unseenRequests).toHaveLength(tools.length);
  expect(await scoreOf(unseenRequests)).toSatisfy(
    ({ first, amongThree }: Score) => first >= 12 && amongThree >= 20,
  );
});

test("of 42 that came after the descriptions at least 30 find their tool first, and 33 among three", async () => {
  expect(heldOutRequests).toHaveLength(42);
  expect(await scoreOf(heldOutRequests)).toSatisfy(
    ({ first, amongThree }: Score) => first >= 30 && amongThree >= 33,
  );
});
