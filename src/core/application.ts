import type { z } from "zod";
import type { Operation } from "../contract/operation.ts";
import {
  type OperationName,
  operations,
  type VisitorOperationName,
  visitorOperations,
} from "../contract/operations.ts";
import { type Caller, requireOperation, type Visitor } from "./caller.ts";
import { once, type Resumable } from "./idempotency.ts";
import { requireProject } from "./memory/access.ts";
import type { Ports } from "./ports.ts";
import { useCases, visitorUseCases } from "./use-cases.ts";
import { validInput } from "./validation.ts";

export type OperationOutput<N extends OperationName> = z.output<(typeof operations)[N]["output"]>;

/** How an operation is called besides its input. */
export interface Invocation {
  /** The same key with the same input is carried out once, and answered the same, for 24 hours. */
  readonly idempotencyKey?: string | null;
}

/** Everything the service does. Each door translates into this call and back, and holds no rule. */
export interface Application {
  /**
   * Checks what the credential alone decides, then the input, then runs the use case.
   * Rejects with a `DomainError`; anything else is a fault of ours.
   */
  call<N extends OperationName>(
    name: N,
    caller: Caller,
    input: unknown,
    invocation?: Invocation,
  ): Promise<OperationOutput<N>>;
  /**
   * The first check of `call` alone: the credential's kind and scopes, and the project that the operation is below. Of
   * the input it looks only at the project's name.
   */
  permit(name: OperationName, caller: Caller, input: unknown): void;
  /** The same for what needs no credential. */
  visit<N extends VisitorOperationName>(
    name: N,
    visitor: Visitor,
    input: unknown,
  ): Promise<z.output<(typeof visitorOperations)[N]["output"]>>;
}

type UseCase = (ports: Ports, caller: Caller, input: unknown) => Promise<unknown>;

export function createApplication(ports: Ports): Application {
  return {
    permit: (name, caller, input) => permit(caller, operations[name] as unknown as Operation, input),
    async call(name, caller, input, invocation = {}) {
      const operation = operations[name] as unknown as Operation;
      permit(caller, operation, input);
      const valid = validInput(operation, input);
      const useCase = useCases[name] as unknown as UseCase | Resumable<unknown, unknown, never>;
      const run = typeof useCase === "function" ? useCase : useCase.begin;
      const isRepeatable = operation.effect !== "read" && !operation.unrepeatable;
      const key = isRepeatable ? (invocation.idempotencyKey ?? null) : null;
      const answer =
        key === null
          ? await run(ports, caller, valid)
          : await once(ports, caller, { key, operation: name, input: valid }, (within) =>
              run(within, caller, valid),
            );
      return typeof useCase === "function" ? (answer as never) : useCase.carryOut(ports, caller, answer);
    },
    async visit(name, visitor, input) {
      const valid = validInput(visitorOperations[name] as unknown as Operation, input);
      return visitorUseCases[name](ports, visitor, valid as never) as never;
    },
  };
}

/** What is refused by the credential alone, before the input is checked or anything is looked up. */
function permit(caller: Caller, operation: Operation, input: unknown): void {
  requireOperation(caller, operation);
  const project = operation.http.path.includes("{project_id}") ? projectIn(input) : null;
  if (project !== null) requireProject(caller, project);
}

/** The project that unchecked input names; null where it names none, which is for the validation to say. */
function projectIn(input: unknown): string | null {
  if (typeof input !== "object" || input === null || !("project_id" in input)) return null;
  return typeof input.project_id === "string" ? input.project_id : null;
}
