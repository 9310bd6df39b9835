/** Alerts of a workspace: raised once, ended once, seen by those who may, in lists, on webhooks and by people. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAlertStore } from "../../src/adapters/postgres/watch/alert-store.ts";
import type { AlertMeasure } from "../../src/contract/alert.ts";
import type { ChangeEvent } from "../../src/contract/event.ts";
import type { ExceededThreshold } from "../../src/core/watch/alert-store.ts";
import { evaluateAlerts } from "../../src/core/watch/alerts.ts";
import { LATENCY_STEPS, latencyStep } from "../../src/core/watch/latency.ts";
import { stored, unguessable } from "../support/acting.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const NONE = { recall_p95: null, recall_coverage: null, open_conflicts: null, silent_agent: null };

async function person() {
  const owner = await world.service.credentials.ensureOwner("user", unguessable("operator"));
  const cookie = await sessionOf(world, owner);
  const client = await world.client({ owner: owner.name });
  const call = async (name: string, input: object) => {
    const { body } = await askTrpc(world, cookie, name, input);
    return body.result?.data ?? body.error.data.code;
  };
  const set = (thresholds: Partial<Record<AlertMeasure, number>>, of: object = {}) =>
    call("setAlerts", { ...NONE, ...thresholds, ...of });
  const raised = async (of: object = {}) => (await call("alerts", of)).raised;
  return { owner, client, call, set, raised };
}

/** What two servers do at the same time, so many minutes from now. */
async function evaluate(minutes: number): Promise<void> {
  const { ports, sql } = world.service;
  const now = Date.now() + minutes * 60_000;
  const server = { ...ports, alerts: createAlertStore(sql), clock: () => now };
  await Promise.all([1, 2].map(() => evaluateAlerts(server, { isStopping: () => false })));
}

const alertEvents = async (client: { get(path: string): Promise<{ body: { events: ChangeEvent[] } }> }) =>
  (await client.get("/v1/events?subject=alert&limit=500")).body.events.map(({ type, data }) => [
    type,
    data.id,
    data.team_id,
  ]);

async function conflict(client: Awaited<ReturnType<typeof person>>["client"], more: object = {}) {
  const key = { semantic_key: unguessable("key"), dedupe: false, supersede: false, ...more };
  const ids = [
    await stored(client, { content: `The port is ${unguessable("")}`, ...key }),
    await stored(client, { content: `The port is ${unguessable("")}`, ...key }),
  ];
  return ids;
}

/** Recalls of the last minute, as a server stores them. */
async function recalls(ownerId: string, count: number, { ms, coverage }: { ms: number; coverage: number }) {
  const latency = new Array<number>(LATENCY_STEPS).fill(0);
  latency[latencyStep(ms)] = count;
  const { sql } = world.service;
  await sql`delete from figures where owner_id = ${ownerId}`;
  await sql`
    insert into figures (resolution, at, owner_id, recalls, latency, covered, coverage_sum, writes, failures)
    values ('minute', date_trunc('minute', now()), ${ownerId}, ${count}, ${latency}, ${count}, ${count * coverage}, 0, 0)`;
}

test("conflicts raise one alert however often they are counted, and end it once they have stayed away", async () => {
  const { client, set, raised, owner } = await person();
  await set({ open_conflicts: 1 });
  await evaluate(1);
  expect(await raised()).toEqual([]);
  const { sql } = world.service;
  const [, second] = await conflict(client);
  await sql`update memories set status = 'active', superseded_by_key = false where owner_id = ${owner.id}`;
  for (const minute of [2, 3, 4]) await evaluate(minute);
  expect(await raised()).toMatchObject([
    { measure: "open_conflicts", value: 2, threshold: 1, about: null, calm_since: null },
  ]);
  expect(await alertEvents(client)).toEqual([["alert.raised", "open_conflicts", null]]);
  await client.delete(`/v1/memories/${second}`);
  // Calm, exceeded again, calm: still the same alert.
  await evaluate(5);
  expect(await raised()).toMatchObject([{ calm_since: expect.any(String) }]);
  await client.post(`/v1/memories/${second}/restore`, {});
  await sql`update memories set status = 'active' where owner_id = ${owner.id}`;
  await evaluate(11);
  expect(await raised()).toMatchObject([{ calm_since: null }]);
  await client.delete(`/v1/memories/${second}`);
  await evaluate(12);
  await evaluate(16);
  expect(await raised()).toHaveLength(1);
  for (const minute of [18, 19]) await evaluate(minute);
  expect(await raised()).toEqual([]);
  expect(await alertEvents(client)).toEqual([
    ["alert.raised", "open_conflicts", null],
    ["alert.ended", "open_conflicts", null],
  ]);
});

test("servers that record the same excess at the same time raise one alert and end one, under thresholds as they are", async () => {
  const { client, set, raised, owner } = await person();
  await set({ open_conflicts: 5 });
  const store = createAlertStore(world.service.sql);
  const now = Date.now();
  const excess = { measure: "open_conflicts", about: "", value: 9, threshold: 5 } as const;
  const record = (exceeded: readonly ExceededThreshold[], at: number) =>
    Promise.all([1, 2, 3].map(() => store.record(owner.id, exceeded, { now: at, calmBefore: at })));
  await record([{ ...excess, threshold: 4 }], now);
  expect(await raised()).toEqual([]);
  await record([excess], now);
  expect(await raised()).toHaveLength(1);
  await record([], now + 1);
  expect(await raised()).toEqual([]);
  expect((await alertEvents(client)).map(([type]) => type)).toEqual(["alert.raised", "alert.ended"]);
});

test("slow recall and low coverage are measured over a quarter of an hour, and not by single recalls", async () => {
  const { client, owner, set, raised } = await person();
  await set({ recall_p95: 200, recall_coverage: 0.9 });
  await recalls(owner.id, 4, { ms: 900, coverage: 0.5 });
  await evaluate(1);
  expect(await raised()).toEqual([]);
  await recalls(owner.id, 40, { ms: 900, coverage: 0.5 });
  await evaluate(2);
  const [p95, coverage] = await raised();
  expect(p95).toMatchObject({ measure: "recall_coverage", value: 0.5, threshold: 0.9 });
  expect(coverage).toMatchObject({ measure: "recall_p95", threshold: 200 });
  expect(coverage.value).toBeGreaterThan(700);
  await recalls(owner.id, 40, { ms: 20, coverage: 1 });
  for (const minute of [3, 9]) await evaluate(minute);
  expect((await alertEvents(client)).map(([type]) => type)).toEqual([
    "alert.raised",
    "alert.raised",
    "alert.ended",
    "alert.ended",
  ]);
});

test("a key that was in use and no longer is raises an alert by its id, which ends when the threshold goes", async () => {
  const { client, owner, set, raised, call } = await person();
  await client.get("/v1/memories");
  await set({ silent_agent: 24 });
  await evaluate(1);
  expect(await raised()).toEqual([]);
  const { sql } = world.service;
  const [token] = await sql`
    update tokens set last_used_at = now() - interval '25 hours' where owner_id = ${owner.id} and kind = 'api_key'
    returning id, name`;
  await evaluate(2);
  await evaluate(3);
  expect(await raised()).toMatchObject([
    { measure: "silent_agent", about: { id: token?.id, name: token?.name, is_agent: false }, threshold: 24 },
  ]);
  expect((await call("setAlerts", { ...NONE, open_conflicts: 3 })).thresholds.open_conflicts).toBe(3);
  expect(await raised()).toEqual([]);
  expect(await alertEvents(client)).toEqual([
    ["alert.raised", `silent_agent:${token?.id}`, null],
    ["alert.ended", `silent_agent:${token?.id}`, null],
  ]);
  const { lines } = await call("listAudit", { operation: "set_alerts" });
  expect(lines[0]).toMatchObject({ person: owner.name, detail: { open_conflicts: 3 } });
});

test("a team's alert reaches its members' webhooks, and neither strangers nor credentials for a part of it", async () => {
  const [boss, viewer, stranger] = [await person(), await person(), await person()];
  const { teams, sql } = world.service;
  const { team } = await teams.create(unguessable("team"), boss.owner);
  await teams.add(team.id, viewer.owner.id, "viewer");
  const of = { team_id: team.id };
  const parts = await Promise.all([
    world.client({ owner: boss.owner.name, space: { projects: ["apollo"] } }),
    world.client({ owner: boss.owner.name, space: { pathPrefix: "notes" } }),
    world.client({ owner: boss.owner.name, space: { buckets: ["general"] } }),
  ]);
  const hook = (subjects: string[]) =>
    viewer.client.post("/v1/webhooks", { url: "https://hooks.example/", subjects });
  const [alerting, other] = [(await hook(["alert"])).body, (await hook(["todo"])).body];
  expect(await viewer.set({ open_conflicts: 0 }, of)).toBe("role_forbidden");
  expect(await stranger.set({ open_conflicts: 0 }, of)).toBe("not_found");
  expect(await stranger.call("alerts", of)).toBe("not_found");
  await boss.set({ open_conflicts: 0 }, of);
  await conflict(boss.client, of);
  await sql`update memories set status = 'active', superseded_by_key = false where owner_id = ${team.id}`;
  await evaluate(1);
  const event = ["alert.raised", "open_conflicts", team.id];
  expect(await alertEvents(boss.client)).toEqual([event]);
  expect(await alertEvents(viewer.client)).toEqual([event]);
  expect(await viewer.raised(of)).toHaveLength(1);
  expect(await viewer.raised()).toEqual([]);
  for (const client of [stranger.client, ...parts]) expect(await alertEvents(client)).toEqual([]);
  await expect
    .poll(async () => (await viewer.client.get(`/v1/webhooks/${alerting.id}`)).body.waiting, {
      timeout: 20_000,
    })
    .toBe(1);
  expect((await viewer.client.get(`/v1/webhooks/${other.id}`)).body.waiting).toBe(0);
});
