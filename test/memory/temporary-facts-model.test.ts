/** Any sequence of what can become of a fact's memories, beside a model that says which is live. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { found, freshOwner, memory, query } from "../support/acting.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";
import { runs } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { FactModel } from "./fact-model.ts";

const TRIES = runs(25);

let clock: FakeClock;
let world: World;
beforeAll(async () => {
  clock = fakeClock();
  world = await openWorld();
});
afterAll(async () => {
  await world.close();
  vi.useRealTimers();
});

const which = fc.nat({ max: 20 });
/** Minutes from the step on, or for good. */
const lasting = fc.option(fc.integer({ min: 1, max: 8 }), { freq: 3 });

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("state" as const), lasting }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), minutes: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("expire" as const), which, lasting }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("archive" as const, "activate" as const), which }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("delete" as const, "restore" as const), which }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("redact" as const, "erase" as const), which }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** One fact of one owner, in the service and in the model. */
class Play {
  readonly model = new FactModel();
  readonly client: Client;
  now = 0;
  #stated = 0;

  constructor(client: Client) {
    this.client = client;
  }

  async play(step: Step): Promise<void> {
    if (step.kind === "wait") {
      this.now += step.minutes;
      clock.goTo(this.now);
    } else if (step.kind === "state") await this.#state(step.lasting);
    else await this.#change(step);
  }

  async #state(lasting: number | null): Promise<void> {
    const content = `fact ${this.#stated++}`;
    const { body } = await this.client.post(
      "/v1/memories",
      memory({
        content,
        semantic_key: "fact",
        ...(lasting === null ? {} : { expires_at: this.#end(lasting) }),
      }),
    );
    const expected = this.model.state(body.id, lasting === null ? Infinity : this.now + lasting, this.now);
    expect({ version: body.version, superseded: body.superseded.toSorted() }).toEqual({
      version: expected.version,
      superseded: expected.superseded.toSorted(),
    });
  }

  async #change(step: Extract<Step, { which: number }>): Promise<void> {
    const { model, client, now } = this;
    const meant = model.memories[step.which % Math.max(1, model.memories.length)];
    if (!meant) return;
    const path = `/v1/memories/${meant.id}`;
    const isOpen = meant.status !== "soft_deleted" && meant.status !== "redacted";
    switch (step.kind) {
      case "expire":
        if (!isOpen) return;
        await client.patch(path, { expires_at: step.lasting === null ? null : this.#end(step.lasting) });
        return model.expire(meant, step.lasting === null ? Infinity : now + step.lasting);
      case "archive":
      case "activate": {
        if (!isOpen) return;
        const status = step.kind === "archive" ? "archived" : "active";
        await client.patch(path, { status });
        return model.setStatus(meant, status, now);
      }
      case "delete":
        if (meant.status === "redacted") return;
        await client.delete(path);
        return model.softDelete(meant, now);
      case "restore": {
        if (meant.status !== "soft_deleted") return;
        const { body } = await client.post(`${path}/restore`);
        expect(body.status).toBe(model.restore(meant, now));
        return;
      }
      case "redact":
        await client.post(`${path}/forget`, { mode: "redact" });
        return model.redact(meant, now);
      case "erase":
        await client.post(`${path}/forget`, { mode: "hard_delete" });
        return model.hardDelete(meant, now);
    }
  }

  async look(): Promise<void> {
    const { model, client, now } = this;
    const all = (await client.get(`/v1/memories${query({ status: "%", limit: 100 })}`)).body.memories;
    const shown = all.map(({ id, status }: { id: string; status: string }) => [id, status] as const);
    const expected = model.memories
      .filter(({ status }) => status !== "soft_deleted")
      .map((memory) => [memory.id, model.shown(memory, now)] as const);
    expect(new Map(shown)).toEqual(new Map(expected));
    for (const item of all)
      if (item.status !== "superseded" && item.status !== "redacted") expect(item.superseded_by).toBeNull();
    const live = model.live(now).toSorted();
    expect((await found(client, "which fact?")).toSorted()).toEqual(live);
    expect((await found(client, "which fact?", { status: "superseded" })).toSorted()).toEqual(
      expected.flatMap(([id, status]) => (status === "superseded" ? [id] : [])).toSorted(),
    );
  }

  #end(lasting: number): string {
    return clock.at(this.now + lasting);
  }
}

test(
  "what of a fact is live is what the model says, at every instant and in list and search alike",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        clock.goTo(0);
        const play = new Play(await world.client({ owner: freshOwner() }));
        for (const step of steps) {
          await play.play(step);
          await play.look();
        }
      }),
      { numRuns: TRIES },
    );
  },
  60_000 + TRIES * 10_000,
);
