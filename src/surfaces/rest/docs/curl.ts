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
    ...(operation.security?.length === 0 ? [] : ['-H "X-API-Key: $RECOLLECT_API_KEY"']),
    ...(query.length > 0 ? ["-G"] : []),
    ...query.map(
      ({ name, schema }) => `--data-urlencode ${quoted(`${name}=${String(schema.examples?.[0] ?? "…")}`)}`,
    ),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
