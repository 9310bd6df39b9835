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
  readonly toolSet: ToolSet;
  /** Address of the pages that explain errors. */
  readonly publicUrl: string;
  /**
   * Calls an operation for the caller, counted in its category and run in its sender's share of the service. Rejects
   * with a `DomainError`, or with a fault.
   */
  readonly call: (operation: Operation, input: unknown, how?: HowCalled) => Promise<unknown>;
  /** Reports a fault in the named tool, resource or prompt. */
  readonly failed: (name: string, error: unknown) => void;
}

export interface HowCalled {
  /** Checks by the surface itself, made after the call has been counted. */
  readonly check?: () => void;
  readonly onProgress?: OnProgress | undefined;
  /** The client's request number, by which it can cancel the call. */
  readonly requestId?: RequestId | undefined;
}

/**
 * Runs work other than a tool call and converts its errors to protocol errors, with the same text for a model and
 * REST's error body as data. `uri`: the resource being read, if any.
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
