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

describeOnElasticsearch(
  "writes are accepted, recall finds what was acknowledged, and it heals, though",
  () => {
    test("indices are read-only as when the disk is full", { timeout }, async () => {
      const stage = await openStage();
      const block = (value: true | null) =>
        eachIndex(stage, async (index) =>
          expect(
            await ask(stage.node, "PUT", `/${index}/_settings`, {
              "index.blocks.read_only_allow_delete": value,
            }),
          ).toMatchObject({ status: 200 }),
        );
      await block(true);
      await outlives(stage, () => block(null));
    });

    test("indices are deleted", { timeout }, async () => {
      const stage = await openStage();
      await eachIndex(stage, (index) => ask(stage.node, "DELETE", `/${index}`));
      await outlives(stage);
    });

    test("aliases are removed", { timeout }, async () => {
      const stage = await openStage();
      await eachIndex(stage, (index) => ask(stage.node, "DELETE", `/${index}/_alias/*`));
      await outlives(stage);
    });

    test("indices are closed and opened again", { timeout }, async () => {
      const stage = await openStage();
      await eachIndex(stage, (index) => ask(stage.node, "POST", `/${index}/_close`));
      await outlives(stage, () => eachIndex(stage, (index) => ask(stage.node, "POST", `/${index}/_open`)));
    });

    test("each index gives way to an empty one of its name and making", { timeout }, async () => {
      const stage = await openStage();
      await eachIndex(stage, async (index) => {
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
      });
      await outlives(stage);
    });

    test("everything in each index is deleted", { timeout }, async () => {
      const stage = await openStage();
      await eachIndex(stage, async (index) => {
        const path = `/${index}/_delete_by_query?refresh=true&conflicts=proceed`;
        expect(await ask(stage.node, "POST", path, { query: { match_all: {} } })).toMatchObject({
          status: 200,
        });
      });
      await outlives(stage);
    });

    test("an index of another making stands in the place of each", { timeout }, async () => {
      const stage = await openStage();
      await eachIndex(stage, async (index) => {
        const { body } = await ask(stage.node, "GET", `/${index}`);
        await ask(stage.node, "DELETE", `/${index}`);
        await ask(stage.node, "PUT", `/${index}`, { aliases: body[index].aliases });
      });
      await outlives(stage);
    });
  },
);

describeOnOwnNode("writes are accepted, recall finds what was acknowledged, and it heals, though", () => {
  const password = "a-password-of-tests";
  let node: OwnNode;
  beforeAll(async () => {
    node = await ownNode(START_SCRIPT as string, password);
    await node.start();
  }, 330_000);
  afterAll(() => node?.remove());

  const signedIn = (as: string) => ({ ELASTICSEARCH_USERNAME: "elastic", ELASTICSEARCH_PASSWORD: as });
  const isDegraded = async (stage: Stage) => expect((await stage.plan()).degraded).not.toEqual([]);

  test("the node is killed and started again", { timeout: 2 * timeout }, async () => {
    const stage = await openStage(signedIn(password), node);
    await node.kill();
    await outlives(stage, async () => {
      await isDegraded(stage);
      await node.start();
    });
  });

  test("the node comes back with nothing", { timeout: 2 * timeout }, async () => {
    const stage = await openStage(signedIn(password), node);
    await node.kill();
    await outlives(stage, async () => {
      await isDegraded(stage);
      await node.start({ fresh: true });
    });
  });

  test("the service starts before the node", { timeout: 2 * timeout }, async () => {
    await node.kill();
    const stage = await openUncheckedStage(signedIn(password), node);
    await stage.busy();
    await outlives(stage, async () => {
      await isDegraded(stage);
      await node.start();
    });
  });

  test("its user is not known until it is made", { timeout: 2 * timeout }, async () => {
    const user = { ELASTICSEARCH_USERNAME: "late", ELASTICSEARCH_PASSWORD: password };
    const stage = await openUncheckedStage(user, node);
    await stage.busy();
    await outlives(stage, async () => {
      await isDegraded(stage);
      const late = { password, roles: ["superuser"] };
      expect(await ask(node, "PUT", "/_security/user/late", late)).toMatchObject({ status: 200 });
    });
  });
});
