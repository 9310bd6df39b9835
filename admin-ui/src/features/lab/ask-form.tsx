import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import type { Credential, Side } from "./asking.ts";
import { AsField } from "./side.tsx";

interface AskFormProps {
  readonly side: Side;
  readonly credentials: readonly Credential[];
  readonly ask: (side: Side) => void;
}

/** Who asks, and what. B asks the same, unless it was given a question or a credential of its own. */
export function AskForm({ side, credentials, ask }: AskFormProps) {
  const [q, setQ] = useState(side.q);
  useEffect(() => setQ(side.q), [side.q]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask({ ...side, q });
  };
  return (
    <form className="ask" onSubmit={submit} aria-label="The question">
      <AsField side={side} credentials={credentials} choose={(as) => ask({ ...side, q, as })} />
      <TextInput
        className="grow"
        type="search"
        aria-label="Query"
        placeholder="What the agent would ask"
        leftSection={<Icon name="search" size={16} />}
        data-search-field
        maxLength={65_536}
        required
        value={q}
        onChange={(event) => setQ(event.currentTarget.value)}
      />
      <Button type="submit">Recall</Button>
    </form>
  );
}
