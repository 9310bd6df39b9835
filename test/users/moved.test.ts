import { expect, test } from "vitest";
import { openTransferWorld } from "../core/transfer/transfer-world.ts";

test("end users come back from an export, each with what is theirs, and an import again changes nothing", async () => {
  const [one, two] = [await openTransferWorld(), await openTransferWorld()];
  const of = { scopes: ["memory:read", "memory:write", "users:act"] } as const;
  const [shop, crew] = [
    await one.client({ ...of, owner: "shop" }),
    await one.client({ ...of, team: "crew" }),
  ];
  for (const [app, name] of [
    [shop, "shop"],
    [crew, "crew"],
  ] as const) {
    await app.post("/v1/memories", { memory_id: "same", content: `Of ${name}`, path: "p" });
    await app.post("/v1/memories", {
      memory_id: "same",
      content: `Of ada at ${name}`,
      path: "p",
      user_id: "ada",
    });
    await app.post("/v1/memories", {
      memory_id: "same",
      content: `Of bob at ${name}`,
      path: "p",
      user_id: "bob",
    });
    const first = await app.post("/v1/projects/x/todos", { content: "First", user_id: "ada" });
    const depends_on = [first.body.todo_id];
    const made = await app.post("/v1/projects/x/todos", { content: "Second", user_id: "ada", depends_on });
    expect(made.body.depends_on).toEqual(depends_on);
    await app.patch("/v1/projects/x/maintenance/settings", { stale_after_days: 77, user_id: "ada" });
  }
  const lines = await one.backup();
  expect(lines.filter(({ kind }) => kind === "links")).toHaveLength(2);
  expect(await two.imported(lines)).toMatchObject({ conflicts: 0, invalid: 0, complaints: [] });
  const again = await two.imported(lines);
  expect(again).toMatchObject({ created: 0, conflicts: 0, invalid: 0 });
  const there = await two.client({ ...of, owner: "shop" });
  for (const user of ["ada", "bob"])
    expect((await there.get(`/v1/memories/same?user_id=${user}`)).body.content).toBe(`Of ${user} at shop`);
  expect((await there.get("/v1/memories/same")).body.content).toBe("Of shop");
  const todos = (await there.get("/v1/projects/x/todos?user_id=ada")).body;
  expect(todos.flatMap((todo: { depends_on: string[] }) => todo.depends_on)).toHaveLength(1);
  const settings = await there.get("/v1/projects/x/maintenance/settings?user_id=ada");
  expect(settings.body.stale_after_days).toBe(77);
  expect((await there.get("/v1/projects/x/maintenance/settings")).body.stale_after_days).not.toBe(77);
  const crews = await two.client({ ...of, team: "crew" });
  expect((await crews.get("/v1/users")).body.users).toMatchObject([{ user_id: "ada" }, { user_id: "bob" }]);
});
