/** The API reference as pages of the site, made from the OpenAPI document: one page for each group of operations. */
import { routeGroups } from "../../src/contract/operations.ts";
import { openApiDocument } from "../../src/surfaces/rest/openapi/document.ts";
import type {
  JsonSchema,
  OpenApiOperation,
  Parameter,
  Reference,
} from "../../src/surfaces/rest/openapi/open-api.ts";

const api = openApiDocument(routeGroups);
/** Deeper members are described by the page that has them at the top. */
const DEPTH = 2;

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

const operations: readonly Listed[] = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
const isAlias = ({ operation }: Listed) => operation.operationId.endsWith("Alias");
const slugOf = (tag: string) => tag.toLowerCase().replaceAll(" ", "-");
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** Pages by their place in the site, and what the sidebar calls them. */
export function referencePages(): Readonly<
  Record<string, { readonly title: string; readonly text: string }>
> {
  const pages = api.tags.map(({ name, description }) => {
    const own = operations.filter((one) => one.operation.tags[0] === name && !isAlias(one));
    const text = [`# ${name}`, description, ...own.map(operationText)].join("\n\n");
    return [`reference/${slugOf(name)}.md`, { title: name, text: `${text}\n` }] as const;
  });
  return {
    "reference/index.md": { title: "All operations", text: indexText() },
    ...Object.fromEntries(pages),
  };
}

function indexText(): string {
  const shared = Object.values(api.components.parameters).map(
    ({ name, description = "" }) => `| \`${name}\` | ${cell(description)} |`,
  );
  const groups = api.tags.map(({ name, description }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags[0] === name)
      .map(({ method, path, operation }) => {
        const target = operation.operationId.replace(/Alias$/, "");
        const summary =
          operations.find((one) => one.operation.operationId === target)?.operation.summary ?? "";
        const link = `./${slugOf(name)}.md#${anchorOf(summary)}`;
        return `| [${operation.summary}](${link}) | \`${method} ${path}\` | \`${operation.operationId}\` |`;
      });
    return `## ${name}\n\n${description}\n\n| operation | request | name |\n|---|---|---|\n${rows.join("\n")}`;
  });
  const head = `# API reference\n\n${prose(api.info.description)}\n\nThe same for machines: <a href="/openapi.json" target="_self">openapi.json</a> (OpenAPI 3.1).`;
  const headers = `## Headers of every operation\n\nNone of them is required.\n\n| header | meaning |\n|---|---|\n${shared.join("\n")}`;
  return `${[head, ...groups, headers].join("\n\n")}\n`;
}

function operationText({ method, path, operation }: Listed): string {
  const { summary, description = "", parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content["application/json"];
  const own = parameters.filter((one): one is Parameter => !("$ref" in one));
  const samples = (operation["x-codeSamples"] ?? []).map(
    ({ lang, label, source }) =>
      `\`\`\`${lang.toLowerCase().replace("shell", "sh")} [${label ?? lang}]\n${source}\n\`\`\``,
  );
  return [
    `## ${summary}`,
    `\`${method} ${path}\` · \`${operation.operationId}\``,
    prose(description.replaceAll("\n\nRate limit:", " Rate limit:")),
    samples.length > 0 ? `::: code-group\n${samples.join("\n")}\n:::` : "",
    membersTable("Parameters", own.map(parameterRow)),
    membersTable("Body", body ? memberRows(body.schema) : []),
    `<TryIt method="${method}" path="${path}" parameters="${attribute(own.map(({ name, in: place }) => ({ name, place })))}" body="${attribute(body?.example ?? null)}" />`,
    answers(responses),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function answers(responses: OpenApiOperation["responses"]): string {
  const codes = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const good = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const shown = good.map(([status, { description, content }]) => {
    const media = content?.["application/json"];
    const example = media?.example ? `\`\`\`json\n${JSON.stringify(media.example, null, 2)}\n\`\`\`` : "";
    const table = media ? membersTable("", memberRows(media.schema)) : "";
    return `**${status}** ${prose(description)}\n\n${example}\n\n${table ? `<details><summary>Members of the answer</summary>\n\n${table}\n\n</details>` : ""}`;
  });
  const names = codes.flatMap(([, { description }]) =>
    [...description.matchAll(/`(\w+)`:/g)].map(([, code]) => code),
  );
  const links = [...new Set(names)].map((code) => `[\`${code}\`](../errors.md#${code})`);
  return [...shown, links.length > 0 ? `**Errors:** ${links.join(", ")}` : ""].join("\n\n");
}

type Row = readonly [name: string, type: string, isRequired: boolean, description: string];

function membersTable(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const lines = rows.map(
    ([name, type, isRequired, description]) =>
      `| \`${name}\` | ${cell(type)} | ${isRequired ? "required. " : ""}${cell(description)} |`,
  );
  return `${title ? `**${title}**\n\n` : ""}| member | type | meaning |\n|---|---|---|\n${lines.join("\n")}`;
}

const parameterRow = ({ name, in: place, required = false, description = "", schema }: Parameter): Row => [
  name,
  `${place}, ${typeOf(schema)}`,
  required,
  description,
];

type Schema = JsonSchema & {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly description?: string;
  readonly default?: unknown;
  readonly [bound: string]: unknown;
};

function resolved(given: JsonSchema | Reference): Schema {
  const schema = given as Schema;
  if (!schema.$ref) return schema;
  const { $ref, ...own } = schema;
  return { ...resolved(api.components.schemas[$ref.split("/").at(-1) as string] as Schema), ...own };
}

function memberRows(given: JsonSchema | Reference, prefix = "", depth = 1): Row[] {
  const schema = resolved(given);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices && !schema.properties) {
    const rows = choices.flatMap((one) => memberRows(one, prefix, depth));
    return [...new Map(rows.map((row) => [row[0], row])).values()];
  }
  if (schema.items)
    return depth > DEPTH ? [] : memberRows(schema.items, `${prefix}[].`.replace("..", "."), depth);
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const whole = resolved(member);
    const row: Row = [
      prefix + name,
      typeOf(member),
      schema.required?.includes(name) ?? false,
      [whole.description, whole.default === undefined ? "" : `Default: \`${JSON.stringify(whole.default)}\``]
        .filter(Boolean)
        .join(". "),
    ];
    if (depth >= DEPTH) return [row];
    if (whole.items) return [row, ...memberRows(whole.items, `${prefix}${name}[].`, depth + 1)];
    return [row, ...(whole.properties ? memberRows(whole, `${prefix}${name}.`, depth + 1) : [])];
  });
}

function typeOf(given: JsonSchema | Reference | undefined): string {
  const schema = resolved(given ?? {});
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((one) => `\`${one}\``).join(", ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(" or ");
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "any");
  const bounds = [
    schema.format,
    schema.minimum !== undefined ? `≥ ${schema.minimum}` : "",
    schema.maximum !== undefined ? `≤ ${schema.maximum}` : "",
    schema.maxLength !== undefined ? `≤ ${schema.maxLength} characters` : "",
  ].filter(Boolean);
  return bounds.length > 0 ? `${type} (${bounds.join(", ")})` : String(type);
}

/** A text as Markdown for the site, which would take `<` and `{{` for its own. */
function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll("<", "&lt;").replaceAll("{{", "&#123;{")))
    .join("");
}
const cell = (text: string) => prose(text).replaceAll("\n", " ").replaceAll("|", "\\|");
const attribute = (value: unknown) =>
  JSON.stringify(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
