import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { z } from "zod";
import { operationList } from "../../../src/contract/operations.ts";
import { isNaming } from "../../../src/contract/primitives.ts";
import { skillOperations } from "../../../src/contract/skill.ts";
import { CLAIM_HEADERS } from "../../../src/surfaces/http/admission.ts";
import { memberPlaces } from "../../../src/surfaces/http/member-places.ts";
import { runs } from "../../support/random.ts";
import { world } from "./world.ts";

/** A word for nothing, in any case and with blanks around it. */
const word = fc
  .tuple(
    fc.constantFrom("", "null", "none", "undefined", "nil", "n/a"),
    fc.func(fc.boolean()),
    fc.constantFrom("", " ", "\t"),
  )
  .map(
    ([text, isUpper, blank]) =>
      blank + [...text].map((c, at) => (isUpper(at) ? c.toUpperCase() : c)).join("") + blank,
  );

/** The members of a schema that are keys, ids or names, or lists of them. */
function namesIn(schema: z.ZodObject): string[] {
  return Object.entries(schema.shape).flatMap(([name, member]) =>
    isNaming(member as z.ZodType) ? [name] : [],
  );
}

// To make a surface takes longer than all that is sent to it.
const { calls, send } = world();
beforeEach(() => {
  calls.length = 0;
});

const CASES = operationList.flatMap((operation) =>
  namesIn(operation.input).map((member) => ({ operation, member })),
);

test("the contract's keys, ids and names are known as such", () => {
  const names = new Set(CASES.map(({ member }) => member));
  for (const expected of [
    "semantic_key",
    "project_id",
    "team_id",
    "memory_id",
    "superseded_by",
    "source",
    "todo_id",
    "decision_id",
    "supersedes",
    "source_memory_id",
    "assignee_agent_id",
    "proposed_by_agent_id",
  ])
    expect([...names]).toContain(expected);
  // Whatever is called an id is one.
  const ids = operationList.flatMap(({ name, input }) =>
    Object.entries(input.shape)
      .filter(([member, schema]) => member.endsWith("_id") && !isNaming(schema as z.ZodType))
      .map(([member]) => `${name}.${member}`),
  );
  // A position among events is no name, and what describes an agent's surroundings is not compared.
  expect(ids.filter((id) => !/^registerAgent\.|\.last_event_id$/.test(id))).toEqual([]);
  expect(namesIn(skillOperations["save-state"].input)).toContain("key");
});

test("a word for nothing as a key, an id or a name is refused where it stands, in every operation", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...CASES), word, async ({ operation, member }, value) => {
      const { http } = operation;
      const places = memberPlaces(operation);
      // An empty segment is another path.
      if (places.path.includes(member) && value.trim() === "") return;
      const path = http.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
        name === member ? encodeURIComponent(value) : "x",
      );
      const query = places.body.includes(member) ? "" : `?${member}=${encodeURIComponent(value)}`;
      const response = await send(
        http.method,
        places.path.includes(member) ? path : path + query,
        places.body.includes(member) ? { body: { [member]: value } } : {},
      );
      const { detail } = await response.json();
      expect([response.status, calls]).toEqual([422, []]);
      const [first = ""] = detail
        .map(({ loc }: { loc: string[] }) => loc.at(-1))
        .filter((at: string) => at === member);
      expect([operation.name, first]).toEqual([operation.name, member]);
    }),
    {
      numRuns: runs(300),
      examples: CASES.slice(0, 3).map((one) => [one, "None"]),
    },
  );
});

test("so is it in the headers that say who asks, though an empty one says nothing", async () => {
  for (const header of Object.values(CLAIM_HEADERS)) {
    for (const value of ["null", "None", "UNDEFINED", "n/a"]) {
      const answer = await send("GET", "/v1/memories", { headers: { [header]: value } });
      expect([header, answer.status, calls]).toEqual([header, 422, []]);
      expect((await answer.json()).detail[0].loc).toEqual(["header", header]);
    }
    expect((await send("GET", "/v1/memories", { headers: { [header]: "" } })).status).toBe(200);
    calls.length = 0;
  }
});

test("so is it in each operation of the skill runtime", async () => {
  for (const [name, { input }] of Object.entries(skillOperations)) {
    for (const member of namesIn(input)) {
      const body = { operation: name, input: { [member]: "None" } };
      const answer = await send("POST", "/v1/skill/operations", { body });
      expect([name, answer.status, calls]).toEqual([name, 422, []]);
      const places = (await answer.json()).detail.map(({ loc }: { loc: string[] }) => loc.join("."));
      expect(places).toContain(`body.input.${member}`);
    }
  }
});

test("what is no name keeps the words: content may be None", async () => {
  const answer = await send("POST", "/v1/remember", { body: { content: "None", path: "null" } });
  expect(answer.status).toBe(201);
  expect(calls[0]?.input).toMatchObject({ content: "None", path: "null" });
});
