import { z } from "zod";
import { DISCOVERY_PATHS, discoveryDocument } from "../../../contract/discovery.ts";
import type { ErrorCode } from "../../../contract/error.ts";
import { commonErrors, type Operation } from "../../../contract/operation.ts";
import { isForVisitors, type OperationGroup } from "../../../contract/operations.ts";
import { SERVICE_NAME, SERVICE_VERSION } from "../../../contract/service.ts";
import { EVENT_STREAM } from "../../http/event-stream.ts";
import { JSON_LINES } from "../../http/media-type.ts";
import { memberPlaces } from "../../http/member-places.ts";
import { codeSamplesOf } from "./code-samples.ts";
import { Components, requestName } from "./components.ts";
import { errorResponses, RATE_LIMIT_HEADERS } from "./errors.ts";
import { exampleOf, kindBelow } from "./examples.ts";
import type {
  Header,
  JsonSchema,
  OpenApi,
  OpenApiOperation,
  OpenApiResponse,
  Reference,
  RequestBody,
} from "./open-api.ts";
import { parametersOf, sharedParameters } from "./parameters.ts";

const DESCRIPTION = `The memory service for AI agents: remember, recall and hand work over.

Send a key as \`X-API-Key\` or \`Authorization: Bearer\`. Bodies are JSON in UTF-8, at most 1 MiB. Every answer carries
\`X-Request-Id\`.

An error has a machine code in \`code\`; with \`Accept: application/problem+json\` it is a problem document. The \`Link\` header
with \`rel="help"\` leads to the page that explains the code: what causes it and what to do. What a credential may not see is
answered with 404. If a member that an operation does not know looks like a misspelt one, the request is refused (422);
other unknown members are ignored and named in \`X-Recollect-Ignored\`, with what was probably meant.

If rate limits are on, every answer to an authenticated request carries \`X-RateLimit-*\` headers, which describe the category
with the least left. A request counts in \`data\` and in the category of its operation, whether it succeeds or not.`;

const HEADERS: Readonly<Record<string, Header>> = {
  "X-Request-Id": { description: "Identifies this request.", schema: { type: "string" } },
  "Cache-Control": {
    description: "Answers are for the caller only and must not be shared.",
    schema: { type: "string" },
  },
  ETag: { description: "The version that was returned, for `If-Match`.", schema: { type: "string" } },
  Link: {
    description: 'The page that explains the error code and what to do: `<…/docs/errors#CODE>; rel="help"`.',
    schema: { type: "string" },
  },
  Allow: { description: "The methods allowed at this address.", schema: { type: "string" } },
  "Retry-After": { description: "Seconds to wait before trying again.", schema: { type: "integer" } },
  "X-RateLimit-Limit": { description: "Requests allowed in each window.", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Requests left in this window.", schema: { type: "integer" } },
  "X-RateLimit-Reset": {
    description: "When the next window begins, in seconds since the epoch.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Policy": {
    description: "The category, its window in seconds and its limit, such as `read;w=60;q=300`.",
    schema: { type: "string" },
  },
  "X-Recollect-Next-Cursor": {
    description: "Only if the list goes on: send it as `cursor`.",
    schema: { type: "string" },
  },
  "X-Recollect-Ignored": {
    description:
      "Members of the request that were ignored: up to ten names, with what was probably meant, then the number of the others, such as `mood, contnet (did you mean content?), +3`.",

    schema: { type: "string" },
  },
  "WWW-Authenticate": { description: "How to authenticate.", schema: { type: "string" } },
};

/** Some runtimes answer this before the application runs, so it lacks the headers and body of other answers. */
const HEAD_TOO_LARGE: OpenApiResponse = {
  description: "The request line and headers together are larger than 128 KiB. No body.",
};

/** OpenAPI 3.1 cannot describe the parts of a stream. */
const STREAM = {
  schema: {
    type: "string",
    description:
      "Server-sent events: `id` is the event's id, `data` the event as JSON. A block without `data` only reports the stream's position.",
  },
  example:
    'id: evt_AAAAAAAAAAAAAAAAAAAAAA\ndata: {"id":"evt_AAAAAAAAAAAAAAAAAAAAAA","type":"memory.created"}\n\n',
} as const;

/** OpenAPI 3.1 cannot describe the lines of a text either. */
const LINES = {
  schema: { type: "string", description: "JSON Lines: an object in each line." },
  example: '{"kind":"memory","memory_id":"deploy-day","owner":{"kind":"end_user","name":"ada"}}\n',
} as const;

/** Builds the OpenAPI 3.1 document of these operations. Everything in it is derived from them. */
export function openApiDocument(groups: readonly OperationGroup[]): OpenApi {
  const components = new Components();
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  const add = (path: string, method: string, described: OpenApiOperation) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  };
  for (const { title, operations } of groups) {
    for (const operation of [...operations].sort(byPath)) {
      const described = describe(operation, title, components);
      const { path, method, aliases = [] } = operation.http;
      add(path, method, described);
      for (const alias of aliases) {
        const description = `The same operation as \`${method} ${path}\`.`;
        const summary = `${operation.summary} (alias)`;
        add(alias, method, { ...described, operationId: `${operation.name}Alias`, summary, description });
      }
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: SERVICE_NAME,
      version: SERVICE_VERSION,
      summary: "The memory service for AI agents",
      description: DESCRIPTION,
    },
    servers: [{ url: "/", description: "The server that serves this document" }],
    tags: [...groups.map(({ title, description }) => ({ name: title, description })), probeTag],
    security: [{ ApiKey: [] }, { Bearer: [] }],
    paths: { ...paths, ...probePaths(components) },
    components: {
      schemas: components.schemas,
      parameters: sharedParameters,
      headers: HEADERS,
      securitySchemes: {
        ApiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "An API key" },
        Bearer: { type: "http", scheme: "bearer", description: "An API key or an access token" },
      },
    },
  };
}

/** Sorts short paths first, since the most important operations have the shortest. */
function byPath({ http: a }: Operation, { http: b }: Operation): number {
  const depth = (path: string) => path.split("/").length;
  return (
    depth(a.path) - depth(b.path) ||
    a.path.localeCompare(b.path, "en") ||
    a.method.localeCompare(b.method, "en")
  );
}

function describe(operation: Operation, tag: string, components: Components): OpenApiOperation {
  const input = components.resolve(inputOf(operation, components));
  const body = bodyOf(operation, input, components);
  const { http, scopes } = operation;
  const forVisitors = isForVisitors(operation);
  const isInQuery = memberPlaces(operation).query.length > 0;
  const output = outputOf(operation, components);
  const answered = {
    schema: output,
    example: exampleOf(output, (inner) => components.resolve(inner), placeOf(operation)),
  };
  const queryErrors: readonly ErrorCode[] = isInQuery ? ["payload_too_large"] : [];
  return {
    operationId: operation.name,
    tags: [tag],
    summary: operation.summary,
    description: [operation.description, ...whoMayCall(operation), rateOf(operation)]
      .filter((part) => part !== undefined)
      .join("\n\n"),
    // The empty requirement makes the credential optional.
    ...(forVisitors ? { security: [{}, { ApiKey: [] }, { Bearer: [] }] } : {}),
    parameters: parametersOf(operation, input, components),
    ...(body ? { requestBody: body } : {}),
    responses: {
      [String(http.status)]: {
        description: http.status === 201 ? "It is stored" : "It is done",
        headers: headersOf([
          ...(http.etag === undefined ? [] : ["ETag"]),
          ...(operation.output.type === "array" && "cursor" in operation.input.shape
            ? ["X-Recollect-Next-Cursor"]
            : []),
          ...RATE_LIMIT_HEADERS,
          "X-Recollect-Ignored",
        ]),
        content: {
          "application/json": answered,
          ...(http.lines ? { [JSON_LINES]: LINES } : {}),
          ...(http.isStream ? { [EVENT_STREAM]: STREAM } : {}),
        },
      },
      ...errorResponses(components, [...commonErrors, ...operation.errors, ...queryErrors], headersOf),
      ...(isInQuery ? { "431": HEAD_TOO_LARGE } : {}),
    },
    "x-scopes": scopes,
    "x-codeSamples": codeSamplesOf(operation, exampleInputOf(operation, input, components)),
  };
}

/** Describes the required kind and scopes of a credential. */
function whoMayCall(operation: Operation): string[] {
  const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(" or ");
  const { kinds, scopes } = operation;
  return [
    ...(isForVisitors(operation) ? ["No credential is needed."] : []),
    ...(kinds ? [`Credential: ${listed(kinds)}.`] : []),
    ...(scopes.length > 0 ? [`Scope: ${listed(scopes)}.`] : []),
  ];
}

function rateOf({ rate }: Operation): string {
  return `Rate limit: \`data\`${rate === null ? "" : ` and \`${rate}\``}.`;
}

function headersOf(names: readonly string[]): Record<string, Reference> {
  return referencesTo([...names, "X-Request-Id", "Cache-Control"]);
}

function probeHeadersOf(names: readonly string[]): Record<string, Reference> {
  return referencesTo([...names, "X-Request-Id"]);
}

function referencesTo(headers: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the schema of the whole input. In the document its members are spread over path, query, headers and body. */
function inputOf(operation: Operation, components: Components): JsonSchema {
  const id = operation.input.meta()?.id;
  const parts = new Components();
  const schema = parts.resolve(parts.write(operation.input, "input"));
  for (const [name, definition] of Object.entries(parts.schemas))
    if (name !== id) components.name(name, definition);
  return schema;
}

function bodyOf(operation: Operation, input: JsonSchema, components: Components): RequestBody | null {
  const { body } = memberPlaces(operation);
  if (body.length === 0) return null;
  const inQueryToo = operation.http.queryToo ?? [];
  const shown = (input.required ?? []).filter((name) => body.includes(name));
  const required = shown.filter((name) => !inQueryToo.includes(name));
  const properties = Object.fromEntries(body.map((name) => [name, input.properties?.[name] ?? {}]));
  const { required: _, ...rest } = input;
  const schema = components.name(requestName(operation), {
    ...rest,
    properties: defaultsInWords(properties),
    ...(required.length > 0 ? { required } : {}),
  });
  const resolve = (inner: JsonSchema) => components.resolve(inner);
  const example = exampleOf({ ...rest, properties, required: shown }, resolve, placeOf(operation));
  return { required: required.length > 0, content: { "application/json": { schema, example } } };
}

/** Returns the place at which an operation's examples begin. */
function placeOf({ http }: Operation) {
  return { member: "", of: kindBelow(http.path) };
}

/** Returns a minimal example input: path parameters, required members, and the body's example members. */
function exampleInputOf(
  operation: Operation,
  input: JsonSchema,
  components: Components,
): Readonly<Record<string, unknown>> {
  const { path, body } = memberPlaces(operation);
  const { properties = {}, required = [] } = input;
  const resolve = (inner: JsonSchema) => components.resolve(inner);
  const shown = [...new Set([...path, ...required])].filter((name) => !body.includes(name));
  const ofBody = {
    type: "object",
    properties: Object.fromEntries(body.map((name) => [name, properties[name] ?? {}])),
  };
  return {
    ...Object.fromEntries(
      shown.map((name) => [
        name,
        exampleOf(properties[name] ?? {}, resolve, { ...placeOf(operation), member: name }),
      ]),
    ),
    ...(body.length === 0
      ? {}
      : (exampleOf(
          { ...ofBody, required: required.filter((name) => body.includes(name)) },
          resolve,
          placeOf(operation),
        ) as object)),
  };
}

/**
 * Moves defaults into the descriptions. Type generators make a member with a default always present, which holds for
 * answers but not for requests.
 */
function defaultsInWords(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { default: fallback, ...schema }]) => {
      if (fallback === undefined) return [name, schema];
      const words = `Default: \`${JSON.stringify(fallback)}\``;
      return [
        name,
        { ...schema, description: schema.description ? `${schema.description}. ${words}` : words },
      ];
    }),
  );
}

function outputOf(operation: Operation, components: Components): JsonSchema {
  const schema = components.write(operation.output, "output");
  if (schema.$ref) return schema;
  return components.name(`${capitalised(operation.name)}Answer`, schema);
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const probeTag = {
  name: "Service",
  description: "Whether the service is there. No credential is needed.",
};

const health = z.object({ status: z.literal("ok"), version: z.string() }).meta({ id: "Health" });
const ready = z
  .object({
    status: z.literal("ready"),
    dependencies: z.record(z.string(), z.boolean()).describe("All of them: whether each is as it should be"),
    degraded: z
      .record(z.string(), z.string())
      .describe("What is not as it should be though the service goes on without it, and why"),
  })
  .meta({ id: "Readiness" });

/** Paths for load balancers (health) and for agents (discovery). */
function probePaths(components: Components): Record<string, Record<string, OpenApiOperation>> {
  const probe = (
    operationId: string,
    summary: string,
    schema: z.ZodType,
    description: string,
  ): OpenApiOperation => ({
    operationId,
    tags: [probeTag.name],
    summary,
    security: [],
    responses: {
      "200": {
        description,
        headers: probeHeadersOf([]),
        content: { "application/json": { schema: components.write(schema, "output") } },
      },
    },
  });
  const isReady = probe("getReadiness", "How what it stands on is", ready, "All that it needs is there");
  const responses = {
    ...isReady.responses,
    ...errorResponses(components, ["dependency_unavailable"], probeHeadersOf),
  };
  const discovery = (operationId: string) =>
    probe(
      operationId,
      "What an agent must know before it has a credential",
      discoveryDocument,
      "What is so of this deployment",
    );
  return {
    [DISCOVERY_PATHS[0]]: { get: discovery("getAgentDiscovery") },
    [DISCOVERY_PATHS[1]]: { get: discovery("getServiceDiscovery") },
    "/healthz": { get: probe("getHealth", "Whether the process runs", health, "It does") },
    "/readyz": { get: { ...isReady, responses } },
  };
}
