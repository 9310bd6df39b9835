import type { z } from "zod";
import type { Operation } from "../contract/operation.ts";
import {
  type AnyOperationName,
  everyOperation,
  type OperationName,
  type OutputOf,
  type VisitorOperationName,
  visitorOperations,
} from "../contract/operations.ts";
import type { Pace } from "../recall/work.ts";
import { type Caller, requireOperation, type Visitor } from "./caller.ts";
import { callerInSpace } from "./end-user/in-space.ts";
import { once, type Resumable } from "./idempotency.ts";
import { validInput } from "./input/validation.ts";
import { requireProject } from "./memory/access.ts";
import type { Ports } from "./ports.ts";
import { type OnProgress, rising } from "./progress.ts";
import type { SessionPorts } from "./session/use-cases.ts";
import { useCases, visitorUseCases } from "./use-cases.ts";

/** How an operation is called besides its input. */
export interface Invocation {
  /** Within 24 hours, the same key with the same input is carried out once and gets the same answer. */
  readonly idempotencyKey?: string | null;
  /** How it yields the CPU to other requests. Defaults to `ports.pace`. */
  readonly pace?: Pace;
  /** Called with the progress of long work. */
  readonly onProgress?: OnProgress;
}

/** All operations of the service. Surfaces only translate to and from these calls, and contain no rules. */
export interface Application {
  /**
   * Checks permission, which depends on the credential alone, then the input, and runs the use case. Rejects with a
   * `DomainError`; anything else is a fault of the service.
   */
  call<N extends AnyOperationName>(
    name: N,
    caller: Caller,
    input: unknown,
    invocation?: Invocation,
  ): Promise<OutputOf<N>>;
  /**
   * The same in two steps, for surfaces that read the input only after the permission check. Checks the credential's
   * kind and scopes, and the project that the operation is below, if the members already known name it; throws a
   * `DomainError`.
   */
  permit<N extends OperationName>(name: N, caller: Caller, known: Members): PermittedCall<OutputOf<N>>;
  /** Like `call`, for an operation that needs no credential. */
  visit<N extends VisitorOperationName>(
    name: N,
    visitor: Visitor,
    input: unknown,
    invocation?: Pick<Invocation, "pace">,
  ): Promise<z.output<(typeof visitorOperations)[N]["output"]>>;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * A call that the caller's credential allows: takes the rest of the input, checks all of it, and runs the use case. The
 * members that the call was permitted with stay as they were.
 */
export type PermittedCall<Output> = (rest: Members, invocation?: Invocation) => Promise<Output>;

type UseCase = (ports: Ports, caller: Caller, input: unknown) => Promise<unknown>;

/** Without `SessionPorts`, session operations cannot be called. */
export function createApplication(ports: Ports | (Ports & SessionPorts)): Application {
  async function run(
    name: AnyOperationName,
    caller: Caller,
    input: unknown,
    { idempotencyKey = null, pace = ports.pace, onProgress }: Invocation = {},
  ): Promise<unknown> {
    const operation = operationOf(name);
    // Gives the operation a turn of its own, even if it never pauses.
    await pace.pause();
    const schema = (caller.session && operation.session?.input) ?? operation.input;
    const valid = validInput({ ...operation, input: schema }, input);
    const inSpace = await callerInSpace(ports, caller, operation, valid);
    const useCase = useCases[name] as unknown as UseCase | Resumable<unknown, unknown, never>;
    const begin = typeof useCase === "function" ? useCase : useCase.begin;
    const isRepeatable = operation.effect !== "read" && !operation.unrepeatable;
    const key = isRepeatable ? idempotencyKey : null;
    const paced = { ...ports, pace, ...(onProgress && { onProgress: rising(onProgress) }) };
    const begun =
      key === null
        ? await begin(paced, inSpace, valid)
        : await once(paced, inSpace, { key, operation: name, input: valid }, (within) =>
            begin(within, inSpace, valid),
          );
    const answer =
      typeof useCase === "function" ? begun : await useCase.carryOut(paced, inSpace, begun as never);
    // Serialising the answer may take long, so it gets its own turn too.
    await pace.pause();
    return answer;
  }

  return {
    async call(name, caller, input, invocation) {
      requirePermission(caller, operationOf(name), input);
      return run(name, caller, input, invocation) as never;
    },
    permit(name, caller, known) {
      requirePermission(caller, operationOf(name), known);
      return async (rest, invocation) => {
        if (!("project_id" in known)) requireProjectOf(caller, operationOf(name), rest);
        return run(name, caller, { ...rest, ...known }, invocation) as never;
      };
    },
    async visit(name, visitor, input, { pace = ports.pace } = {}) {
      await pace.pause();
      const valid = validInput(visitorOperations[name] as unknown as Operation, input);
      return visitorUseCases[name](ports, visitor, valid as never) as never;
    },
  };
}

/** An operation that only sessions can call has no REST path. */
type CallableOperation = Omit<Operation, "http"> & Partial<Pick<Operation, "http">>;

function operationOf(name: AnyOperationName): CallableOperation {
  return everyOperation[name] as unknown as CallableOperation;
}

/** Refuses by the credential alone, before the input is checked or anything is read. */
function requirePermission(caller: Caller, operation: CallableOperation, input: unknown): void {
  requireOperation(caller, operation);
  requireProjectOf(caller, operation, input);
}

function requireProjectOf(caller: Caller, operation: CallableOperation, input: unknown): void {
  const project = operation.http?.path.includes("{project_id}") ? projectIn(input) : null;
  if (project !== null) requireProject(caller, project);
}

/** Returns the project in unvalidated input; null if there is none, which validation will report. */
function projectIn(input: unknown): string | null {
  if (typeof input !== "object" || input === null || !("project_id" in input)) return null;
  return typeof input.project_id === "string" ? input.project_id : null;
}
