import type { Operation } from "../../contract/operation.ts";
import { DomainError, invalid } from "../../core/error.ts";
import { ignoredMembers, misspeltIssues } from "../../core/unknown-members.ts";
import { memberPlaces } from "../http/member-places.ts";
import { readBody, readUnwanted } from "./body.ts";
import type { Exchange } from "./exchange.ts";
import { lazy } from "./lazy.ts";
import { queryMembers, readQuery } from "./query.ts";

/**
 * Puts together the raw input from where REST carries its members; what it means is for the schema to say. Notes on the
 * exchange what of the request is not looked at: members that the operation does not have, or not in that place.
 */
export function inputCollector(
  operation: Operation,
): (exchange: Exchange) => Promise<Record<string, unknown>> {
  const places = memberPlaces(operation);
  const inQuery = lazy(() => queryMembers(operation, places.query));
  const headers = Object.entries(operation.http.headers ?? {});
  const elsewhere = new Set([...places.path, ...headers.map(([member]) => member)]);
  const takesBody = places.body.length > 0;
  const tooLong = TOO_LONG + (SEARCHES.has(operation.name) ? ` ${HOW_TO_SEARCH}` : "");
  return async (exchange) => {
    const { request, params } = exchange;
    const query = readQuery(searchOf(request, tooLong), inQuery());
    refuseMisspelt(operation, query.unknown);
    const body = takesBody ? await readBody(request) : {};
    const unwanted = takesBody ? {} : await readUnwanted(request);
    const given = Object.entries({ ...query.input, ...body });
    const input = Object.fromEntries(given.filter(([name]) => !elsewhere.has(name)));
    exchange.ignored = [
      ...query.unknown,
      // A member that belongs into the path or a header is not taken from the query or the body.
      ...given.map(([name]) => name).filter((name) => elsewhere.has(name)),
      ...ignoredMembers(operation, input),
      ...Object.keys(unwanted),
    ];
    for (const name of places.path) {
      const value = params[name];
      if (typeof value !== "string") throw invalid(["path", name], "must be valid percent-encoded UTF-8");
      input[name] = value;
    }
    for (const [member, header] of headers) {
      const value = request.headers.get(header);
      if (value !== null) input[member] = value;
    }
    return input;
  };
}

/** `metdata.topic` is `metadata.topic` misspelt, not a name of its own. */
function refuseMisspelt({ input }: Operation, names: readonly string[]): void {
  const members = new Set(names.map((name) => name.split(".", 1)[0] ?? ""));
  const issues = misspeltIssues(members, input, ["query"]);
  if (issues.length > 0) throw new DomainError("validation_failed", "The request is not valid.", { issues });
}

/** The longest query string that is read. All three runtimes take more, so that a client meets this refusal first. */
const QUERY_BYTES_MAX = 32 * 1024;

const TOO_LONG = `The query string is longer than ${QUERY_BYTES_MAX} bytes.`;
/** What a search in a body can do as well. */
const SEARCHES = new Set(["listMemories", "searchMemories"]);
const HOW_TO_SEARCH = "POST /v1/memories/search takes a search in a body.";

function searchOf({ url }: Request, tooLong: string): string {
  const at = url.indexOf("?");
  const search = at === -1 ? "" : (url.slice(at + 1).split("#", 1)[0] ?? "");
  if (search.length <= QUERY_BYTES_MAX) return search;
  throw new DomainError("payload_too_large", tooLong);
}
