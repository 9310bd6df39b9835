import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Failed } from "../../parts/states.tsx";
import { TextArea } from "../../parts/text-area.tsx";
import { done } from "../../parts/toasts.tsx";
import type { Space } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";

interface RememberProps {
  readonly space: Space;
  /** What is remembered is of the type knowledge. */
  readonly isKnowledge?: boolean;
}

export function RememberButton({ space, isKnowledge = false }: RememberProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen(true)}>
        Add memory
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Add memory"
        closeButtonProps={{ "aria-label": "Close" }}
        keepMounted={false}
      >
        <RememberForm space={space} isKnowledge={isKnowledge} close={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function RememberForm({ space, isKnowledge, close }: RememberProps & { readonly close: () => void }) {
  const [content, setContent] = useState("");
  const [path, setPath] = useState("notes");
  const queries = useQueryClient();
  const remember = useMutation(
    trpc.remember.mutationOptions({
      async onSuccess({ deduplicated }) {
        await queries.invalidateQueries();
        done(deduplicated ? "It was already remembered." : "Remembered.");
        close();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remember.mutate({
      content,
      path,
      ...(isKnowledge ? { memory_type: "knowledge" } : {}),
      ...(space.teamId === null ? {} : { team_id: space.teamId }),
    });
  };
  return (
    <form onSubmit={submit} style={{ display: "grid", gap: 16 }}>
      {remember.isError && <Failed what="Not remembered" error={remember.error} />}
      <TextArea
        label="What to remember"
        placeholder="Deploys go out on Tuesdays"
        rows={3}
        required
        maxLength={65_536}
        data-autofocus
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
      />
      <TextInput
        label="Path"
        description="Where it belongs, such as projects/apollo"
        required
        maxLength={512}
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      <div style={{ display: "flex", gap: 12, justifyContent: "flex-end" }}>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" loading={remember.isPending}>
          Remember it
        </Button>
      </div>
    </form>
  );
}
