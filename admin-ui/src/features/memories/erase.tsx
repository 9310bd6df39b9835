import { Modal, Radio } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Failed } from "../../parts/states.tsx";
import { done } from "../../parts/toasts.tsx";
import { Typed } from "../../parts/typed.tsx";
import { trpc } from "../../shell/trpc.ts";
import type { Memory } from "./memory-panel.tsx";

export type Lasting = "redact" | "hard_delete";

/** The two ways that nothing brings back, and what is left by each. */
export function LastingModes({
  mode,
  choose,
  canRedact = true,
}: {
  readonly mode: Lasting;
  readonly choose: (mode: Lasting) => void;
  readonly canRedact?: boolean;
}) {
  return (
    <Radio.Group label="What should remain" value={mode} onChange={(value) => choose(value as Lasting)}>
      <div className="choices">
        <Radio
          value="redact"
          disabled={!canRedact}
          label="Redact: only the fact that it existed, none of its content"
        />
        <Radio value="hard_delete" label="Erase: nothing, in any version or index" />
      </div>
    </Radio.Group>
  );
}

interface EraseProps {
  readonly memory: Memory;
  readonly close: () => void;
  /** Where nothing is left to be shown. */
  readonly gone: () => void;
}

/** Redacts or erases one memory. What changed since it was looked at is not touched. */
export function EraseDialog({ memory, close, gone }: EraseProps) {
  const isRedacted = memory.status === "redacted";
  const [mode, setMode] = useState<Lasting>(isRedacted ? "hard_delete" : "redact");
  const queries = useQueryClient();
  const erase = useMutation(
    trpc.deleteMemory.mutationOptions({
      async onSuccess({ receipt }) {
        if (mode === "hard_delete") gone();
        close();
        const remaining = receipt?.remaining.length ?? 0;
        const others =
          remaining === 0
            ? ""
            : ` ${remaining} other ${remaining === 1 ? "memory" : "memories"} of its chain remain.`;
        done(
          `${mode === "redact" ? "1 memory was redacted" : "1 memory was erased"}. Receipt ${receipt?.id ?? "none"}.${others}`,
        );
        await queries.invalidateQueries();
      },
    }),
  );
  const verb = mode === "redact" ? "Redact" : "Erase";
  return (
    <Modal
      opened
      onClose={close}
      title="Permanently erase"
      closeButtonProps={{ "aria-label": "Close" }}
      returnFocus
    >
      <Typed
        word={verb.toLowerCase()}
        action={`${verb} this memory`}
        isBusy={erase.isPending}
        act={() => erase.mutate({ memory_id: memory.id, mode, if_match: memory.etag })}
        cancel={close}
      >
        {erase.isError && <Failed what="Not removed" error={erase.error} />}
        <p>This cannot be undone. To take it out of recall but keep it, forget it instead.</p>
        <LastingModes mode={mode} choose={setMode} canRedact={!isRedacted} />
      </Typed>
    </Modal>
  );
}
