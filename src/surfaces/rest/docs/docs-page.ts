import { createHash } from "node:crypto";
import { errorCodes } from "../../../contract/error.ts";
import { Html, html } from "../../http/html.ts";
import type { Answer } from "../../http/pipeline.ts";
import { nameOf, resolved } from "../openapi/components.ts";
import type { JsonSchema, OpenApi, OpenApiOperation, Parameter, Reference } from "../openapi/open-api.ts";
import { style } from "./style.ts";

/** The page that explains the API to people, written from the same document that machines read. No script, no CDN. */
export function docsPage(document: OpenApi): Answer {
  const styleHash = createHash("sha256").update(style).digest("base64");
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
    body: page(document).text,
  };
}

function page(document: OpenApi): Html {
  const { title, version, summary } = document.info;
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: `group-${tag.name.toLowerCase()}`,
    placed: under(document, tag.name),
  }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title>
<meta name="description" content="${summary}">
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="layout">
<nav aria-label="Operations">
  <p class="name">${title}</p>
  <ul><li><a href="#start">Start here</a></li><li><a href="#errors">Errors</a></li><li><a href="#schemas">Schemas</a></li></ul>
  ${groups.map(
    ({ id, name, placed }) =>
      html`<p class="group" id="nav-${id}">${name}</p><ul aria-labelledby="nav-${id}">${placed.map(
        ({ method, operation }) =>
          html`<li><a href="#${operation.operationId}">${methodMark(method)} <span>${operation.summary}</span></a></li>`,
      )}</ul>`,
  )}
</nav>
<main id="content" tabindex="-1">
  <h1>${title} API</h1>
  <p class="lead">${summary}. Version ${version}. For machines: <a href="/openapi.json">openapi.json</a>.</p>
  ${start(document)}
  ${groups.map(
    ({ id, name, description, placed }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
    <p>${inline(description)}</p>
    ${placed.map((one) => operationSection(document, one))}</section>`,
  )}
  ${errors()}
  ${schemas(document)}
</main>
</div>
</body>
</html>
`;
}

function under(document: OpenApi, tag: string): Placed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function start(document: OpenApi): Html {
  const [, ...paragraphs] = document.info.description.split("\n\n");
  const shared = Object.values(document.components.parameters).map((parameter) => ({
    name: parameter.name,
    schema: parameter.schema,
    isRequired: false,
    description: parameter.description,
  }));
  return html`<section aria-labelledby="start"><h2 id="start">Start here</h2>
    ${prose(paragraphs.join("\n\n"))}
    <p>These headers may accompany any operation; <code>Idempotency-Key</code> only a
    <code>POST</code> that says so.</p>
    ${memberTable("Headers of every operation", shared)}
  </section>`;
}

function errors(): Html {
  return html`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
    <p>A refusal is <code>{"detail": …, "code": …}</code>. Decide by the code; the detail is for people. For
    <code>validation_failed</code> the detail lists each failed rule with its place, message and kind.</p>
    <div class="table" role="group" tabindex="0" aria-label="Machine codes"><table>
      <thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">What to do</th></tr></thead>
      <tbody>${Object.entries(errorCodes).map(
        ([code, { status, title, cause, cure }]) =>
          html`<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${title}. ${cause}</td><td>${cure}</td></tr>`,
      )}</tbody></table></div>
  </section>`;
}

function schemas(document: OpenApi): Html {
  const named = Object.entries(document.components.schemas).sort(([a], [b]) => a.localeCompare(b, "en"));
  return html`<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>
    ${named.map(([name, schema]) => {
      const rows = memberRows(schema);
      return html`<article class="schema" id="schema-${name}" aria-labelledby="schema-${name}-title">
        <h3 id="schema-${name}-title">${name}</h3>
        ${rows.length > 0 ? memberTable(`Members of ${name}`, rows) : html`<p>${typeOf(schema)} ${valuesNote(schema)}</p>`}
      </article>`;
    })}
  </section>`;
}

/** An operation with where it is. */
interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** Headers that every operation takes are described once, at the top of the page. */
const DESCRIBED_ONCE = "#/components/parameters/";

/** Everything about one operation: what it does, takes, answers and refuses, and how to call it. */
function operationSection(document: OpenApi, { method, path, operation }: Placed): Html {
  const own = (operation.parameters ?? []).filter(
    (parameter): parameter is Parameter => !isShared(parameter),
  );
  const rows = [...own.map(parameterRow), ...bodyRows(document, operation)];
  const takesKey = (operation.parameters ?? []).some(
    (parameter) => isShared(parameter) && parameter.$ref.endsWith("IdempotencyKey"),
  );
  return html`<article class="operation" id="${operation.operationId}" aria-labelledby="${operation.operationId}-title">
    <h3 id="${operation.operationId}-title"><a class="anchor" href="#${operation.operationId}">${operation.summary}</a></h3>
    <p class="endpoint">${methodMark(method)} <code>${path}</code></p>
    ${prose(operation.description)}
    ${takesKey && html`<p>Takes an <code>Idempotency-Key</code>.</p>`}
    <h4>Request</h4>
    ${rows.length > 0 ? memberTable(`Request of ${operation.summary}`, rows) : html`<p>Nothing but the path.</p>`}
    <pre tabindex="0" role="group" aria-label="Example call: ${operation.summary}"><code>${curlOf(method, path, operation, own)}</code></pre>
    <h4>Answers</h4>
    ${answers(operation)}
  </article>`;
}

function isShared(parameter: Parameter | Reference): parameter is Reference {
  return "$ref" in parameter && parameter.$ref.startsWith(DESCRIBED_ONCE);
}

/** The method, coloured by what it does; the word itself says it too. */
function methodMark(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function parameterRow({ name, schema, required, description, ...parameter }: Parameter): Row {
  return { name, schema, isRequired: required === true, place: parameter.in, description };
}

function bodyRows(document: OpenApi, { requestBody }: OpenApiOperation): Row[] {
  const schema = requestBody?.content["application/json"]?.schema;
  if (!schema) return [];
  return memberRows(resolved(document.components.schemas, schema)).map((row) => ({ ...row, place: "body" }));
}

function answers({ responses }: OpenApiOperation): Html {
  return html`<dl class="answers">${Object.entries(responses).map(([status, { description, content }]) => {
    const schema = content?.["application/json"]?.schema;
    const isError = Number(status) >= 400;
    return html`<div><dt><span class="status ${isError ? "refused" : "done"}">${status}</span></dt>
      <dd>${!isError && schema ? html`${typeOf(schema)}` : inline(description)}</dd></div>`;
  })}</dl>`;
}

/** A command that calls the operation, with the smallest request that makes sense. */
function curlOf(
  method: string,
  path: string,
  operation: OpenApiOperation,
  parameters: readonly Parameter[],
): string {
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const target = inPath.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, String(example ?? name)),
    path,
  );
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const body = operation.requestBody?.content["application/json"]?.example;
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$RECOLLECT_URL${target}"`,
    ...(needsNoKey(operation) ? [] : ['-H "X-API-Key: $RECOLLECT_API_KEY"']),
    ...(query.length > 0 ? ["-G"] : []),
    ...query.map(
      ({ name, schema }) => `--data-urlencode ${quoted(`${name}=${String(schema.examples?.[0] ?? "…")}`)}`,
    ),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}

/** Nothing is required, or the empty requirement is among those of which one is enough. */
function needsNoKey({ security }: OpenApiOperation): boolean {
  return security?.length === 0 || security?.some((one) => Object.keys(one).length === 0) === true;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** One line of a table of members. */
interface Row {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Where it is carried, if the table has more than one place. */
  readonly place?: string;
  readonly description?: string | undefined;
}

const DEPTH_MAX = 3;

/** The members of an object, those of inline objects under dotted names. */
function memberRows(schema: JsonSchema, prefix = "", depth = 1): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const isRequired = schema.required?.includes(name) === true;
    const row = { name: prefix + name, schema: member, isRequired };
    const inner = branches(member).map((branch) => branch.items ?? branch);
    const suffix = branches(member).some(({ items }) => items) ? "[]." : ".";
    const object = inner.flatMap(branches).find(({ properties }) => properties);
    if (!object || depth === DEPTH_MAX) return [row];
    return [row, ...memberRows(object, row.name + suffix, depth + 1)];
  });
}

function branches(schema: JsonSchema): JsonSchema[] {
  return schema.anyOf ?? [schema];
}

/** A table of members with their types, bounds, defaults and meaning. */
function memberTable(caption: string, rows: readonly Row[]): Html {
  const hasPlaces = rows.some(({ place }) => place !== undefined);
  return html`<div class="table" role="group" tabindex="0" aria-label="${caption}"><table>
    <thead><tr><th scope="col">Name</th>${hasPlaces && html`<th scope="col">In</th>`}<th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
    <tbody>${rows.map(
      (row) => html`<tr>
        <th scope="row"><code>${row.name}</code>${row.isRequired && html` <span class="required">required</span>`}</th>
        ${hasPlaces && html`<td>${row.place}</td>`}
        <td>${typeOf(row.schema)}</td>
        <td>${meaning(row)}</td>
      </tr>`,
    )}</tbody></table></div>`;
}

/** A type as people read it: `string or null`, `array of Memory`. */
function typeOf(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.anyOf) return joined(schema.anyOf.map(typeOf));
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.items) return html`array of ${typeOf(schema.items)}`;
  if (schema.type === undefined) return html`any`;
  const types = [schema.type].flat();
  return joined(types.map((type) => html`${type === "string" && schema.format ? schema.format : type}`));
}

function joined(types: readonly Html[]): Html {
  return html`${types.map((type, at) => html`${at > 0 && " or "}${type}`)}`;
}

function meaning({ schema, description }: Row): Html[] {
  const own =
    description ?? schema.description ?? branches(schema).find((branch) => branch.description)?.description;
  const bounds = branches(schema).flatMap(boundsOf);
  return [
    html`${own && html`<span class="meaning">${inline(own)}</span>`}`,
    valuesNote(schema),
    html`${bounds.length > 0 && html`<span class="note">${bounds.join(" · ")}</span>`}`,
    html`${schema.default !== undefined && html`<span class="note">Default <code>${JSON.stringify(schema.default)}</code></span>`}`,
  ];
}

/** The words that an enumeration allows; nothing for what is none. */
function valuesNote(schema: JsonSchema): Html {
  const values = branches(schema).flatMap((branch) => branch.enum ?? []);
  return html`${values.length > 0 && html`<span class="note">One of ${values.map((value, at) => html`${at > 0 && ", "}<code>${String(value)}</code>`)}</span>`}`;
}

function boundsOf(schema: JsonSchema): string[] {
  const range = (min: number | undefined, max: number | undefined, unit: string): string[] => {
    if (min === undefined && max === undefined) return [];
    if (max === undefined) return [`at least ${number(min)}${unit}`];
    return [min === undefined ? `at most ${number(max)}${unit}` : `${number(min)} to ${number(max)}${unit}`];
  };
  return [
    ...range(schema.minimum, schema.maximum, ""),
    ...range(schema.minLength, schema.maxLength, " characters"),
    ...range(schema.minItems, schema.maxItems, " entries"),
    ...(schema.pattern === undefined ? [] : [`matches ${schema.pattern}`]),
  ];
}

function number(value: number | undefined): string {
  return (value ?? 0).toLocaleString("en");
}

/** Paragraphs and `code`, the only marks that the contract's descriptions use. */
function prose(text: string | undefined): Html[] {
  return (text ?? "")
    .split("\n\n")
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

/** A line with its `code` marked. */
function inline(text: string): Html[] {
  return text.split("`").map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
}
