import type { z } from "zod";
import type { Operation } from "../../../contract/operation.ts";
import { isForVisitors } from "../../../contract/operations.ts";
import { isNaming } from "../../../contract/primitives.ts";
import { memberPlaces } from "../../http/member-places.ts";
import { takesIdempotencyKey } from "../input.ts";
import { type Components, memberName, resolveReference } from "./components.ts";
import { exampleOf, kindBelow } from "./examples.ts";
import type { JsonSchema, Parameter, Reference } from "./open-api.ts";

const claim = (name: string, description: string): Parameter => ({
  name,
  in: "header",
  description: `${description} Attribution only: it is recorded and grants nothing.`,
  schema: { type: "string", maxLength: 256 },
});

/** Headers that every operation takes. Public operations take only the first. */
const COMMON: Readonly<Record<string, Parameter>> = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    description: "Comes back with the answer. One that is not 1 to 64 of `A-Za-z0-9._-` is replaced.",
    schema: { type: "string" },
  },
  ProjectId: {
    name: "X-Project-Id",
    in: "header",
    description: "The project the request is about; none where it is empty. Not `.` or `..`.",
    schema: { type: "string", pattern: "^[A-Za-z0-9._:-]{0,128}$" },
  },
  AgentId: claim("X-Agent-Id", "The agent that asks."),
  AgentName: claim("X-Agent-Name", "Its name for people."),
  AgentInstance: claim("X-Agent-Instance", "Which instance of it; only a hash is kept."),
  SessionId: claim("X-Session-Id", "The session it belongs to."),
  TaskId: claim("X-Task-Id", "The task it belongs to."),
};

const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "The same request with the same key is carried out once within 24 hours, and answered the same.",
  schema: { type: "string", pattern: "^[!-~]{1,255}$" },
};

/** The parameters that operations share, by component name. */
export const sharedParameters: Readonly<Record<string, Parameter>> = {
  ...COMMON,
  IdempotencyKey: IDEMPOTENCY_KEY,
};

/** Returns the parameters of an operation: its own, then the shared ones. */
export function parametersOf(
  operation: Operation,
  input: JsonSchema,
  components: Components,
): (Parameter | Reference)[] {
  const { path, query } = memberPlaces(operation);
  const member = (name: string): JsonSchema =>
    components.part(memberName(operation, name), input.properties?.[name] ?? {});
  const inQueryToo = operation.http.queryToo ?? [];
  const isRequired = (name: string) => input.required?.includes(name) === true && !inQueryToo.includes(name);
  const headers = Object.entries(operation.http.headers ?? {});
  // Requests without a credential are not attributed.
  const common = isForVisitors(operation) ? ["RequestId"] : Object.keys(COMMON);
  const shared = [...common, ...(takesIdempotencyKey(operation) ? ["IdempotencyKey"] : [])];
  const of = kindBelow(operation.http.path);
  const example = (name: string) =>
    exampleOf(member(name), (inner) => resolveReference(components.schemas, inner), { member: name, of });
  return [
    ...path.map(
      (name): Parameter => ({
        ...parameter(name, "path", member(name), true),
        example: example(name),
      }),
    ),
    ...query.map((name) => {
      // Keys, ids and names cannot be null.
      const isName = isNaming(operation.input.shape[name] as z.ZodType);
      return queryParameter(name, isName ? withoutNull(member(name)) : member(name), isRequired(name));
    }),
    ...headers.map(([name, header]) =>
      parameter(header, "header", withoutNull(member(name)), isRequired(name)),
    ),
    ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function parameter(name: string, place: Parameter["in"], schema: JsonSchema, required: boolean): Parameter {
  const { description, ...rest } = schema;
  const words = description ?? rest.anyOf?.find((branch) => branch.description)?.description;
  return {
    name,
    in: place,
    ...(required ? { required } : {}),
    ...(words ? { description: words } : {}),
    schema: rest,
  };
}

function queryParameter(name: string, schema: JsonSchema, required: boolean): Parameter {
  const record = [schema, ...(schema.anyOf ?? [])].find((branch) => branch.type === "object");
  if (!record) {
    // In a query string an empty value means null.
    const isNullable = schema.anyOf?.some(({ type }) => type === "null") === true;
    return {
      ...parameter(name, "query", schema, required),
      ...(isNullable ? { allowEmptyValue: true } : {}),
    };
  }
  // A form-exploded object is serialised by member: metadata.topic=deploy&metadata.area=ops.
  return {
    ...parameter(name, "query", schema, false),
    style: "form",
    explode: true,
    schema: {
      type: "object",
      propertyNames: { pattern: `^${name}\\..{1,256}$` },
      additionalProperties: record.additionalProperties ?? true,
      examples: [{ [`${name}.topic`]: "deploy" }],
    },
  };
}

/** Returns the schema of a parameter that may be absent but not null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const branches = anyOf?.filter(({ type }) => type !== "null");
  if (!branches) return schema;
  return branches.length === 1 ? { ...branches[0], ...rest } : { ...rest, anyOf: branches };
}
