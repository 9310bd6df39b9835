import { errors } from "@elastic/elasticsearch";
import { IndexUnavailable, type Unavailability } from "../../core/recall/index-unavailable.ts";

/** What an error says of the engine; null where it is none of the engine's. */
export function unavailabilityOf(error: unknown): Unavailability | null {
  if (error instanceof IndexUnavailable) return error.reason;
  if (error instanceof errors.ResponseError) return ofStatus(error);
  if (error instanceof errors.TimeoutError || error instanceof errors.RequestAbortedError) return "slow";
  if (error instanceof errors.DeserializationError) return "unintelligible";
  if (error instanceof errors.ElasticsearchClientError) {
    return /certificate/i.test(error.message) ? "untrusted" : "away";
  }
  return null;
}

function ofStatus(error: errors.ResponseError): Unavailability | null {
  const status = error.statusCode ?? 0;
  if (status === 401) return "credentials";
  if (status === 403) return isBlock(error) ? "failed" : "forbidden";
  if (status === 404) return "building";
  if (status === 429) return "overloaded";
  if (status === 502 || status === 504) return "away";
  // Elasticsearch answers 503 itself where no copy of a shard can be searched.
  if (status === 503) return isJson(error) ? "incomplete" : "away";
  // What else is wrong with a request is wrong with that one.
  return status >= 500 ? "failed" : null;
}

/** A read-only or closed index is 403 as well, and no matter of credentials. */
function isBlock(error: errors.ResponseError): boolean {
  return isJson(error) && error.message.startsWith("cluster_block_exception");
}

function isJson(error: errors.ResponseError): boolean {
  return typeof error.body === "object" && error.body !== null;
}
