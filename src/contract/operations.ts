import * as lifecycleOperations from "./lifecycle-operations.ts";
import * as memoryOperations from "./memory-operations.ts";
import type { Operation } from "./operation.ts";
import * as recallOperations from "./recall-operations.ts";

/** Everything the service can do, by name. The doors loop over this; a use case is bound to each. */
export const operations = { ...memoryOperations, ...lifecycleOperations, ...recallOperations };

export type OperationName = keyof typeof operations;

/** A subject people look operations up by. */
export interface OperationGroup {
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

const list = (byName: object) => Object.values(byName) as unknown as readonly Operation[];

/** The operations by subject, in the order a reader meets them. */
export const operationGroups: readonly OperationGroup[] = [
  {
    title: "Memories",
    description: "Write, read and change single memories, or many at once.",
    operations: list(memoryOperations),
  },
  {
    title: "Lifecycle",
    description: "Forget and restore memories, prove that they are gone, and complete reminders.",
    operations: list(lifecycleOperations),
  },
  {
    title: "Recall",
    description: "Find memories, pack them for a model, and tell the service what helped.",
    operations: list(recallOperations),
  },
];

/** The operations as a list of their common shape. */
export const operationList: readonly Operation[] = operationGroups.flatMap((group) => group.operations);
