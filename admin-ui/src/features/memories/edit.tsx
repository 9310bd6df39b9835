import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ChangeEvent, type FormEvent, useState } from "react";
import { Failed } from "../../parts/states.tsx";
import { TextArea } from "../../parts/text-area.tsx";
import { done } from "../../parts/toasts.tsx";
import { codeOf, trpc } from "../../shell/trpc.ts";
import type { Memory } from "./memory-panel.tsx";

const TEXTS = ["content", "path", "memory_type", "bucket"] as const;

/** The values of the form's fields. */
type FieldValues = Record<(typeof TEXTS)[number] | "importance", string>;

const fieldValues = ({ content, path, memory_type, bucket, importance }: Memory): FieldValues => ({
  content,
  path,
  memory_type,
  bucket,
  importance: String(importance),
});

/** The fields that the user changed. Others are not sent, so that changes made elsewhere in the meantime are kept. */
function changeOf(memory: Memory, typed: FieldValues) {
  const texts = TEXTS.filter((name) => typed[name] !== memory[name]).map((name) => [name, typed[name]]);
  const importance = Number(typed.importance);
  const importanceChanged = typed.importance.trim() !== "" && importance !== memory.importance;
  return { ...Object.fromEntries(texts), ...(importanceChanged ? { importance } : {}) } as Partial<
    Pick<Memory, (typeof TEXTS)[number] | "importance">
  >;
}

/** Keeps what the user typed until it is saved, even if saving fails. */
export function EditForm({ memory, finish }: { readonly memory: Memory; readonly finish: () => void }) {
  const [typed, setTyped] = useState(() => fieldValues(memory));
  /** The version that the user last saw: when the form opened, or after loading a change. */
  const [etag, setEtag] = useState(memory.etag);
  const [acknowledged, setAcknowledged] = useState(false);
  const queries = useQueryClient();
  const update = useMutation(
    trpc.updateMemory.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries();
        done("The memory was changed. Its earlier version is kept.");
        finish();
      },
    }),
  );
  const hasChanged =
    etag !== memory.etag || (update.isError && codeOf(update.error) === "precondition_failed");
  const change = changeOf(memory, typed);
  const field = (name: keyof FieldValues) => ({
    value: typed[name],
    required: true,
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setTyped((before) => ({ ...before, [name]: value })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ memory_id: memory.id, if_match: etag, ...change });
  };
  const loadChange = async () => {
    const now = await queries.fetchQuery(
      trpc.getMemory.queryOptions({ memory_id: memory.id }, { staleTime: 0 }),
    );
    setEtag(now.etag);
    setAcknowledged(true);
    update.reset();
  };
  return (
    <form onSubmit={submit} style={{ display: "grid", gap: 12 }}>
      {update.isError && <Failed what="Not changed" error={update.error} />}
      {hasChanged && (
        <div className="note" data-tone="warn" role="status">
          <div className="grow">
            {!update.isError && <p>Somebody has changed this memory since you opened it.</p>}
            <p className="stored">{memory.content}</p>
            <Button size="xs" variant="default" onClick={() => void loadChange()}>
              Load the change, and keep what I typed
            </Button>
          </div>
        </div>
      )}
      {acknowledged && !hasChanged && (
        <p className="soft">Saving now replaces the change made in the meantime.</p>
      )}
      <TextArea label="Content" rows={4} maxLength={65_536} {...field("content")} />
      <TextInput label="Path" maxLength={512} {...field("path")} />
      <div className="fields">
        <TextInput
          label="Type"
          maxLength={64}
          pattern="[a-z][a-z0-9_\-]*"
          title="A lower-case word"
          {...field("memory_type")}
        />
        <TextInput label="Bucket" maxLength={128} {...field("bucket")} />
        <TextInput label="Importance" type="number" min={0} max={1} step="any" {...field("importance")} />
      </div>
      <div className="acts">
        <Button type="submit" loading={update.isPending} disabled={Object.keys(change).length === 0}>
          Save the change
        </Button>
        <Button variant="default" onClick={finish}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
