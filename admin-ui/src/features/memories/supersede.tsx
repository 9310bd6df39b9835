import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Failed } from "../../parts/states.tsx";
import { TextArea } from "../../parts/text-area.tsx";
import { done } from "../../parts/toasts.tsx";
import type { Space } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import type { Memory } from "./memory-panel.tsx";

interface SupersedeProps {
  readonly memory: Memory;
  readonly space: Space;
  readonly finish: () => void;
}

/** A newer memory of the same fact: the one before is kept as history. */
export function SupersedeForm({ memory, space, finish }: SupersedeProps) {
  const [content, setContent] = useState(memory.content);
  const queries = useQueryClient();
  const remember = useMutation(
    trpc.remember.mutationOptions({
      async onSuccess({ superseded }) {
        await queries.invalidateQueries();
        done(
          superseded.includes(memory.id)
            ? "A newer memory has superseded it. This one is kept as history."
            : "The newer memory is stored, but it did not supersede this one.",
        );
        finish();
      },
    }),
  );
  const { project_id } = memory.provenance;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remember.mutate({
      content,
      path: memory.path,
      bucket: memory.bucket,
      memory_type: memory.memory_type,
      semantic_key: memory.semantic_key,
      ...(typeof project_id === "string" ? { project_id } : {}),
      ...(space.teamId === null ? {} : { team_id: space.teamId }),
    });
  };
  return (
    <form onSubmit={submit} className="dialog-body">
      {remember.isError && <Failed what="Not replaced" error={remember.error} />}
      <TextArea
        label="What is true from now on"
        description={`The fact ${memory.semantic_key ?? ""}`}
        rows={4}
        required
        maxLength={65_536}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
      />
      <div className="acts">
        <Button
          type="submit"
          loading={remember.isPending}
          disabled={content.trim() === memory.content.trim()}
        >
          Replace this memory
        </Button>
        <Button variant="default" onClick={finish}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
