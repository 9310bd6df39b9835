import { nameOf } from "../openapi/components.ts";
import type { JsonSchema } from "../openapi/json-schema.ts";
import { type Html, html, inline } from "./html.ts";

/** One line of a table of members. */
export interface Row {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Where it is carried, if the table has more than one place. */
  readonly place?: string;
  readonly description?: string | undefined;
}

const DEPTH_MAX = 3;

/** The members of an object, those of inline objects under dotted names. */
export function memberRows(schema: JsonSchema, prefix = "", depth = 1): Row[] {
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
export function memberTable(caption: string, rows: readonly Row[]): Html {
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
export function typeOf(schema: JsonSchema): Html {
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
export function valuesNote(schema: JsonSchema): Html {
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
