/** What unfinished todos depend on, in words on their cards, and the order that follows from it. */
import { Status } from "../../parts/status.tsx";
import { COLUMNS, columnOf, isFinished, type Todo } from "./todo-moves.ts";

/** The unfinished todos that each unfinished todo depends on, and those that it blocks, by id. */
export interface Dependencies {
  readonly before: readonly Todo[];
  readonly after: readonly Todo[];
}

const NONE: Dependencies = { before: [], after: [] };

export function dependenciesOf(todos: readonly Todo[]): (todo: Todo) => Dependencies {
  const unfinished = new Map(todos.filter((todo) => !isFinished(todo)).map((todo) => [todo.todo_id, todo]));
  const after = new Map<string, Todo[]>();
  for (const todo of unfinished.values())
    for (const id of todo.depends_on) after.set(id, [...(after.get(id) ?? []), todo]);
  return (todo) =>
    unfinished.has(todo.todo_id)
      ? {
          before: todo.depends_on.flatMap((id) => unfinished.get(id) ?? []),
          after: after.get(todo.todo_id) ?? [],
        }
      : NONE;
}

const NAMED_MAX = 5;
const NAME_CHARACTERS = 48;

interface DependsProps {
  readonly label: string;
  readonly todos: readonly Todo[];
  readonly open: (id: string) => void;
}

/** Names other todos; each opens. */
export function Depends({ label, todos, open }: DependsProps) {
  if (todos.length === 0) return null;
  return (
    <p className="deps">
      <span className="soft">{label}</span>
      {todos.slice(0, NAMED_MAX).map(({ todo_id, content }) => (
        <button key={todo_id} type="button" onClick={() => open(todo_id)}>
          <bdi>{content.length > NAME_CHARACTERS ? `${content.slice(0, NAME_CHARACTERS)}…` : content}</bdi>
        </button>
      ))}
      {todos.length > NAMED_MAX && <span className="soft">{`and ${todos.length - NAMED_MAX} more`}</span>}
    </p>
  );
}

const LAYERS = [
  ["Ready", "Depends on nothing that is unfinished"],
  ["Next", "Once what is ready is done"],
  ["Later", "After that"],
] as const;

/** Unfinished todos by the longest chain of others that come first. */
export function Order({ todos, open }: Pick<DependsProps, "todos" | "open">) {
  const of = dependenciesOf(todos);
  const depths = new Map<string, number>();
  const depthOf = (todo: Todo): number => {
    const known = depths.get(todo.todo_id);
    if (known !== undefined) return known;
    // Ends a circle, which the service refuses.
    depths.set(todo.todo_id, 0);
    const depth = Math.max(0, ...of(todo).before.map((other) => depthOf(other) + 1));
    depths.set(todo.todo_id, depth);
    return depth;
  };
  const unfinished = todos.filter((todo) => !isFinished(todo));
  return (
    <div className="order">
      {LAYERS.map(([title, words], layer) => {
        const here = unfinished.filter((todo) => Math.min(LAYERS.length - 1, depthOf(todo)) === layer);
        return (
          <section key={title} className="column" aria-label={`${title}, ${here.length}`}>
            <h2>
              {title} <span className="soft">{`${here.length} · ${words}`}</span>
            </h2>
            <ul className="plain rows">
              {here.map((todo) => (
                <li key={todo.todo_id}>
                  <Status
                    tone={todo.status === "blocked" ? "warn" : "soft"}
                    icon={todo.status === "blocked" ? "warn" : "waits"}
                    word={COLUMNS.find(({ name }) => name === columnOf(todo))?.title ?? ""}
                  />
                  <span className="grow">
                    <button type="button" className="open" onClick={() => open(todo.todo_id)}>
                      <bdi>{todo.content.slice(0, 160)}</bdi>
                    </button>
                    <Depends label="after" todos={of(todo).before} open={open} />
                  </span>
                  <span className="soft">
                    {todo.assignee_agent_id === null ? "Unassigned" : <bdi>{todo.assignee_agent_id}</bdi>}
                  </span>
                </li>
              ))}
            </ul>
            {here.length === 0 && <p className="soft none">None</p>}
          </section>
        );
      })}
    </div>
  );
}
