import type { z } from "zod";
import * as agentOperations from "./agent-operations.ts";
import * as conversationOperations from "./conversation-operations.ts";
import * as endUserOperations from "./end-user-operations.ts";
import * as erasureOperations from "./erasure-operations.ts";
import { getEvalSet } from "./eval-operations.ts";
import * as eventOperations from "./event-operations.ts";
import * as keyOperations from "./key-operations.ts";
import * as ledgerOperations from "./ledger-operations.ts";
import * as lifecycleOperations from "./lifecycle-operations.ts";
import * as maintenanceOperations from "./maintenance-operations.ts";
import * as memoryOperations from "./memory-operations.ts";
import type { Operation } from "./operation.ts";
import * as profileOperations from "./profile-operations.ts";
import * as projectContextOperations from "./project-context-operations.ts";
import * as projectItemOperations from "./project-item-operations.ts";
import * as projectOperations from "./project-operations.ts";
import * as recallOperations from "./recall-operations.ts";
import { sessionOperations } from "./session-operations.ts";
import * as skillOperations from "./skill-operations.ts";
import { runSkillOperation } from "./skill-runtime.ts";
import * as visitorOperations from "./visitor-operations.ts";
import * as webhookOperations from "./webhook-operations.ts";

/** All operations of the service, by name. The surfaces iterate over this; each is bound to a use case. */
export const operations = {
  ...memoryOperations,
  ...conversationOperations,
  ...lifecycleOperations,
  ...recallOperations,
  ...profileOperations,
  getEvalSet,
  ...projectContextOperations,
  ...projectOperations,
  ...projectItemOperations,
  ...maintenanceOperations,
  ...eventOperations,
  ...webhookOperations,
  ...agentOperations,
  ...keyOperations,
  ...erasureOperations,
  ...endUserOperations,
  ...ledgerOperations,
  ...skillOperations,
};

export type OperationName = keyof typeof operations;

/** All operations including those that only a session can call. The tRPC surface derives from this list. */
export const everyOperation = { ...operations, ...sessionOperations };

export type AnyOperationName = keyof typeof everyOperation;

/** Validated input of an operation, including the members that only a session may send. */
export type InputOf<Name extends AnyOperationName> = z.output<
  (typeof everyOperation)[Name] extends {
    readonly session?: { readonly input: infer Input extends z.ZodObject };
  }
    ? Input
    : (typeof everyOperation)[Name]["input"]
>;

export type OutputOf<Name extends AnyOperationName> = z.output<(typeof everyOperation)[Name]["output"]>;

/** Operations for anyone, with or without a credential. */
export { visitorOperations };

export type VisitorOperationName = keyof typeof visitorOperations;

/** A group of operations on one subject, for documentation. */
export interface OperationGroup {
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

const list = (byName: object) => Object.values(byName) as unknown as readonly Operation[];

/** The operations by subject, in reading order. */
export const operationGroups: readonly OperationGroup[] = [
  {
    title: "Memories",
    description: "Write, read and change single memories, or many at once.",
    operations: [...list(memoryOperations), ...list(conversationOperations)],
  },
  {
    title: "Lifecycle",
    description: "Forget and restore memories, prove that they are gone, and complete reminders.",
    operations: list(lifecycleOperations),
  },
  {
    title: "Recall",
    description: "Find memories, pack them for a model, and tell the service what helped.",
    operations: [...list(recallOperations), ...list(profileOperations), getEvalSet],
  },
  {
    title: "Projects",
    description:
      "Share the work of a project: todos, decisions, who did what, and one pack of what matters now.",
    operations: [
      ...list(projectContextOperations),
      ...list(projectOperations),
      ...list(projectItemOperations),
    ],
  },
  {
    title: "Maintenance",
    description:
      "Keep a project's memories in order: see what is due, do it, undo it, or run it on a schedule.",
    operations: list(maintenanceOperations),
  },
  {
    title: "Events",
    description: "Learn of changes as they happen: as a list, as a stream, or delivered to a URL of yours.",
    operations: [...list(eventOperations), ...list(webhookOperations)],
  },
  {
    title: "Ledger",
    description: "Record what was spent, to the exact amount.",
    operations: list(ledgerOperations),
  },
  {
    title: "Agents",
    description:
      "Register an agent without an account, bind it to a user in two steps, and issue narrower tokens.",
    operations: [...list({ registerAgent: visitorOperations.registerAgent }), ...list(agentOperations)],
  },
  {
    title: "Keys",
    description: "Replace a key before it can be misused.",
    operations: list(keyOperations),
  },
  {
    title: "Erasure",
    description: "Erase a user or a team, with a receipt that can be read afterwards.",
    operations: [...list(erasureOperations), ...list({ getErasure: visitorOperations.getErasure })],
  },
  {
    title: "End users",
    description:
      "Serve many end users from one application, each in a space of their own, which the others never see.",
    operations: list(endUserOperations),
  },
  {
    title: "Skills",
    description: "One endpoint for programs that speak only HTTP, and a diagnosis in plain words.",
    operations: list(skillOperations),
  },
];

/** The same groups plus the skill runtime, which dispatches to operations but is not one itself. */
export const routeGroups: readonly OperationGroup[] = operationGroups.map((group) =>
  group.title === "Skills"
    ? { ...group, operations: [...group.operations, ...list({ runSkillOperation })] }
    : group,
);

/** True if the operation needs no credential. */
export function isForVisitors(operation: Operation): boolean {
  return Object.hasOwn(visitorOperations, operation.name);
}

export const operationList: readonly Operation[] = operationGroups.flatMap((group) => group.operations);
