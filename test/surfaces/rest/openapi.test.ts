import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { problemBody } from "../../../src/contract/error.ts";
import { operationList } from "../../../src/contract/operations.ts";
import { Components } from "../../../src/surfaces/rest/openapi/components.ts";
import type { OpenApi, OpenApiOperation, Parameter } from "../../../src/surfaces/rest/openapi/open-api.ts";
import { world } from "./world.ts";

async function served(): Promise<OpenApi> {
  const response = await world().send("GET", "/openapi.json", { key: null });
  expect(response.headers.get("content-type")).toBe("application/json");
  return response.json();
}

const document = await served();
const operations: [string, string, OpenApiOperation][] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, OpenApiOperation] => [
      method,
      path,
      operation,
    ]),
);

/** Every value in a document with the way to it. */
function* walk(value: unknown, at = "#"): Generator<[string, unknown]> {
  yield [at, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    yield* walk(member, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  }
}

const everything = new Map(walk(document));

/** True where the place is a schema, not a value that happens to look like one. */
const isSchema = (at: string) => !/\/(?:example|examples|default|enum|const)\//.test(at);

test("every reference leads somewhere", () => {
  const references = [...everything].filter(([at]) => at.endsWith("/$ref"));
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter(([, target]) => !everything.has(target as string))).toEqual([]);
});

test("nothing but OpenAPI's own places refer to definitions of zod's", () => {
  expect(JSON.stringify(document)).not.toMatch(/\$defs|\$schema|~standard/);
});

test("every type is one of JSON Schema's", () => {
  const known = ["string", "integer", "number", "boolean", "object", "array", "null"];
  const types = [...everything].filter(
    ([at]) => isSchema(at) && at.endsWith("/type") && at.includes("chema"),
  );
  const odd = types.filter(([at]) => !at.includes("/properties/type") && !at.includes("securitySchemes"));
  expect(odd.flatMap(([, type]) => type).filter((type) => !known.includes(type as string))).toEqual([]);
});

test("required members exist, and patterns compile", () => {
  for (const [at, value] of everything) {
    const { required, properties, pattern } = (value ?? {}) as {
      required?: unknown;
      properties?: object;
      pattern?: unknown;
    };
    if (isSchema(at) && Array.isArray(required)) {
      expect(Object.keys(properties ?? {}), at).toEqual(expect.arrayContaining(required));
    }
    if (typeof pattern === "string") expect(() => new RegExp(pattern, "u"), at).not.toThrow();
  }
});

test("every operation has an id of its own, a tag that is described, and a summary", () => {
  const ids = operations.map(([, , { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = document.tags.map(({ name }) => name);
  for (const [, , operation] of operations) {
    expect(tags).toEqual(expect.arrayContaining([...operation.tags]));
    expect(operation.summary).not.toBe("");
  }
  expect(ids).toEqual(expect.arrayContaining(operationList.map(({ name }) => name)));
});

const parameterOf = (parameter: Parameter | { $ref: string }): Parameter =>
  "$ref" in parameter ? (everything.get(parameter.$ref) as Parameter) : parameter;

describe.each(operations)("%s %s", (method, path, operation) => {
  const parameters = (operation.parameters ?? []).map(parameterOf);

  test("declares each parameter once, and those of the path", () => {
    const places = parameters.map(({ name, in: place }) => `${place} ${name.toLowerCase()}`);
    expect(new Set(places).size).toBe(places.length);
    const inPath = parameters.filter((parameter) => parameter.in === "path");
    expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(inPath.every(({ required }) => required === true)).toBe(true);
  });

  test("has a body only where HTTP gives it a meaning", () => {
    expect(operation.requestBody !== undefined && ["get", "delete"].includes(method)).toBe(false);
  });

  test("declares the refusals of every operation in both representations", () => {
    if (!path.startsWith("/v1/")) return;
    for (const status of ["401", "403", "422", "429", "500", "503"]) {
      expect(Object.keys(operation.responses[status]?.content ?? {})).toEqual([
        "application/json",
        "application/problem+json",
      ]);
      expect(operation.responses[status]?.headers).toHaveProperty("X-Request-Id");
    }
    // What needs no credential is attributed to nobody.
    const claims = operation.security === undefined ? ["X-Project-Id", "X-Agent-Id"] : [];
    expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining([...claims, "X-Request-Id"]));
  });

  test("gives an example that the service accepts", async () => {
    const example = operation.requestBody?.content["application/json"]?.example;
    if (example === undefined) return;
    const kind = operationList.find(({ name }) => name === operation.operationId)?.kinds?.[0];
    const { calls, send } = world(kind ? { kind } : {});
    const target = path.replace(/\{(\w+)\}/g, (_, name) =>
      String(parameters.find((p) => p.name === name)?.example),
    );
    const response = await send(method.toUpperCase(), target, { body: example as object });
    expect([response.status, calls.length]).toEqual([Number(Object.keys(operation.responses)[0]), 1]);
  });
});

test("names what clients are told about by name", () => {
  const { schemas } = document.components;
  for (const name of [
    "MemoryRememberRequest",
    "MemoryStoreRequest",
    "MemoryUpdateRequest",
    "MemoryForgetRequest",
    "RecallContextRequest",
  ]) {
    expect(schemas).toHaveProperty(name);
  }
  expect(Object.keys(schemas.MemoryUpdateRequest?.properties ?? {})).not.toContain("memory_id");
  expect(schemas.MemoryRememberRequest).toMatchObject({
    required: ["content", "path"],
    properties: {
      dedupe: { type: "boolean", description: expect.stringMatching(/\. Default: `true`$/) },
      bucket: { description: expect.stringMatching(/Default: `"public"`$/) },
    },
  });
});

test("no member of a body has a default that a generator would take for a member that must be sent", () => {
  const bodies = operations.flatMap(([, , { requestBody }]) =>
    requestBody ? [requestBody.content["application/json"]?.schema.$ref ?? "inline"] : [],
  );
  expect(bodies).not.toContain("inline");
  for (const reference of bodies) {
    const { properties = {} } = everything.get(reference) as { properties?: Record<string, object> };
    expect(Object.entries(properties).filter(([, member]) => "default" in member)).toEqual([]);
  }
});

test("every object and every enumeration is a component with a name", () => {
  const component = /^#\/components\/schemas\/[^/]+$/;
  const unnamed = [...everything].filter(([at, value]) => {
    const { properties, enum: values } = (value ?? {}) as { properties?: unknown; enum?: unknown[] };
    const isPart = !component.test(at) && isSchema(at);
    return isPart && (Array.isArray(values) ? values.length > 1 : typeof properties === "object");
  });
  expect(unnamed.map(([at]) => at).filter((at) => !at.endsWith("/properties"))).toEqual([]);
});

test("no enumeration has two names, and no name is a number", () => {
  const names = new Map<string, string[]>();
  for (const [name, { enum: values }] of Object.entries(document.components.schemas)) {
    if (values) names.set(values.join(), [...(names.get(values.join()) ?? []), name]);
  }
  expect([...names.values()].filter((shared) => shared.length > 1)).toEqual([]);
  expect(Object.keys(document.components.schemas).filter((name) => /\d$/.test(name))).toEqual([]);
});

test("metadata filters are parameters of their own spelling", () => {
  const search = document.paths["/v1/memories/search"]?.get;
  const metadata = search?.parameters?.map(parameterOf).find(({ name }) => name === "metadata");
  expect(metadata).toMatchObject({ in: "query", style: "form", explode: true, schema: { type: "object" } });
});

test("If-Match and ETag are declared where they work", () => {
  const item = document.paths["/v1/memories/{memory_id}"];
  const names = (operation: OpenApiOperation | undefined) =>
    operation?.parameters?.map((p) => parameterOf(p).name);
  expect(names(item?.patch)).toContain("If-Match");
  expect(names(item?.get)).not.toContain("If-Match");
  expect(item?.get?.responses["200"]?.headers).toHaveProperty("ETag");
});

test("what rate limits say is declared on every operation, refused or not", () => {
  const headers = ["Limit", "Remaining", "Reset", "Policy"].map((name) => `X-RateLimit-${name}`);
  for (const [, path, { responses, description }] of operations) {
    if (!path.startsWith("/v1/")) continue;
    const success = Object.keys(responses)[0] as string;
    expect(Object.keys(responses[success]?.headers ?? {}), path).toEqual(expect.arrayContaining(headers));
    expect(Object.keys(responses["429"]?.headers ?? {})).toEqual(
      expect.arrayContaining([...headers, "Retry-After"]),
    );
    expect(responses["429"]?.content?.["application/json"]?.schema).toEqual({
      $ref: "#/components/schemas/RateLimitError",
    });
    if (!description?.startsWith("The same operation")) expect(description).toContain("Rate limit: `data`");
  }
});

test("what needs no credential says so, and takes one", () => {
  const free = operations.filter(([, , { security }]) =>
    security?.some((one) => Object.keys(one).length === 0),
  );
  expect(free.map(([method, path]) => `${method} ${path}`)).toEqual([
    "post /v1/agents/register",
    "get /v1/erasures/{erasure_id}",
  ]);
  for (const [, , { security }] of free) expect(security).toEqual([{}, { ApiKey: [] }, { Bearer: [] }]);
});

test("what may be in the query or in the body is declared in both, and required in neither", () => {
  const confirm = document.paths["/v1/agents/bind/confirm-current-user"]?.post;
  const inQuery = confirm?.parameters?.map(parameterOf).find(({ name }) => name === "confirmation_token");
  expect(inQuery).toMatchObject({ in: "query" });
  expect(inQuery?.required).toBeUndefined();
  expect(confirm?.requestBody?.required).toBe(false);
  expect(document.components.schemas.AgentBindConfirmRequest?.required).toBeUndefined();
  expect(confirm?.description).toContain("Credential: `agent_temporary`.");
});

test("Idempotency-Key is declared for POSTs that write, but not for those that cannot be repeated", () => {
  const takes = operations.filter(([, , operation]) =>
    operation.parameters?.some((parameter) => parameterOf(parameter).name === "Idempotency-Key"),
  );
  expect(takes.map(([method, path]) => `${method} ${path}`).sort()).toEqual([
    "post /v1/conversations",
    "post /v1/ledger/expenses",
    "post /v1/memories",
    "post /v1/memories/batch",
    "post /v1/memories/delete",
    "post /v1/memories/{memory_id}/forget",
    "post /v1/memories/{memory_id}/restore",
    "post /v1/projects/{project_id}/decisions",
    "post /v1/projects/{project_id}/decisions/{decision_id}/reopen",
    "post /v1/projects/{project_id}/decisions/{decision_id}/resolve",
    "post /v1/projects/{project_id}/decisions/{decision_id}/restore",
    "post /v1/projects/{project_id}/decisions/{decision_id}/supersede",
    "post /v1/projects/{project_id}/maintenance/execute",
    "post /v1/projects/{project_id}/maintenance/runs/{run_id}/undo",
    "post /v1/projects/{project_id}/todos",
    "post /v1/projects/{project_id}/todos/{todo_id}/accept",
    "post /v1/projects/{project_id}/todos/{todo_id}/assign",
    "post /v1/projects/{project_id}/todos/{todo_id}/block",
    "post /v1/projects/{project_id}/todos/{todo_id}/cancel",
    "post /v1/projects/{project_id}/todos/{todo_id}/complete",
    "post /v1/projects/{project_id}/todos/{todo_id}/restore",
    "post /v1/projects/{project_id}/todos/{todo_id}/unblock",
    "post /v1/recall/feedback",
    "post /v1/remember",
    "post /v1/reminders/{reminder_id}/complete",
    "post /v1/skill/operations",
    "post /v1/webhooks/{webhook_id}/redeliver",
  ]);
});

test("a schema that occurs often is written once, or the document takes the processor for a second", () => {
  const components = new Components();
  const [problem, again] = [1, 2].map(() => components.write(problemBody, "output"));
  expect(again).toBe(problem);
  expect(components.write(problemBody, "input")).not.toBe(problem);
});

/** The operations that are of the contract, with what the document says of each. */
const contracted = operations.flatMap(([, , described]) => {
  const operation = operationList.find(({ name }) => name === described.operationId);
  return operation ? [[described.operationId, operation, described] as const] : [];
});

describe.each(contracted)("what is shown of %s", (_, operation, described) => {
  const sampleOf = (label: string) =>
    described["x-codeSamples"]?.find((sample) => sample.label === label)?.source ?? "";

  test("is a request in every way in, and the input is one that the operation takes", () => {
    const labels = ["curl", "TypeScript", "Python", ...(operation.mcp ? ["MCP"] : [])];
    expect(described["x-codeSamples"]?.map(({ label }) => label)).toEqual(labels);
    expect(sampleOf("TypeScript")).toContain(`client.${operation.name}(`);
    const written = /client\.\w+\((\{[\s\S]*\})\);$/.exec(sampleOf("TypeScript"))?.[1] ?? "";
    const input = JSON.parse(written) as unknown;
    expect(operation.input.safeParse(input).error?.issues).toBeUndefined();
    if (operation.mcp)
      expect(JSON.parse(sampleOf("MCP"))).toMatchObject({
        params: { name: operation.mcp.tool, arguments: input },
      });
  });

  test("is a command that a shell takes", () => {
    expect(spawnSync("sh", ["-n"], { input: sampleOf("curl"), encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
  });

  test("is an answer that the operation may give", () => {
    const { example } =
      described.responses[String(operation.http.status)]?.content?.["application/json"] ?? {};
    expect(operation.output.safeParse(example).error?.issues).toBeUndefined();
  });
});

test("all programs in Python are programs in Python", () => {
  const sources = contracted.map(
    ([, , described]) => described["x-codeSamples"]?.find(({ lang }) => lang === "Python")?.source,
  );
  const check = "import ast, json, sys\nfor one in json.load(sys.stdin): ast.parse(one)";
  const { status, stderr } = spawnSync("python3", ["-c", check], {
    input: JSON.stringify(sources),
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});

/** The form of each kind of id: what the service makes, or what a caller would choose. */
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ANY_ID = /^(?:evt_[\w-]{22}|(?:agent_)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const FORMS: Readonly<Record<string, RegExp>> = {
  agent_id: /^agent_[0-9a-f-]{36}$/,
  receipt_id: UUID_V4,
  project_id: /^apollo$/,
  user_id: /^ada$/,
  session_id: /^[a-z][a-z0-9-]+$/,
};
const formOf = (member: string) =>
  Object.entries(FORMS).find(([name]) => member.endsWith(name))?.[1] ?? UUID_V7;

describe("of the examples", () => {
  const examples = operations.flatMap(([method, path, operation]) => {
    const { requestBody, responses, parameters = [] } = operation;
    const answered = Object.entries(responses)
      .filter(([status]) => status.startsWith("2"))
      .map(([, { content }]) => content?.["application/json"]?.example);
    const given = Object.fromEntries(
      (parameters as Parameter[])
        .filter(({ example }) => example !== undefined)
        .map(({ name, example }) => [name, example]),
    );
    const values = [given, requestBody?.content["application/json"]?.example, ...answered];
    return [{ name: `${method} ${path}`, given, values, members: values.flatMap((one) => [...walk(one)]) }];
  });
  const textsIn = (members: readonly [string, unknown][]) =>
    members.flatMap(([at, value]) => {
      const member = at.split("/").findLast((part) => !/^\d+$/.test(part)) ?? "";
      return typeof value === "string" ? [[member, value, at] as const] : [];
    });

  test.each(examples)("$name: each id has the form of its kind", ({ members }) => {
    for (const [member, value] of textsIn(members)) {
      expect(value).not.toBe("mem-1");
      if (member === "id") expect(value).toMatch(ANY_ID);
      if (/_id$/.test(member) && member !== "request_id")
        expect({ member, value }).toEqual({ member, value: expect.stringMatching(formOf(member)) });
    }
  });

  test.each(examples)("$name: what the path names is what the answer is of", ({ given, values }) => {
    const [, , answer] = values as [unknown, unknown, Record<string, unknown> | undefined];
    for (const [name, value] of Object.entries(given)) {
      const told = answer?.[name] ?? (Object.keys(given).at(-1) === name ? answer?.id : undefined);
      if (typeof told === "string") expect({ name, told }).toEqual({ name, told: value });
    }
  });

  test.each(examples)("$name: nothing refers to itself, and times are in their order", ({ members }) => {
    for (const [, value] of members) {
      if (typeof value !== "object" || value === null) continue;
      const one = value as Record<string, unknown>;
      const own = one.todo_id ?? one.decision_id ?? one.id;
      for (const other of [one.superseded_by, one.supersedes, one.depends_on].flat())
        if (typeof other === "string") expect(other).not.toBe(own);
      const times = ["created_at", "updated_at", "completed_at", "expires_at"].flatMap((name) =>
        typeof one[name] === "string" ? [one[name] as string] : [],
      );
      expect(times).toEqual(times.toSorted());
    }
  });
});
