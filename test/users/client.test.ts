import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { createAgentTools } from "../../src/client/integrations/agent-tools.ts";
import { OF_NO_SPACE } from "../../src/client/request.ts";
import { operationList } from "../../src/contract/operations.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
let app: Client;

beforeAll(async () => {
  world = await openWorld();
  const { token } = await world.client({
    owner: "shop",
    scopes: ["memory:read", "memory:write", "users:act"],
  });
  app = createClient({
    baseUrl: "http://localhost",
    apiKey: token,
    fetch: (url, init) => world.handle(new Request(url, init)),
  });
});
afterAll(() => world.close());

describe("client.forUser", () => {
  test("has the same methods, each in the space of that end user", async () => {
    const [ada, bob] = [app.forUser("ada"), app.forUser("bob")];
    await ada.remember({ content: "Ada drinks tea", path: "likes" });
    await bob.remember({ content: "Bob drinks coffee", path: "likes" });
    const drinks = async (of: Client) =>
      (await of.searchMemories({ query: "drinks" })).results.map((one) => one.content);
    expect([await drinks(ada), await drinks(bob), await drinks(app)]).toEqual([
      ["Ada drinks tea"],
      ["Bob drinks coffee"],
      [],
    ]);
    const { context_text } = await ada.recallContext({ query: "What does she drink?" });
    expect(context_text).toContain("tea");
    await ada.createTodo({ project_id: "home", content: "Buy tea" });
    expect(await bob.listTodos({ project_id: "home" })).toEqual([]);
    expect((await ada.listEndUsers()).users.map((user) => user.user_id)).toEqual(["ada", "bob"]);
    expect(await drinks(ada.forUser("bob"))).toEqual(["Bob drinks coffee"]);
  });

  test("pages through an export", async () => {
    const eve = app.forUser("eve");
    for (let n = 0; n < 5; n += 1) await eve.remember({ content: `Fact ${n} about figs`, path: "figs" });
    const lines: unknown[] = [];
    for await (const line of app.each("exportEndUser", { user_id: "eve", limit: 2 })) lines.push(line);
    expect(lines).toHaveLength(5);
  });

  test("streams the events of that end user", async () => {
    const ada = app.forUser("ada");
    const events = await ada.listEvents({});
    expect(events.events[0]?.data.user_id).toBe("ada");
  });
});

describe("The integrations take the end user", () => {
  test("of an agent's tools", async () => {
    const tools = createAgentTools(app, { user: "cleo" });
    await tools.remember.execute({ content: "Cleo is allergic to walnuts, and carries an inhaler." });
    expect(await tools.recall_context.execute({ query: "Which allergy does Cleo have?" })).toContain(
      "walnuts",
    );
    const others = createAgentTools(app, { user: "dan" });
    expect(await others.recall_context.execute({ query: "Which allergy does Cleo have?" })).not.toContain(
      "walnuts",
    );
  });
});

test("an operation that is not about an owner's space is one of these", () => {
  expect(operationList.flatMap(({ name, forEndUsers }) => (forEndUsers ? [] : [name])).sort()).toEqual(
    [
      ...[
        "confirmBinding",
        "denyBinding",
        "getAgentStatus",
        "getBindStatus",
        "issueSkillToken",
        "registerAgent",
      ],
      ...["rotateAgentToken", "rotateKey", "eraseOwner", "getErasure", "getEvalSet", "listSkillOperations"],
      ...["listEndUsers", "getEndUser", "eraseEndUser", "issueEndUserToken", "exportEndUser"],
    ].sort(),
  );
  for (const { http, forEndUsers } of operationList)
    expect([http.path, OF_NO_SPACE.test(http.path)]).toEqual([http.path, !forEndUsers]);
});
