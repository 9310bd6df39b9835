import type { RequestId } from "@modelcontextprotocol/server";
import type { Operation } from "../../contract/operation.ts";
import type { ToolSet } from "../../contract/tool-set.ts";
import type { Caller } from "../../core/caller.ts";
import type { OnProgress } from "../../core/progress.ts";

/** Dependencies of the server of one request. */
export interface Serving {
  readonly caller: Caller;
  /** Which tools are listed. */
  readonly toolSet: ToolSet;
  /** Address of the pages that explain errors. */
  readonly publicUrl: string;
  /**
   * Calls an operation for the caller, as any door does: counted in its category, in its sender's share of the service.
   * Rejects with a `DomainError`, or with a fault.
   */
  readonly call: (operation: Operation, input: unknown, how?: HowCalled) => Promise<unknown>;
  /** Told of a fault of ours, by what was asked for. */
  readonly failed: (name: string, error: unknown) => void;
}

export interface HowCalled {
  /** Refuses what the door itself does not take, once the call has counted. */
  readonly check?: () => void;
  readonly onProgress?: OnProgress | undefined;
  /** The number that the client gave the request, by which it may let it go. */
  readonly requestId?: RequestId | undefined;
}
