import { z } from "zod";
import { agentStatuses, scopeName, scopeNameAmong } from "../../../contract/agent.ts";
import { tokenKind } from "../../../contract/credential.ts";
import { erasedKinds } from "../../../contract/erasure.ts";
import { errorCodes } from "../../../contract/error.ts";
import { eventSubjects } from "../../../contract/event.ts";
import { forgetModes } from "../../../contract/lifecycle.ts";
import { maintenanceActions, maintenanceRun } from "../../../contract/maintenance.ts";
import {
  authorities,
  boundary,
  junkKinds,
  memoryScopes,
  memoryStatuses,
  settableStatuses,
  storeAnswer,
} from "../../../contract/memory.ts";
import type { Operation } from "../../../contract/operation.ts";
import {
  actorTrusts,
  decisionStatuses,
  impactLevels,
  sourceStatuses,
  todoPriorities,
  todoStatuses,
} from "../../../contract/project.ts";
import { contextDomains } from "../../../contract/project-context.ts";
import { searchRequest } from "../../../contract/recall.ts";
import { endUserScopes, scopes } from "../../../contract/scope.ts";
import { webhookStates } from "../../../contract/webhook.ts";
import type { JsonSchema } from "./open-api.ts";

const DEFINITIONS = "#/$defs/";
const COMPONENTS = "#/components/schemas/";

/** The named schemas of a document, collected while the document is built. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #written = { input: new Map<z.ZodType, JsonSchema>(), output: new Map<z.ZodType, JsonSchema>() };

  /**
   * Returns the JSON Schema of a request (`input`) or an answer (`output`). Schemas with an id become components, so
   * that frequent ones, such as error bodies, are written once.
   */
  write(type: z.ZodType, io: "input" | "output"): JsonSchema {
    const known = this.#written[io].get(type);
    if (known) return known;
    const schema = this.#write(type, io);
    this.#written[io].set(type, schema);
    return schema;
  }

  #write(type: z.ZodType, io: "input" | "output"): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...schema
    } = z.toJSONSchema(type, { io, unrepresentable: "any" }) as JsonSchema & {
      $schema?: string;
    };
    for (const [name, definition] of Object.entries($defs ?? {})) this.name(name, tidied(definition, io));
    return tidied(schema, io);
  }

  /** Makes the schema a component and returns a reference to it. Throws if a different schema has the same name. */
  name(name: string, unnamed: JsonSchema): JsonSchema {
    const schema = withNamedParts(name, unnamed, (part, inner) => this.name(part, inner));
    const known = this.schemas[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`The OpenAPI component ${name} would have two meanings.`);
    }
    this.schemas[name] = schema;
    return { $ref: COMPONENTS + name };
  }

  /** Returns the schema of a parameter, with components for its enumerations and objects, as in bodies. */
  part(name: string, unnamed: JsonSchema): JsonSchema {
    return namedPart(name, unnamed, (part, inner) => this.name(part, inner));
  }

  /** Resolves a reference; returns any other schema as it is. */
  resolve(schema: JsonSchema): JsonSchema {
    return resolveReference(this.schemas, schema);
  }
}

/** Resolves a reference to a component, keeping the members beside `$ref`; returns any other schema as it is. */
export function resolveReference(
  schemas: Readonly<Record<string, JsonSchema>>,
  schema: JsonSchema,
): JsonSchema {
  const { $ref, ...rest } = schema;
  return $ref === undefined ? schema : { ...schemas[$ref.slice(COMPONENTS.length)], ...rest };
}

export function nameOf(reference: string): string {
  return reference.slice(COMPONENTS.length);
}

/** Simplifies a schema for readers and generators: removes bounds and patterns that the type or format implies. */
function tidied(schema: JsonSchema, io: "input" | "output"): JsonSchema {
  const {
    $ref,
    properties,
    items,
    anyOf,
    additionalProperties,
    propertyNames,
    minimum,
    maximum,
    minLength,
    pattern,
    ...rest
  } = schema;
  const tidy = (inner: JsonSchema) => tidied(inner, io);
  return {
    ...($ref === undefined ? {} : { $ref: $ref.replace(DEFINITIONS, COMPONENTS) }),
    ...rest,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    ...(minLength ? { minLength } : {}),
    ...(pattern === undefined || rest.format !== undefined ? {} : { pattern }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([k, v]) => [k, tidy(v)])),
    }),
    ...(items && { items: tidy(items) }),
    ...(anyOf && { anyOf: anyOf.map(tidy) }),
    ...(propertyNames && Object.keys(propertyNames).length > 1 ? { propertyNames: tidy(propertyNames) } : {}),
    ...additional(additionalProperties, io, tidy),
  };
}

/** Answers are open, since they may gain members. Requests are closed if they refuse unknown members. */
function additional(
  value: JsonSchema["additionalProperties"],
  io: "input" | "output",
  tidy: (inner: JsonSchema) => JsonSchema,
): JsonSchema {
  if (value === undefined || (value === false && io === "output")) return {};
  if (typeof value === "boolean") return { additionalProperties: value };
  return { additionalProperties: Object.keys(value).length === 0 ? true : tidy(value) };
}

/** Makes a schema a component and returns a reference to it. */
type Name = (name: string, schema: JsonSchema) => JsonSchema;

/**
 * Names every enumeration and object within a schema; generators would number unnamed ones (`Status25`) or could not
 * import them. A name is the path to the part (`ProjectActionItemKind`), or that of a shared vocabulary.
 */
function withNamedParts(name: string, schema: JsonSchema, makeComponent: Name): JsonSchema {
  const part = (inner: JsonSchema, at: string) => namedPart(at, inner, makeComponent);
  const { properties, items, anyOf, additionalProperties } = schema;
  const versions = anyOf?.filter(({ type }) => type !== "null") ?? [];
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([member, inner]) => [member, part(inner, name + pascal(member))]),
      ),
    }),
    ...(items && { items: part(items, name) }),
    ...(anyOf && {
      anyOf: anyOf.map((inner) =>
        part(inner, versions.length > 1 ? `${name}Version${versions.indexOf(inner) + 1}` : name),
      ),
    }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: part(additionalProperties, `${name}Value`),
    }),
  };
}

/** The same, including the schema itself if it is an enumeration or an object. */
function namedPart(name: string, schema: JsonSchema, makeComponent: Name): JsonSchema {
  const inner = withNamedParts(name, schema, makeComponent);
  const isEnumeration = (inner.enum ?? []).length > 1;
  if (!isEnumeration && !inner.properties) return inner;
  // The member's description does not apply to other uses of the type.
  const { description, default: fallback, examples, ...shape } = inner;
  return {
    ...makeComponent((inner.enum && vocabularyOf(inner.enum)) ?? name, shape),
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(examples === undefined ? {} : { examples }),
  };
}

/** Returns the name of a request, which prefixes the names of its parts. */
export function requestName({ name, input }: Operation): string {
  return input.meta()?.id ?? `${pascal(name)}Request`;
}

export function memberName(operation: Operation, member: string): string {
  return requestName(operation) + pascal(member);
}

function pascal(member: string): string {
  return member.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Enumerations that several members share, by their name in generated clients. */
const vocabularies: Readonly<Record<string, readonly string[]>> = {
  ActorTrust: actorTrusts,
  AgentBindingStatus: agentStatuses,
  Authority: authorities,
  BoundaryRelation: boundary.shape.relation.options,
  EmbeddingSource: storeAnswer.shape.embedding.unwrap().options,
  ChangeEventSubject: eventSubjects,
  ErrorCode: Object.keys(errorCodes),
  ForgetMode: forgetModes,
  EndUserScopeName: scopeNameAmong(endUserScopes).meta()?.enum as string[],
  GrantableScopeName: scopeName.meta()?.enum as string[],
  ErasedKind: erasedKinds,
  JunkKind: junkKinds,
  MaintenanceAction: maintenanceActions,
  MaintenanceRunStatus: maintenanceRun.shape.status.options,
  MemoryScope: memoryScopes,
  MemorySettableStatus: settableStatuses,
  MemoryStatus: memoryStatuses,
  ProjectContextDomain: contextDomains,
  ProjectDecisionStatus: decisionStatuses,
  ProjectImpactLevel: impactLevels,
  ProjectSourceStatus: sourceStatuses,
  ProjectTodoPriority: todoPriorities,
  ProjectTodoStatus: todoStatuses,
  Retrievers: searchRequest.shape.retrievers.unwrap().options,
  Scope: Object.keys(scopes),
  Sessions: searchRequest.shape.sessions.unwrap().options,
  TokenKind: tokenKind.options,
  WebhookState: webhookStates,
};

const nameByValues = new Map(Object.entries(vocabularies).map(([name, values]) => [values.join(" "), name]));

/** Returns the name of a shared enumeration; undefined if only one member has it. */
function vocabularyOf(values: readonly unknown[]): string | undefined {
  return nameByValues.get(values.join(" "));
}
