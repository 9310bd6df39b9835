import { DomainError } from "../../core/error.ts";
import { parseExactJson } from "../../core/exact-json.ts";
import { readBytes } from "../http/body.ts";

/** A request whose body has been read. */
export interface ExactBody {
  readonly request: Request;
  /** What the body says; not given where it cannot be told exactly, and then `request` has it still. */
  readonly parsedBody?: unknown;
  /** Why no tool may be called with it: it holds an integer that would be another one once it was read. */
  readonly refusal: DomainError | null;
}

/** Reads the body of a POST. `payload_too_large` beyond the cap; what else is wrong with it is for the protocol to say. */
export async function exactBodyOf(request: Request, bytesMax: number): Promise<ExactBody> {
  if (request.method !== "POST" || request.body === null) return { request, refusal: null };
  const body = await readBytes(request, bytesMax);
  try {
    return { request, parsedBody: parseExactJson(new TextDecoder().decode(body), []), refusal: null };
  } catch (error) {
    const { url, method, headers, signal } = request;
    // A copy, so that no buffer of the runtime's is shared.
    const again = new Request(url, { method, headers, signal, body: new Uint8Array(body) });
    return { request: again, refusal: inexact(error) };
  }
}

function inexact(error: unknown): DomainError | null {
  const [issue] = error instanceof DomainError ? error.issues : [];
  if (issue?.type !== "integer_inexact") return null;
  const isArgument = issue.loc[0] === "params" && issue.loc[1] === "arguments";
  const loc = ["body", ...issue.loc.slice(isArgument ? 2 : 0)];
  return new DomainError("validation_failed", issue.msg, { issues: [{ ...issue, loc }] });
}
