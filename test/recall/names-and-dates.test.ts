/** Whom and which time a question names, as searches and packs answer it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, query, stored } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

/** The ids of the results to which a signal gave something. */
async function signalled(client: Client, signal: string, asked: string, more = {}): Promise<string[]> {
  const { body } = await client.get(
    `/v1/memories/search${query({ query: asked, explain: true, limit: 100, ...more })}`,
  );
  return body.results
    .filter(
      ({ explanation }: { explanation: { signals: Record<string, number> } }) => explanation.signals[signal],
    )
    .map(({ id }: { id: string }) => id);
}

test("a speaker is named in short, misspelt, and by what others call the speaker", async () => {
  const client = await someone();
  const said = (day: number, source: string, content: string) =>
    stored(client, { source, content, provenance: { session_id: `day ${day}` } });
  const ofAnn: string[] = [];
  const ofMelanie: string[] = [];
  for (const day of [1, 2, 3]) {
    ofAnn.push(await said(day, "Ann", "Hey Duchess! Did you paint again?"));
    ofMelanie.push(await said(day, "Melanie", `A lake, at ${day} o'clock.`));
  }
  for (const name of ["Melanie", "melanie", "Mel", "Malenie", "Duchess"])
    expect((await signalled(client, "speaker", `what did ${name} paint?`)).sort(), name).toEqual(
      ofMelanie.sort(),
    );
  expect((await signalled(client, "speaker", "what did Ann paint?")).sort()).toEqual(ofAnn.sort());
  expect(await signalled(client, "speaker", "what did the duchess paint?")).toEqual([]);
});

test("a full date names its day, and less the days around it", async () => {
  const client = await someone();
  const on = (occurred_at: string) =>
    stored(client, {
      content: "We met at the harbour.",
      path: occurred_at.slice(0, 10),
      metadata: { occurred_at },
    });
  const [before, day, after] = [
    await on("2023-05-07T20:00:00Z"),
    await on("2024-01-05T20:00:00Z"),
    await on("2024-01-07T20:00:00Z"),
  ];
  for (const date of ["2024-01-05", "5.1.2024", "05/01/2024", "5 Jan 2024", "January 5th, 2024"]) {
    const { body } = await client.get(
      `/v1/memories/search${query({ query: `Whom did we meet on ${date}?`, explain: true })}`,
    );
    const signalOf = (id: string) =>
      body.results.find((hit: { id: string }) => hit.id === id).explanation.signals.date;
    expect(body.results[0].id).toBe(day);
    expect(signalOf(day)).toBeCloseTo(1.15, 5);
    expect(signalOf(after)).toBeGreaterThan(signalOf(before));
    expect(signalOf(after)).toBeLessThan(signalOf(day));
  }
});

test("words of time are counted from when and where the question is asked", async () => {
  const client = await someone();
  const on = (occurred_at: string) =>
    stored(client, { content: `Met Ada at ${occurred_at}.`, metadata: { occurred_at } });
  const march = await on("2024-03-15T12:00:00Z");
  const friday = await on("2024-11-22T04:30:00Z");
  const asked = { asked_at: "2024-11-23T04:00:00Z" };
  expect(await signalled(client, "time_range", "whom did I meet in March?", asked)).toEqual([march]);
  expect(await signalled(client, "time_range", "whom did I meet yesterday?", asked)).toEqual([friday]);
  // In New York it is still the 22nd, and what was at 4:30 UTC was that of the 21st.
  const there = { ...asked, time_zone: "America/New_York" };
  expect(await signalled(client, "time_range", "whom did I meet yesterday?", there)).toEqual([friday]);
  expect(await signalled(client, "time_range", "whom did I meet today?", there)).toEqual([]);
  const { body } = await client.post("/v1/recall/context", { query: "Whom did I meet in March?", ...asked });
  expect(body.retrieval_plan.time_range).toEqual({
    from: "2024-03-01T00:00:00.000Z",
    to: "2024-04-01T00:00:00.000Z",
    because: "in march",
  });
});
