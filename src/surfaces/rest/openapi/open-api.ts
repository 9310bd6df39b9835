import type { CodeSample } from "./code-samples.ts";

/** The subset of OpenAPI 3.1 that this surface writes. */
export interface OpenApi {
  readonly openapi: "3.1.0";
  readonly info: { title: string; version: string; summary: string; description: string };
  readonly servers: readonly { url: string; description: string }[];
  readonly tags: readonly { name: string; description: string }[];
  readonly security: readonly Record<string, string[]>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: Readonly<Record<string, Record<string, string>>>;
  };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Record<string, string[]>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  /** Any one of these scopes is sufficient. */
  readonly "x-scopes"?: readonly string[];
  /** Samples of the same request for several clients. */
  readonly "x-codeSamples"?: readonly CodeSample[];
  readonly deprecated?: boolean;
}

export interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly style?: "form";
  readonly explode?: boolean;
  readonly allowEmptyValue?: true;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: Readonly<Record<string, MediaContent>>;
}

export interface MediaContent {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { summary?: string; value: unknown }>>;
}

export interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, MediaContent>>;
}

/** The subset of JSON Schema (2020-12) that zod writes and this surface reads. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  description?: string;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}
