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
import { once, type Resumable } from "./idempotency.ts";
import { validInput } from "./input/validation.ts";
import { requireProject } from "./memory/access.ts";
import type { Ports } from "./ports.ts";
import { type OnProgress, rising } from "./progress.ts";
import type { SessionPorts } from "./session/use-cases.ts";
import { useCases, visitorUseCases } from "./use-cases.ts";

/** How an operation is called besides its input. */
export interface Invocation {
  /** The same key with the same input is carried out once, and answered the same, for 24 hours. */
  readonly idempotencyKey?: string | null;
  /** How it shares the processor with other requests; that of the ports, unless given. */
  readonly pace?: Pace;
  /** Told how far it has come, where it is work that takes long. */
  readonly onProgress?: OnProgress;
}

/** Everything the service does. Each surface translates into these calls and back, and holds no rule. */
export interface Application {
  /**
   * Checks what the credential alone decides, then the input, then runs the use case.
   * Rejects with a `DomainError`; anything else is a fault of ours.
   */
  call<N extends AnyOperationName>(
    name: N,
    caller: Caller,
    input: unknown,
    invocation?: Invocation,
  ): Promise<OutputOf<N>>;
  /**
   * The same in two steps, for a surface that reads the input only for who may send it. Checks the credential's kind and
   * scopes, and the project that the operation is below, if the members already known name it; throws a `DomainError`.
   */
  permit<N extends OperationName>(name: N, caller: Caller, known: Members): PermittedCall<OutputOf<N>>;
  /** `call` for what needs no credential. */
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

/** Without `SessionPorts` no operation of sessions can be called. */
export function createApplication(ports: Ports | (Ports & SessionPorts)): Application {
  async function run(
    name: AnyOperationName,
    caller: Caller,
    input: unknown,
    { idempotencyKey = null, pace = ports.pace, onProgress }: Invocation = {},
  ): Promise<unknown> {
    const operation = operationOf(name);
    // Whatever an operation does without a pause, it does in a turn of its own.
    await pace.pause();
    const schema = (caller.session && operation.session?.input) ?? operation.input;
    const valid = validInput({ ...operation, input: schema }, input);
    const useCase = useCases[name] as unknown as UseCase | Resumable<unknown, unknown, never>;
    const begin = typeof useCase === "function" ? useCase : useCase.begin;
    const isRepeatable = operation.effect !== "read" && !operation.unrepeatable;
    const key = isRepeatable ? idempotencyKey : null;
    const paced = { ...ports, pace, ...(onProgress && { onProgress: rising(onProgress) }) };
    const begun =
      key === null
        ? await begin(paced, caller, valid)
        : await once(paced, caller, { key, operation: name, input: valid }, (within) =>
            begin(within, caller, valid),
          );
    const answer =
      typeof useCase === "function" ? begun : await useCase.carryOut(paced, caller, begun as never);
    // And so is the answer written, which may be long.
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

/** The project that unchecked input names; null where it names none, which is for the validation to say. */
function projectIn(input: unknown): string | null {
  if (typeof input !== "object" || input === null || !("project_id" in input)) return null;
  return typeof input.project_id === "string" ? input.project_id : null;
}
