import { Button, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";

interface TypedProps {
  /** What has to be typed: a count, or a word. */
  readonly word: string;
  /** The button's words: the verb and what it is done to. */
  readonly action: string;
  readonly isBusy: boolean;
  readonly act: () => void;
  readonly cancel: () => void;
  readonly children?: ReactNode;
}

/** The last step before something that nothing brings back: the button works once the word is typed. */
export function Typed({ word, action, isBusy, act, cancel, children }: TypedProps) {
  const [typed, setTyped] = useState("");
  const isTyped = typed.trim() === word;
  return (
    <form
      className="typed"
      onSubmit={(event) => {
        event.preventDefault();
        if (isTyped) act();
      }}
    >
      {children}
      <TextInput
        label={`Type ${word} to continue`}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className="dialog-acts">
        <Button variant="default" data-autofocus onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" color="bad" disabled={!isTyped} loading={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
