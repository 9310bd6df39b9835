import {
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import type { Operation } from "../../contract/operation.ts";
import type { ToolSet } from "../../contract/tool-set.ts";
import type { Caller } from "../../core/caller.ts";
import { DomainError } from "../../core/error.ts";
import type { OnProgress } from "../../core/progress.ts";
import { said } from "./tool-result.ts";

/** Dependencies of the server of one request. */
export interface Serving {
  readonly caller: Caller;
  /** Which tools are listed. */
  readonly toolSet: ToolSet;
  /** Address of the pages that explain errors. */
  readonly publicUrl: string;
  /**
   * Calls an operation for the caller, as any surface does: counted in its category, in its sender's share of the service.
   * Rejects with a `DomainError`, or with a fault.
   */
  readonly call: (operation: Operation, input: unknown, how?: HowCalled) => Promise<unknown>;
  /** Told of a fault of ours, by what was asked for. */
  readonly failed: (name: string, error: unknown) => void;
}

export interface HowCalled {
  /** Refuses what the surface itself does not take, once the call has counted. */
  readonly check?: () => void;
  readonly onProgress?: OnProgress | undefined;
  /** The number that the client gave the request, by which it may let it go. */
  readonly requestId?: RequestId | undefined;
}

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
