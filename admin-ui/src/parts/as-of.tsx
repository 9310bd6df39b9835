/** Looking at a past moment: choosing it, and saying that it is on. */
import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Icon } from "./icons.tsx";

interface AsOfProps {
  /** As the address has it; none is now. */
  readonly at: string | undefined;
  readonly set: (at: string | undefined) => void;
}

const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** An instant as a date field takes it, by the reader's own clock. */
function fieldValue(instant: Date): string {
  return new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function AsOfButton({ at, set }: AsOfProps) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setOpen(false);
    set(new Date(typed).toISOString());
  };
  if (!isOpen)
    return (
      <Button
        variant="default"
        leftSection={<Icon name="clock" size={16} />}
        onClick={() => {
          setTyped(fieldValue(at === undefined ? new Date() : new Date(at)));
          setOpen(true);
        }}
      >
        As of…
      </Button>
    );
  return (
    <form className="as-of" onSubmit={submit}>
      <TextInput
        type="datetime-local"
        aria-label="As of"
        required
        autoFocus
        max={fieldValue(new Date())}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit">Show</Button>
      <Button variant="subtle" onClick={() => setOpen(false)}>
        Cancel
      </Button>
    </form>
  );
}

export function AsOfBanner({ at, set }: AsOfProps) {
  if (at === undefined) return null;
  return (
    <div className="note as-of-banner" data-tone="warn" role="status">
      <Icon name="clock" />
      <p className="grow">
        <strong>{`As of ${words.format(new Date(at))}`}</strong>
        <br />
        What was stored by then and has not been deleted since, with the content it had. Nothing can be
        changed here.
      </p>
      <Button size="xs" variant="default" onClick={() => set(undefined)}>
        Back to now
      </Button>
    </div>
  );
}
