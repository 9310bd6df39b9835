/** What a todo is expected to be, told from the contract's tables alone. */
export interface ModelTodo {
  status: string;
  assignee: string | null;
  acceptedBy: string | null;
  /** What it was before it was blocked. */
  before: string | null;
  dependsOn: readonly number[];
  /** What became of it; null while it is there. */
  gone: Gone | null;
  /** How many lines its audit trail has. */
  lines: number;
}

export interface ModelDecision {
  status: string;
  resolution: string | null;
  /** The place of the decision that replaced it. */
  supersededBy: number | null;
  gone: Gone | null;
  lines: number;
}

/** Deleted for the time being, its words gone, or deleted for good. */
export type Gone = "soft_delete" | "redact" | "both" | "hard_delete";

/** What one step is expected to answer: 200, or the code of the refusal. */
export type Expected = 200 | string;

const isOver = (status: string) => status === "completed" || status === "cancelled";

/** What is deleted is not there, and what is redacted changes no more. */
function refusalOf({ gone }: ModelTodo | ModelDecision): string | null {
  if (gone === null) return null;
  return gone === "redact" ? "conflict" : "not_found";
}

/** One workspace as plain lists. */
export class WorkspaceModel {
  readonly todos: ModelTodo[] = [];
  readonly decisions: ModelDecision[] = [];

  addTodo(assignee: string | null, dependsOn: readonly number[]): void {
    const status = assignee === null ? "open" : "assigned";
    this.todos.push({ status, assignee, acceptedBy: null, before: null, dependsOn, gone: null, lines: 1 });
  }

  addDecision(): void {
    this.decisions.push({ status: "proposed", resolution: null, supersededBy: null, gone: null, lines: 1 });
  }

  /** Does the step where it is allowed. `who` does it; `assignee` is for assign. */
  todoStep(place: number, operation: string, who: string, assignee: string): Expected {
    const todo = this.todos[place] as ModelTodo;
    const refusal = refusalOf(todo);
    if (refusal !== null) return refusal;
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
        if (todo.dependsOn.some((one) => this.#isUnfinished(one))) return "dependency_incomplete";
        return this.#change(todo, { status: "completed" });
      default:
        return this.#change(todo, { status: "cancelled", before: null });
    }
  }

  decisionStep(place: number, operation: string, resolution: string): Expected {
    const decision = this.decisions[place] as ModelDecision;
    const { status } = decision;
    const refusal = refusalOf(decision);
    if (refusal !== null) return refusal;
    if (operation === "resolve" && status === "proposed")
      return this.#change(decision, { status: "resolved", resolution });
    if (operation === "reopen" && (status === "resolved" || this.#hasLostSuccessor(decision)))
      return this.#change(decision, { status: "proposed", resolution: null, supersededBy: null });
    if (operation === "supersede" && status !== "superseded") {
      this.addDecision();
      return this.#change(decision, { status: "superseded", supersededBy: this.decisions.length - 1 });
    }
    return "invalid_transition";
  }

  #hasLostSuccessor({ status, supersededBy }: ModelDecision): boolean {
    return status === "superseded" && (supersededBy === null || !this.isThere("decisions", supersededBy));
  }

  /** Names other dependencies, or refuses what would close a circle. What is deleted cannot be named, and stays. */
  dependOn(place: number, named: readonly number[]): Expected {
    const todo = this.todos[place] as ModelTodo;
    const refusal = refusalOf(todo);
    if (refusal !== null) return refusal;
    const shown = todo.dependsOn.filter((one) => this.isThere("todos", one));
    if (JSON.stringify(shown) === JSON.stringify(named)) return 200;
    if (named.some((one) => !this.isThere("todos", one) || this.#waitsFor(one, place)))
      return "validation_failed";
    if (todo.status === "completed" && named.some((one) => this.#isUnfinished(one)))
      return "dependency_incomplete";
    const kept = todo.dependsOn.filter((one) => this.#is("todos", one, ["soft_delete", "both"]));
    return this.#change(todo, { dependsOn: [...named, ...kept] });
  }

  /** Says something else; what a decision says is fixed once it is resolved. */
  correct(kind: "todos" | "decisions", place: number): Expected {
    const item = this[kind][place] as ModelTodo | ModelDecision;
    const refusal = refusalOf(item);
    if (refusal !== null) return refusal;
    if (kind === "decisions" && item.status !== "proposed") return "invalid_transition";
    item.lines += 1;
    return 200;
  }

  remove(
    kind: "todos" | "decisions",
    place: number,
    mode: "soft_delete" | "redact" | "hard_delete",
  ): Expected {
    const item = this[kind][place] as ModelTodo | ModelDecision;
    if (item.gone === "hard_delete") return "not_found";
    const isSoft = item.gone === "soft_delete" || item.gone === "both";
    if (mode === "hard_delete") this.#forget(kind, place);
    else if (mode === "redact") {
      item.gone = "redact";
      item.lines += 1;
      if ("dependsOn" in item) item.dependsOn = [];
    } else if (!isSoft) {
      item.gone = item.gone === "redact" ? "both" : "soft_delete";
      item.lines += 1;
    }
    return 200;
  }

  restore(kind: "todos" | "decisions", place: number): Expected {
    const item = this[kind][place] as ModelTodo | ModelDecision;
    if (item.gone === "hard_delete") return "not_found";
    if (item.gone !== "soft_delete" && item.gone !== "both") return "not_restorable";
    item.gone = item.gone === "both" ? "redact" : null;
    item.lines += 1;
    if (kind === "todos" && !isOver(item.status)) this.#releaseCompleted(place);
    return 200;
  }

  /** True for what is read by its id. */
  isThere(kind: "todos" | "decisions", place: number): boolean {
    return !this.#is(kind, place, ["soft_delete", "both", "hard_delete"]);
  }

  #is(kind: "todos" | "decisions", place: number, ways: readonly Gone[]): boolean {
    const { gone } = this[kind][place] as ModelTodo | ModelDecision;
    return gone !== null && ways.includes(gone);
  }

  #forget(kind: "todos" | "decisions", place: number): void {
    (this[kind][place] as ModelTodo | ModelDecision).gone = "hard_delete";
    if (kind === "decisions") return;
    for (const todo of this.todos) todo.dependsOn = todo.dependsOn.filter((one) => one !== place);
    (this.todos[place] as ModelTodo).dependsOn = [];
  }

  /** What was completed while this todo was deleted did not wait for it. */
  #releaseCompleted(place: number): void {
    for (const todo of this.todos)
      if (todo.status === "completed") todo.dependsOn = todo.dependsOn.filter((one) => one !== place);
  }

  #isUnfinished(place: number): boolean {
    const { gone, status } = this.todos[place] as ModelTodo;
    return gone === null && !isOver(status);
  }

  #waitsFor(place: number, other: number): boolean {
    const { dependsOn } = this.todos[place] as ModelTodo;
    return place === other || dependsOn.some((one) => this.#waitsFor(one, other));
  }

  /** Another line in the trail, unless everything is as it was. */
  #change<T extends { lines: number }>(item: T, change: Partial<T>): 200 {
    const isSame = Object.entries(change).every(([name, value]) => item[name as keyof T] === value);
    if (!isSame) Object.assign(item, change, { lines: item.lines + 1 });
    return 200;
  }
}
