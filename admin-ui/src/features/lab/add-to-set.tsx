import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Failed } from "../../parts/states.tsx";
import { done } from "../../parts/toasts.tsx";
import type { Space } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { questionsFrom, useMarks } from "./marks.ts";

/** Adds the questions with a good hit to an evaluation set, by its name. */
export function AddToSet({ space }: { readonly space: Space }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Add to an evaluation set
      </Button>
      {isOpen && <NameOfSet space={space} close={() => setOpen(false)} />}
    </>
  );
}

function NameOfSet({ space, close }: { readonly space: Space; readonly close: () => void }) {
  const questions = questionsFrom(useMarks());
  const [name, setName] = useState("");
  const queries = useQueryClient();
  const ofTeam = { team_id: space.teamId };
  const sets = useQuery(trpc.listEvalSets.queryOptions(ofTeam));
  const add = useMutation(trpc.addEvalQuestions.mutationOptions());
  const words = questions.length === 1 ? "1 question" : `${questions.length} questions`;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(
      { ...ofTeam, name: name.trim(), questions },
      {
        onSuccess(answer) {
          void queries.invalidateQueries({ queryKey: trpc.listEvalSets.queryKey() });
          void queries.invalidateQueries({ queryKey: trpc.getEvalSet.queryKey() });
          done(`Added ${words} to ${name.trim()}, which has ${answer.questions} now.`);
          close();
        },
      },
    );
  };
  return (
    <Modal
      opened
      onClose={close}
      title="Add to an evaluation set"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={submit}>
        <p>
          {`${words}, each with the hits that you marked as good. Questions without a good hit are left out.`}
        </p>
        <TextInput
          label="Name of the set"
          description="A new name makes a new set"
          data-autofocus
          required
          maxLength={60}
          list="eval-set-names"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <datalist id="eval-set-names">
          {sets.data?.sets.map((one) => (
            <option key={one.name} value={one.name} />
          ))}
        </datalist>
        {add.isError && <Failed what="Adding them" error={add.error} />}
        <div className="acts">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending}>
            {`Add ${words}`}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
