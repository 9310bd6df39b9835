import { DomainError } from "../../core/error.ts";
import type { Door } from "../http/door.ts";
import { securityHeaders } from "../http/security-headers.ts";
import { toResponse } from "./answer.ts";
import { refusal } from "./refusal.ts";

/**
 * The answer to a request whose address and headers were too much to be read, where the runtime leaves the answer to us.
 * Nothing of the request is known.
 */
export function headTooLarge({ newId, publicUrl }: Pick<Door, "newId" | "publicUrl">): Response {
  const error = new DomainError(
    "payload_too_large",
    "The address and headers of the request are too long. To search with a long query, POST it to /v1/memories/search in a body.",
  );
  return toResponse(refusal(error, null), {
    method: "",
    path: "",
    requestId: newId(),
    headers: { ...securityHeaders(publicUrl), connection: "close" },
  });
}
