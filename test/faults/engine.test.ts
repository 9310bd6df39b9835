/** What others do to the engine: its indices are taken away, emptied or closed, and it is killed or forgets. */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  ask,
  describeOnElasticsearch,
  describeOnOwnNode,
  indicesOf,
  START_SCRIPT,
} from "../support/elasticsearch.ts";
import { type OwnNode, ownNode } from "../support/own-node.ts";
import { rotating } from "../support/random.ts";
import { openStage, openUncheckedStage, type Stage, TEST_TIMEOUT_MS } from "./stage.ts";

const timeout = TEST_TIMEOUT_MS;

/** Everything that was acknowledged is found, by whatever answers, while writes go on; afterwards it heals. */
async function outlives(stage: Stage, end: () => Promise<unknown> = async () => {}): Promise<void> {
  await stage.busy();
  await stage.truth.check();
  await stage.truth.checkReceipts((words) => stage.held(words).catch(() => new Set()));
  await end();
  await stage.healed();
}

const eachIndex = async ({ node, indices }: Stage, act: (index: string) => Promise<unknown>) => {
  for (const index of await indicesOf(node, indices.prefix)) await act(index);
};

/** Shares of what happens to indices and to a node that one run tries: each takes long to heal. */
const HARMS_SHARE = 1 / 3;
const FALLS_SHARE = 1 / 2;

interface Harm {
  readonly name: string;
  readonly to: (stage: Stage) => Promise<unknown>;
  readonly end?: (stage: Stage) => Promise<unknown>;
}

const setReadOnly = (value: true | null) => (stage: Stage) =>
  eachIndex(stage, async (index) =>
    expect(
      await ask(stage.node, "PUT", `/${index}/_settings`, { "index.blocks.read_only_allow_delete": value }),
    ).toMatchObject({ status: 200 }),
  );

const HARMS: readonly Harm[] = [
  {
    name: "indices are read-only as when the disk is full",
    to: setReadOnly(true),
    end: setReadOnly(null),
  },
  {
    name: "indices are deleted",
    to: (stage) => eachIndex(stage, (index) => ask(stage.node, "DELETE", `/${index}`)),
  },
  {
    name: "aliases are removed",
    to: (stage) => eachIndex(stage, (index) => ask(stage.node, "DELETE", `/${index}/_alias/*`)),
  },
  {
    name: "indices are closed and opened again",
    to: (stage) => eachIndex(stage, (index) => ask(stage.node, "POST", `/${index}/_close`)),
    end: (stage) => eachIndex(stage, (index) => ask(stage.node, "POST", `/${index}/_open`)),
  },
  {
    name: "each index gives way to an empty one of its name and making",
    to: (stage) =>
      eachIndex(stage, async (index) => {
        const { body } = await ask(stage.node, "GET", `/${index}`);
        const { aliases, mappings, settings } = body[index];
        const { creation_date: _, uuid: __, version: ___, provided_name: ____, ...kept } = settings.index;
        await ask(stage.node, "DELETE", `/${index}`);
        const made = await ask(stage.node, "PUT", `/${index}`, {
          aliases,
          mappings,
          settings: { index: kept },
        });
        expect(made).toMatchObject({ status: 200 });
      }),
  },
  {
    name: "everything in each index is deleted",
    to: (stage) =>
      eachIndex(stage, async (index) => {
        const path = `/${index}/_delete_by_query?refresh=true&conflicts=proceed`;
        expect(await ask(stage.node, "POST", path, { query: { match_all: {} } })).toMatchObject({
          status: 200,
        });
      }),
  },
  {
    name: "an index of another making stands in the place of each",
    to: (stage) =>
      eachIndex(stage, async (index) => {
        const { body } = await ask(stage.node, "GET", `/${index}`);
        await ask(stage.node, "DELETE", `/${index}`);
        await ask(stage.node, "PUT", `/${index}`, { aliases: body[index].aliases });
      }),
  },
];

describeOnElasticsearch(
  "writes are accepted, recall finds what was acknowledged, and it heals, though",
  () => {
    test.each(rotating(HARMS, HARMS_SHARE))("$name", { timeout }, async ({ to, end }) => {
      const stage = await openStage();
      await to(stage);
      await outlives(stage, async () => end?.(stage));
    });
  },
);

describeOnOwnNode("writes are accepted, recall finds what was acknowledged, and it heals, though", () => {
  const password = "a-password-of-tests";
  let node: OwnNode;
  beforeAll(async () => {
    node = await ownNode(START_SCRIPT as string, password);
    await node.start();
  }, 660_000);
  afterAll(() => node?.remove());

  const signedIn = (as: string) => ({ ELASTICSEARCH_USERNAME: "elastic", ELASTICSEARCH_PASSWORD: as });
  const isDegraded = async (stage: Stage) => expect((await stage.plan()).degraded).not.toEqual([]);

  const falls: readonly { name: string; run: () => Promise<void> }[] = [
    {
      name: "the node is killed and started again",
      async run() {
        const stage = await openStage(signedIn(password), node);
        await node.kill();
        await outlives(stage, async () => {
          await isDegraded(stage);
          await node.start();
        });
      },
    },
    {
      name: "the node comes back with nothing",
      async run() {
        const stage = await openStage(signedIn(password), node);
        await node.kill();
        await outlives(stage, async () => {
          await isDegraded(stage);
          await node.start({ fresh: true });
        });
      },
    },
    {
      name: "the service starts before the node",
      async run() {
        await node.kill();
        const stage = await openUncheckedStage(signedIn(password), node);
        await stage.busy();
        await outlives(stage, async () => {
          await isDegraded(stage);
          await node.start();
        });
      },
    },
    {
      name: "its user is not known until it is made",
      async run() {
        const user = { ELASTICSEARCH_USERNAME: "late", ELASTICSEARCH_PASSWORD: password };
        const stage = await openUncheckedStage(user, node);
        await stage.busy();
        await outlives(stage, async () => {
          await isDegraded(stage);
          const late = { password, roles: ["superuser"] };
          expect(await ask(node, "PUT", "/_security/user/late", late)).toMatchObject({ status: 200 });
        });
      },
    },
  ];
  test.each(rotating(falls, FALLS_SHARE))("$name", { timeout: 2 * timeout }, ({ run }) => run());
});
