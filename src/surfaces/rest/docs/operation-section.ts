import { resolved } from "../openapi/components.ts";
import type { OpenApi, OpenApiOperation, Parameter, Reference } from "../openapi/types.ts";
import { curlOf } from "./curl.ts";
import { type Html, html, inline, prose } from "./html.ts";
import { memberRows, memberTable, type Row, typeOf } from "./schema-table.ts";

/** An operation with where it is. */
export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** Headers that every operation takes are told of once, at the top of the page. */
const TOLD_ONCE = "#/components/parameters/";

/** Everything about one operation: what it does, takes, answers and refuses, and how to call it. */
export function operationSection(document: OpenApi, { method, path, operation }: Placed): Html {
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
  return "$ref" in parameter && parameter.$ref.startsWith(TOLD_ONCE);
}

/** The method, coloured by what it does; the word itself says it too. */
export function methodMark(method: string): Html {
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
