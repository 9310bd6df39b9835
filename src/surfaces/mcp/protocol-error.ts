import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { DomainError } from "../../core/error.ts";
import type { Serving } from "./serving.ts";
import { said } from "./tool-result.ts";

/**
 * Does what is no tool call, whose errors are the protocol's: the same words for a model, with the error body that REST
 * answers as its data. `uri`: what is read, where something is.
 */
export async function asProtocolError<T>(
  { caller, failed, publicUrl }: Pick<Serving, "caller" | "failed" | "publicUrl">,
  name: string,
  work: () => Promise<T>,
  uri?: string,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) failed(name, error);
    else if (error.code === "not_found" && uri !== undefined) throw new ResourceNotFoundError(uri);
    const { text, body } = said(error, { requestId: caller.requestId, publicUrl });
    throw new ProtocolError(isOfRequest(error) ? InvalidParams : InternalError, text, body);
  }
}

const { InvalidParams, InternalError } = ProtocolErrorCode;

function isOfRequest(error: unknown): boolean {
  return error instanceof DomainError && (error.code === "validation_failed" || error.code === "not_found");
}
