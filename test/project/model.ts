/** What a todo is expected to be, told from the contract's tables alone. */
export interface ModelTodo {
  status: string;
  assignee: string | null;
  acceptedBy: string | null;
  /** What it was before it was blocked. */
  before: string | null;
  readonly dependsOn: readonly number[];
  /** How many lines its audit trail has. */
  lines: number;
}

export interface ModelDecision {
  status: string;
  resolution: string | null;
  /** The place of the decision that replaced it. */
  supersededBy: number | null;
  lines: number;
}

/** What one step is expected to answer: 200, or the code of the refusal. */
export type Expected = 200 | string;

const isOver = (status: string) => status === "completed" || status === "cancelled";

/** One workspace as plain lists. */
export class WorkspaceModel {
  readonly todos: ModelTodo[] = [];
  readonly decisions: ModelDecision[] = [];

  addTodo(assignee: string | null, dependsOn: readonly number[]): void {
    const status = assignee === null ? "open" : "assigned";
    this.todos.push({ status, assignee, acceptedBy: null, before: null, dependsOn, lines: 1 });
  }

  addDecision(): void {
    this.decisions.push({ status: "proposed", resolution: null, supersededBy: null, lines: 1 });
  }

  /** Does the step where it is allowed. `who` does it; `assignee` is for assign. */
  todoStep(place: number, operation: string, who: string, assignee: string): Expected {
    const todo = this.todos[place] as ModelTodo;
    if (isOver(todo.status)) {
      const repeats = { completed: "complete", cancelled: "cancel" }[
        todo.status as "completed" | "cancelled"
      ];
      return operation === repeats ? 200 : "invalid_transition";
    }
    const isBlocked = todo.status === "blocked";
    switch (operation) {
      case "accept":
        if (isBlocked) return "invalid_transition";
        if (todo.status === "accepted") return todo.acceptedBy === who ? 200 : "already_accepted";
        if (todo.assignee !== null && todo.assignee !== who) return "assigned_to_other";
        return this.#change(todo, { status: "accepted", acceptedBy: who });
      case "assign": {
        const given = { assignee, acceptedBy: null };
        return this.#change(
          todo,
          isBlocked ? { ...given, before: "assigned" } : { ...given, status: "assigned" },
        );
      }
      case "block":
        return isBlocked ? 200 : this.#change(todo, { status: "blocked", before: todo.status });
      case "unblock":
        if (!isBlocked) return "invalid_transition";
        return this.#change(todo, { status: todo.before as string, before: null });
      case "complete":
        if (isBlocked) return "invalid_transition";
        if (todo.dependsOn.some((one) => !isOver((this.todos[one] as ModelTodo).status)))
          return "dependency_incomplete";
        return this.#change(todo, { status: "completed" });
      default:
        return this.#change(todo, { status: "cancelled", before: null });
    }
  }

  decisionStep(place: number, operation: string, resolution: string): Expected {
    const decision = this.decisions[place] as ModelDecision;
    const { status } = decision;
    if (operation === "resolve" && status === "proposed")
      return this.#change(decision, { status: "resolved", resolution });
    if (operation === "reopen" && status === "resolved")
      return this.#change(decision, { status: "proposed", resolution: null });
    if (operation === "supersede" && status !== "superseded") {
      this.addDecision();
      return this.#change(decision, { status: "superseded", supersededBy: this.decisions.length - 1 });
    }
    return "invalid_transition";
  }

  /** Another line in the trail, unless everything is as it was. */
  #change<T extends { lines: number }>(item: T, change: Partial<T>): 200 {
    const isSame = Object.entries(change).every(([name, value]) => item[name as keyof T] === value);
    if (!isSame) Object.assign(item, change, { lines: item.lines + 1 });
    return 200;
  }
}
