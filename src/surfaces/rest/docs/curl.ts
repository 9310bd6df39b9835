import type { OpenApiOperation, Parameter } from "../openapi/types.ts";

/** A command that calls the operation, with the smallest request that makes sense. */
export function curlOf(
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
