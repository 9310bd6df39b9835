/** A secret that an answer holds: shown this once, copied by a button, and kept nowhere but in the dialog that shows it. */
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { done } from "./toasts.tsx";

/**
 * A call whose answer holds a secret. The answer is in the state of who asks, which goes with it; the cache of calls, which
 * outlives dialogs, never has it.
 */
export function useShownOnce<I, O>(call: (input: I) => Promise<O>, after: () => void) {
  const [answer, setAnswer] = useState<O | null>(null);
  const asking = useMutation({
    gcTime: 0,
    mutationFn: async (input: I) => setAnswer(await call(input)),
    onSettled: after,
  });
  return { answer, asking };
}

/** The last step of making a credential. */
export function ShownSecret(props: {
  readonly label: string;
  readonly value: string;
  readonly close: () => void;
}) {
  return (
    <div className="stack">
      <p>Save it now: it is shown only this once, and the service keeps no copy.</p>
      <Secret label={props.label} value={props.value} />
      <div className="acts">
        <Button variant="default" onClick={props.close}>
          I have kept it
        </Button>
      </div>
    </div>
  );
}

export function Secret({ label, value }: { readonly label: string; readonly value: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    // Over plain http beyond this device a page has no clipboard: the text is marked, to be copied by hand.
    if (!navigator.clipboard) return;
    await navigator.clipboard.writeText(value);
    setCopied(true);
    done("Copied. Paste it where it is used, and nowhere else.");
  };
  return (
    <div className="secret">
      <TextInput
        ref={field}
        className="grow"
        label={label}
        classNames={{ input: "mono" }}
        readOnly
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button onClick={() => void copy()}>{isCopied ? "Copied" : "Copy"}</Button>
    </div>
  );
}
