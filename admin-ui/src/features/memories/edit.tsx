import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ChangeEvent, type FormEvent, useState } from "react";
import { Failed } from "../../parts/states.tsx";
import { TextArea } from "../../parts/text-area.tsx";
import { done } from "../../parts/toasts.tsx";
import { codeOf, trpc } from "../../shell/trpc.ts";
import type { Memory } from "./memory-panel.tsx";

const TEXTS = ["content", "path", "memory_type", "bucket"] as const;

/** As the fields have it. */
type Typed = Record<(typeof TEXTS)[number] | "importance", string>;

const asTyped = ({ content, path, memory_type, bucket, importance }: Memory): Typed => ({
  content,
  path,
  memory_type,
  bucket,
  importance: String(importance),
});

/** Only what was typed over: what somebody else changes meanwhile is not put back. */
function changeOf(memory: Memory, typed: Typed) {
  const texts = TEXTS.filter((name) => typed[name] !== memory[name]).map((name) => [name, typed[name]]);
  const importance = Number(typed.importance);
  const isOther = typed.importance.trim() !== "" && importance !== memory.importance;
  return { ...Object.fromEntries(texts), ...(isOther ? { importance } : {}) } as Partial<
    Pick<Memory, (typeof TEXTS)[number] | "importance">
  >;
}

/** What was typed stays until it is saved, whatever the answer is. */
export function EditForm({ memory, finish }: { readonly memory: Memory; readonly finish: () => void }) {
  const [typed, setTyped] = useState(() => asTyped(memory));
  /** The state that the form began with, or that was looked at since. */
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
  const field = (name: keyof Typed) => ({
    value: typed[name],
    required: true,
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setTyped((before) => ({ ...before, [name]: value })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ memory_id: memory.id, if_match: etag, ...change });
  };
  const seeTheChange = async () => {
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
            {!update.isError && <p>Somebody has changed this memory since you began.</p>}
            <p className="stored">{memory.content}</p>
            <Button size="xs" variant="default" onClick={() => void seeTheChange()}>
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
