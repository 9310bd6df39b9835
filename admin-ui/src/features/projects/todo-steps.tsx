/** Taking a todo one step on: at once where no words are needed, else by a dialog that asks for them. */
import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Failed } from "../../parts/states.tsx";
import { TextArea } from "../../parts/text-area.tsx";
import { done, notDone } from "../../parts/toasts.tsx";
import { client, type Outputs, trpc } from "../../shell/trpc.ts";
import { STEP_WORDS, type Step, type Todo } from "./todo-moves.ts";

type List = Outputs["listTodos"];

interface Move {
  readonly todo: Todo;
  readonly step: Step;
  /** The reason, the note or the agent. */
  readonly words: string;
}

function call({ todo, step, words }: Move): Promise<unknown> {
  const of = { project_id: todo.project_id, todo_id: todo.todo_id, if_match: todo.etag };
  const said = words.trim() === "" ? null : words;
  switch (step) {
    case "accept":
      return client.acceptTodo.mutate(of);
    case "unblock":
      return client.unblockTodo.mutate(of);
    case "assign":
      return client.assignTodo.mutate({ ...of, assignee_agent_id: words.trim() });
    case "block":
      return client.blockTodo.mutate({ ...of, reason: words });
    case "complete":
      return client.completeTodo.mutate({ ...of, note: said });
    case "cancel":
      return client.cancelTodo.mutate({ ...of, reason: said });
  }
}

/** What can be taken back is shown at once, and put back where it is refused: taking on, and that alone. */
export function useTodoSteps() {
  const queries = useQueryClient();
  const lists = { queryKey: trpc.listTodos.pathKey() };
  return useMutation({
    mutationFn: call,
    async onMutate({ todo, step }: Move) {
      if (step !== "accept") return undefined;
      await queries.cancelQueries(lists);
      const before = queries.getQueriesData<List>(lists);
      queries.setQueriesData<List>(lists, (list) =>
        list?.map((one) => (one.todo_id === todo.todo_id ? { ...one, status: "accepted" } : one)),
      );
      return () => {
        for (const [key, data] of before) queries.setQueryData(key, data);
      };
    },
    onSuccess: (_, { step }) => done(STEP_WORDS[step].did),
    onError(error, { step }, putBack) {
      putBack?.();
      // A dialog says so itself.
      if (!needsWords(step)) notDone("Not moved", error);
    },
    onSettled: () => queries.invalidateQueries(),
  });
}

export const needsWords = (step: Step) => step !== "accept" && step !== "unblock";

const ASKED: Readonly<
  Partial<Record<Step, { title: string; label: string; button: string; isNeeded: boolean }>>
> = {
  assign: { title: "Assign this todo", label: "Agent", button: "Assign it", isNeeded: true },
  block: { title: "Block this todo", label: "What is blocking it", button: "Block it", isNeeded: true },
  complete: { title: "Complete this todo", label: "Note", button: "Complete it", isNeeded: false },
  cancel: { title: "Cancel this todo", label: "Reason", button: "Cancel the todo", isNeeded: false },
};

export function StepDialog({
  todo,
  step,
  close,
}: Pick<Move, "todo" | "step"> & { readonly close: () => void }) {
  const [words, setWords] = useState("");
  const move = useTodoSteps();
  const asked = ASKED[step];
  if (!asked) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    move.mutate({ todo, step, words }, { onSuccess: close });
  };
  const field = {
    label: asked.label,
    required: asked.isNeeded,
    "data-autofocus": true,
    value: words,
    maxLength: step === "assign" ? 128 : 1024,
    onChange: (event: { currentTarget: { value: string } }) => setWords(event.currentTarget.value),
  };
  return (
    <Modal opened onClose={close} title={asked.title} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit} className="form">
        {move.isError && <Failed what="Not moved" error={move.error} />}
        <p className="stored">{todo.content.slice(0, 400)}</p>
        {(step === "complete" || step === "cancel") && (
          <p className="soft">This is final: a finished todo cannot be reopened.</p>
        )}
        {step === "assign" ? <TextInput {...field} /> : <TextArea rows={2} {...field} />}
        <div className="acts">
          <Button variant="default" onClick={close}>
            Not now
          </Button>
          <Button type="submit" loading={move.isPending}>
            {asked.button}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
