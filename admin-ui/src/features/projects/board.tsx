/** Todos by where they stand. A card moves by its menu, by dragging, or by Shift and an arrow key. */
import { ActionIcon, Button, Menu } from "@mantine/core";
import { type DragEvent, type KeyboardEvent, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Status } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { type Dependencies, Depends, dependenciesOf } from "./dependencies.tsx";
import {
  COLUMNS,
  type ColumnName,
  columnOf,
  isFinished,
  STEP_WORDS,
  type Step,
  stepsOf,
  stepTo,
  type Todo,
} from "./todo-moves.ts";

const SHOWN = 30;

interface BoardProps {
  readonly todos: readonly Todo[];
  readonly chosen: string | undefined;
  readonly open: (id: string) => void;
  /** null where the role may not move anything. */
  readonly move: ((todo: Todo, step: Step) => void) | null;
}

export function Board({ todos, chosen, open, move }: BoardProps) {
  const [dragged, setDragged] = useState<Todo | null>(null);
  const [lit, setLit] = useState<string | null>(null);
  const of = dependenciesOf(todos);
  const about = todos.find(({ todo_id }) => todo_id === lit);
  const near = about && of(about);
  const roleOf = ({ todo_id }: Todo): string | undefined => {
    if (near === undefined || near.before.length + near.after.length === 0) return undefined;
    const isIn = (some: readonly Todo[]) => some.some((one) => one.todo_id === todo_id);
    return todo_id === lit ? "self" : isIn(near.before) ? "before" : isIn(near.after) ? "after" : "other";
  };
  const light = ({ target }: { readonly target: EventTarget }) =>
    setLit((target as HTMLElement).closest<HTMLElement>(".card")?.dataset.todo ?? null);
  const drop = (column: ColumnName) => {
    const step = dragged && stepTo(dragged, column);
    if (dragged && step) move?.(dragged, step);
    setDragged(null);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only marks the cards that one depends on, which each card says in words
    <div
      className="board"
      onPointerOver={light}
      onPointerLeave={() => setLit(null)}
      onFocus={light}
      onBlur={() => setLit(null)}
    >
      {COLUMNS.map(({ name, title }) => (
        <Column
          key={name}
          name={name}
          title={title}
          todos={todos.filter((todo) => columnOf(todo) === name)}
          of={of}
          roleOf={roleOf}
          chosen={chosen}
          open={open}
          move={move}
          drag={setDragged}
          isTarget={dragged !== null && stepTo(dragged, name) !== null}
          drop={() => drop(name)}
        />
      ))}
    </div>
  );
}

interface ColumnProps extends BoardProps {
  readonly name: ColumnName;
  readonly title: string;
  readonly of: (todo: Todo) => Dependencies;
  /** A card beside the one that is focused: what that depends on, and what it blocks. */
  readonly roleOf: (todo: Todo) => string | undefined;
  readonly drag: (todo: Todo | null) => void;
  readonly isTarget: boolean;
  readonly drop: () => void;
}

function Column({ name, title, todos, isTarget, drop, ...shared }: ColumnProps) {
  const [shown, setShown] = useState(SHOWN);
  const over = (event: DragEvent) => {
    if (isTarget) event.preventDefault();
  };
  return (
    <section
      className="column"
      aria-label={`${title}, ${todos.length}`}
      data-column={name}
      data-target={isTarget || undefined}
      onDragOver={over}
      onDrop={drop}
    >
      <h2>
        {title} <span className="soft">{todos.length}</span>
      </h2>
      <ol className="plain" onKeyDown={goAmongCards}>
        {todos.slice(0, shown).map((todo) => (
          <Card key={todo.todo_id} todo={todo} {...shared} />
        ))}
      </ol>
      {todos.length === 0 && <p className="soft none">None</p>}
      {todos.length > shown && (
        <Button size="xs" variant="default" onClick={() => setShown(shown + SHOWN)}>
          {`Show ${Math.min(SHOWN, todos.length - shown)} more`}
        </Button>
      )}
    </section>
  );
}

/** The arrow keys go from card to card, and from column to column. */
function goAmongCards(event: KeyboardEvent) {
  const card = (event.target as HTMLElement).closest<HTMLElement>(".card");
  if (!card || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
  const column = card.closest(".column");
  const cards = (of: Element | null | undefined) => [
    ...(of?.querySelectorAll<HTMLElement>(".card .open") ?? []),
  ];
  const own = cards(column);
  const at = own.indexOf(card.querySelector(".open") as HTMLElement);
  const sideways = (step: "nextElementSibling" | "previousElementSibling") => {
    for (let next = column?.[step]; next; next = next[step]) {
      const there = cards(next);
      if (there.length > 0) return there[Math.min(at, there.length - 1)];
    }
    return undefined;
  };
  const targets: Readonly<Record<string, HTMLElement | undefined>> = {
    ArrowDown: own[at + 1],
    ArrowUp: own[at - 1],
    ArrowRight: sideways("nextElementSibling"),
    ArrowLeft: sideways("previousElementSibling"),
  };
  if (!(event.key in targets)) return;
  event.preventDefault();
  targets[event.key]?.focus();
}

const PRIORITIES = {
  urgent: { tone: "bad", icon: "bad", word: "Urgent" },
  high: { tone: "warn", icon: "warn", word: "High" },
} as const;

interface CardProps extends Pick<ColumnProps, "of" | "roleOf" | "chosen" | "open" | "move" | "drag"> {
  readonly todo: Todo;
}

function Card({ todo, of, roleOf, chosen, open, move, drag }: CardProps) {
  const { todo_id, content, priority, due_at, assignee_agent_id, blocked_reason, status } = todo;
  const { before, after } = of(todo);
  const isOverdue = due_at !== null && !isFinished(todo) && Date.parse(due_at) < Date.now();
  const steps = move === null ? [] : stepsOf(todo);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (to === undefined || !event.shiftKey) return;
    event.preventDefault();
    const column = COLUMNS[COLUMNS.findIndex(({ name }) => name === columnOf(todo)) + to];
    const step = column && stepTo(todo, column.name);
    if (step) move?.(todo, step);
  };
  return (
    <li
      className="card"
      data-todo={todo_id}
      data-chosen={todo_id === chosen || undefined}
      data-role={roleOf(todo)}
      draggable={steps.length > 0}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "move";
        drag(todo);
      }}
      onDragEnd={() => drag(null)}
      onKeyDown={onKeyDown}
    >
      <div className="top">
        <button
          type="button"
          className="open grow"
          aria-current={todo_id === chosen || undefined}
          onClick={() => open(todo_id)}
        >
          <bdi>{content.slice(0, 160)}</bdi>
        </button>
        {steps.length > 0 && <Moves todo={todo} steps={steps} move={move} />}
      </div>
      <p className="marks">
        {(priority === "urgent" || priority === "high") && !isFinished(todo) && (
          <Status {...PRIORITIES[priority]} />
        )}
        {isOverdue && <Status tone="warn" icon="clock" word="Overdue" />}
        {status === "cancelled" && <Status tone="soft" icon="close" word="Cancelled" />}
        {assignee_agent_id !== null && (
          <span className="soft who">
            <Icon name="agent" size={16} /> <bdi>{assignee_agent_id}</bdi>
          </span>
        )}
        {due_at !== null && !isFinished(todo) && (
          <span className="soft">
            {"due "}
            <Time at={due_at} />
          </span>
        )}
      </p>
      <Depends label="Depends on" todos={before} open={open} />
      <Depends label="Blocks" todos={after} open={open} />
      {blocked_reason !== null && status === "blocked" && <p className="stored soft">{blocked_reason}</p>}
    </li>
  );
}

interface MovesProps extends Pick<CardProps, "todo" | "move"> {
  readonly steps: readonly Step[];
}

function Moves({ todo, steps, move }: MovesProps) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" size={28} aria-label={`Move: ${todo.content.slice(0, 60)}`}>
          <Icon name="menu" size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {steps.map((step) => (
          <Menu.Item key={step} onClick={() => move?.(todo, step)}>
            {STEP_WORDS[step].act}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
