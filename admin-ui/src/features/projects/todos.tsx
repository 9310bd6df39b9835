import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { TextArea } from "../../parts/text-area.tsx";
import { Time } from "../../parts/time.tsx";
import { done } from "../../parts/toasts.tsx";
import { mayWrite } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { Board } from "./board.tsx";
import { Order } from "./dependencies.tsx";
import type { OfProject } from "./pack.tsx";
import { isFinished, type Step, type Todo } from "./todo-moves.ts";
import { needsWords, StepDialog, useTodoSteps } from "./todo-steps.tsx";
import { todosOf } from "./whole-lists.ts";

interface TodosProps extends OfProject {
  readonly id: string | undefined;
  readonly open: (id: string | undefined) => void;
  readonly isOrder: boolean;
  readonly setOrder: (isOrder: boolean) => void;
}

/** What is open, who has it, and what it waits for. */
export function Todos({ project, space, id, open, isOrder, setOrder }: TodosProps) {
  const [isAdding, setAdding] = useState(false);
  const [asking, setAsking] = useState<{ readonly todo: Todo; readonly step: Step } | null>(null);
  const list = useQuery(todosOf({ project_id: project, team_id: space.teamId }));
  const steps = useTodoSteps();
  const move = (todo: Todo, step: Step) => {
    if (needsWords(step)) setAsking({ todo, step });
    else steps.mutate({ todo, step, words: "" });
  };
  const todos = list.data ?? [];
  const chosen = todos.find(({ todo_id }) => todo_id === id);
  const openCount = todos.filter((todo) => !isFinished(todo)).length;
  return (
    <>
      <div className="heading">
        <p className="grow" role="status">
          {list.data && `${openCount} open, most urgent first`}
        </p>
        <Button variant="default" aria-pressed={isOrder} onClick={() => setOrder(!isOrder)}>
          By dependencies
        </Button>
        {mayWrite(space) && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            Add a todo
          </Button>
        )}
      </div>
      {list.isPending && <Waiting what="the todos" />}
      {list.isError && <Failed what="The todos" error={list.error} retry={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <Empty title="No todo yet">
          Everything to be done in this project is listed here, whoever wrote it down.
        </Empty>
      )}
      {todos.length > 0 && isOrder && <Order todos={todos} open={open} />}
      {todos.length > 0 && !isOrder && (
        <Board todos={todos} chosen={id} open={open} move={mayWrite(space) ? move : null} />
      )}
      {chosen && <TodoPanel todo={chosen} todos={todos} open={open} />}
      {list.data && id !== undefined && !chosen && (
        <p className="soft" role="status">
          The todo at this address is not in the list: it was removed, or archived by maintenance.
        </p>
      )}
      {asking && <StepDialog {...asking} close={() => setAsking(null)} />}
      {isAdding && <AddTodo project={project} space={space} todos={todos} close={() => setAdding(false)} />}
    </>
  );
}

interface TodoPanelProps {
  readonly todo: Todo;
  readonly todos: readonly Todo[];
  readonly open: (id: string | undefined) => void;
}

/** All of one todo: its words, what it waits for, and what happened to it. */
function TodoPanel({ todo, todos, open }: TodoPanelProps) {
  const others = todo.depends_on.flatMap((id) => todos.filter(({ todo_id }) => todo_id === id));
  const said = todo.blocked_reason ?? todo.completion_note ?? todo.cancel_reason;
  return (
    <Modal
      opened
      size="lg"
      onClose={() => open(undefined)}
      title="Todo"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <p className="stored">{todo.content}</p>
      <p className="marks soft">
        {`${todo.status}, ${todo.priority} priority`}
        {todo.accepted_by_agent_id !== null && (
          <>
            {", accepted by "}
            <bdi>{todo.accepted_by_agent_id}</bdi>
          </>
        )}
      </p>
      {said !== null && <p className="stored">{said}</p>}
      {others.length > 0 && (
        <>
          <h3>Depends on</h3>
          <ul className="plain rows">
            {others.map((other) => (
              <li key={other.todo_id}>
                <Status
                  tone={isFinished(other) ? "good" : "soft"}
                  icon={isFinished(other) ? "good" : "waits"}
                  word={other.status}
                />
                <Button
                  className="grow"
                  variant="subtle"
                  size="compact-sm"
                  onClick={() => open(other.todo_id)}
                >
                  <bdi>{other.content.slice(0, 80)}</bdi>
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>What happened to it</h3>
      <ol className="plain rows">
        {todo.audit_trail.map(({ at, operation, from, to, actor, note }) => (
          <li key={`${at} ${operation}`}>
            <span className="grow">
              {operation}
              {from !== null && from !== to && <span className="soft">{` · ${from} → ${to}`}</span>}
              {actor.agent_id !== null && (
                <span className="soft">
                  {" · "}
                  <bdi>{actor.agent_id}</bdi>
                </span>
              )}
              {note !== null && <span className="stored">{` · ${note}`}</span>}
            </span>
            <span className="soft">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ol>
    </Modal>
  );
}

const PRIORITIES = ["low", "normal", "high", "urgent"] as const;

interface AddTodoProps extends OfProject {
  readonly todos: readonly Todo[];
  readonly close: () => void;
}

function AddTodo({ project, space, todos, close }: AddTodoProps) {
  const [content, setContent] = useState("");
  const [priority, setPriority] = useState<string>("normal");
  const [due, setDue] = useState("");
  const [after, setAfter] = useState<string | null>(null);
  const queries = useQueryClient();
  const create = useMutation(
    trpc.createTodo.mutationOptions({
      onSuccess() {
        done("The todo was added.");
        close();
      },
      onSettled: () => queries.invalidateQueries(),
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({
      project_id: project,
      content,
      priority: priority as (typeof PRIORITIES)[number],
      ...(due === "" ? {} : { due_at: new Date(due).toISOString() }),
      ...(after === null ? {} : { depends_on: [after] }),
      ...(space.teamId === null ? {} : { team_id: space.teamId }),
    });
  };
  const unfinished = todos.filter((todo) => !isFinished(todo)).slice(0, 200);
  return (
    <Modal opened onClose={close} title="Add a todo" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit} className="form">
        {create.isError && <Failed what="Not added" error={create.error} />}
        <TextArea
          label="What to do"
          required
          rows={2}
          maxLength={65_536}
          data-autofocus
          value={content}
          onChange={(event) => setContent(event.currentTarget.value)}
        />
        <Select
          label="Priority"
          allowDeselect={false}
          data={PRIORITIES}
          value={priority}
          onChange={(chosen) => chosen && setPriority(chosen)}
        />
        <TextInput
          type="datetime-local"
          label="Due"
          description="In this device's time zone"
          value={due}
          onChange={(event) => setDue(event.currentTarget.value)}
        />
        {unfinished.length > 0 && (
          <Select
            label="Depends on"
            clearable
            searchable
            data={unfinished.map(({ todo_id, content }) => ({ value: todo_id, label: content.slice(0, 80) }))}
            value={after}
            onChange={setAfter}
          />
        )}
        <div className="acts">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Add it
          </Button>
        </div>
      </form>
    </Modal>
  );
}
