import { KINDS_BY_METHOD, type OperationKind } from "../../../src/client/operation-table.ts";
import type { Operation } from "../../../src/contract/operation.ts";
import { operationGroups, operationList } from "../../../src/contract/operations.ts";
import { takesIdempotencyKey } from "../../../src/surfaces/rest/input.ts";
import { nameOf } from "../../../src/surfaces/rest/openapi/components.ts";
import { openApiDocument } from "../../../src/surfaces/rest/openapi/document.ts";
import type {
  JsonSchema,
  OpenApi,
  OpenApiOperation,
  Parameter,
} from "../../../src/surfaces/rest/openapi/open-api.ts";
import { doc, membersOf, type Refer, typeOf } from "./type-of.ts";

const HEAD = "// Made from the contract by `npm run client:types`. Do not edit.\n\n";

/** By path, whatever order modules come in: neighbours then look alike, which compresses well. */
const ordered = [...operationList].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));

function placeOf({ http: { path, method } }: Operation): string {
  return `${path} ${method}`;
}

/** What a program names though no operation answers it as a whole. */
const ALWAYS = ["ErrorCode", "ValidationIssue"];

/** The types of everything that is sent and answered, and of all operations by name. */
export function writeTypes(): string {
  const document = openApiDocument(operationGroups);
  const wanted = new Set<string>(ALWAYS);
  const refer: Refer = (name) => void wanted.add(name);
  const operations = ordered.map((operation) => operationType(document, operation, refer)).join("");
  const components: string[] = [];
  // The set grows while it is gone through: what is referred to is written as well.
  for (const name of wanted) components.push(component(name, document.components.schemas[name], refer));
  return `${HEAD}${components.sort().join("\n")}\n/** What is sent and answered, by operation. */\nexport interface Operations {\n${operations}}\n`;
}

function component(name: string, schema: JsonSchema | undefined, refer: Refer): string {
  if (!schema) throw new Error(`The document has no component ${name}.`);
  const comment = doc([schema.description ?? ""]).trimStart();
  if (schema.properties) return `${comment}export interface ${name} {\n${membersOf(schema, refer)}}\n`;
  return `${comment}export type ${name} = ${typeOf(schema, refer)};\n`;
}

function operationType(document: OpenApi, operation: Operation, refer: Refer): string {
  const described = descriptionOf(document, operation);
  const success = described.responses[String(operation.http.status)];
  const answer = typeOf(success?.content?.["application/json"]?.schema ?? {}, refer);
  const comment = doc([`${operation.summary}.`, operation.description ?? "", scopesOf(operation)]);
  return `${comment}${operation.name}: { input: ${inputType(operation, described, refer)}; answer: ${answer} };\n`;
}

function descriptionOf(document: OpenApi, { http: { method, path } }: Operation): OpenApiOperation {
  const described = document.paths[path]?.[method.toLowerCase()];
  if (!described) throw new Error(`The document has no ${method} ${path}.`);
  return described;
}

function scopesOf({ scopes }: Operation): string {
  return scopes.length === 0 ? "" : `Scope: ${scopes.map((scope) => `\`${scope}\``).join(" or ")}.`;
}

/** Members of the path, the query and headers, and the body's. */
function inputType(operation: Operation, described: OpenApiOperation, refer: Refer): string {
  const parameters = (described.parameters ?? []).filter((given): given is Parameter => !("$ref" in given));
  const body = described.requestBody?.content["application/json"]?.schema;
  const inBody = new Set(operation.http.queryToo ?? []);
  const own = parameters.filter(({ name, in: place }) => place !== "query" || !body || !inBody.has(name));
  const properties = Object.fromEntries(own.map((given) => [memberOf(operation, given), schemaOf(given)]));
  const required = own.filter((given) => given.required).map((given) => memberOf(operation, given));
  const parts = [
    ...(own.length > 0 ? [`{${membersOf({ properties, required }, refer)}}`] : []),
    ...(body ? [bodyType(operation, body, refer)] : []),
  ];
  return parts.length === 0 ? "Record<never, never>" : parts.join(" & ");
}

/** A header by the member that it carries. */
function memberOf({ http }: Operation, { name, in: place }: Parameter): string {
  if (place !== "header") return name;
  const [member] = Object.entries(http.headers ?? {}).find(([, header]) => header === name) ?? [];
  if (member === undefined) throw new Error(`No member is carried by ${name}.`);
  return member;
}

/**
 * The keys of an exploded object are written with its name before them; in the input they are its own. The client leaves
 * null out of a query, so that it stands for a member that is not given.
 */
function schemaOf({ schema, in: place, style, required, description }: Parameter): JsonSchema {
  const { propertyNames: _, ...rest } = schema;
  const own = style === "form" ? rest : schema;
  const isNullable = own.anyOf?.some(({ type }) => type === "null") === true;
  const member = place !== "query" || required || isNullable ? own : { anyOf: [own, { type: "null" }] };
  return { ...member, ...(description === undefined ? {} : { description }) };
}

/** A list of requests of their own has their type, which the document leaves open: each is refused on its own. */
function bodyType({ each }: Operation, body: JsonSchema, refer: Refer): string {
  const item = each?.item.meta()?.id;
  if (each === undefined || item === undefined) return typeOf(body, refer);
  refer(item);
  const name = body.$ref === undefined ? "" : nameOf(body.$ref);
  refer(name);
  return `Omit<${name}, "${each.member}"> & { ${each.member}: Array<${item}> }`;
}

/** How each operation is reached, and what may be done with it again. */
export function writeTable(): string {
  const headers = Object.assign({}, ...ordered.map(({ http }) => http.headers ?? {}));
  return `${HEAD}import type { OperationTree } from "./operation-table.ts";

/** Below /v1. */
export const OPERATIONS: OperationTree = ${JSON.stringify(tree())};

/** Members that are sent as headers. */
export const HEADER_MEMBERS: Readonly<Record<string, string>> = ${JSON.stringify(headers)};\n`;
}

interface Tree {
  [segmentOrMethod: string]: Tree | string;
}

function tree(): Tree {
  const root: Tree = {};
  for (const operation of ordered) {
    let node = root;
    for (const segment of operation.http.path.replace(/^\/v1\//, "").split("/")) {
      node[segment] ??= {};
      node = node[segment] as Tree;
    }
    node[operation.http.method] = entryOf(operation);
  }
  return root;
}

/** The kind is said where it does not follow from the method. */
function entryOf(operation: Operation): string {
  const kind = kindOf(operation);
  return kind === KINDS_BY_METHOD[operation.http.method] ? operation.name : `${operation.name} ${kind}`;
}

function kindOf(operation: Operation): OperationKind {
  if (operation.effect === "read") return "read";
  if (takesIdempotencyKey(operation)) return "keyed";
  return operation.unrepeatable ? "once" : "same";
}
