import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { useSession } from "../../shell/space.ts";
import { type Credential, nameOf, reachOf, type Side } from "./asking.ts";

const YOU = "you";

interface AskFormProps {
  /** "" where there is one side only. */
  readonly name: string;
  readonly side: Side;
  readonly credentials: readonly Credential[];
  readonly ask: (side: Side) => void;
}

/** What one side asks: by whose credential, what, and with which settings. */
export function AskForm({ name, side, credentials, ask }: AskFormProps) {
  const [typed, setTyped] = useState(side);
  const { teams } = useSession();
  // biome-ignore lint/correctness/useExhaustiveDependencies: back, or a link: what the address says is what the fields show
  useEffect(() => setTyped(side), [JSON.stringify(side)]);
  const chosen = credentials.find(({ token_id }) => token_id === typed.as);
  const field = (
    member: "user" | "items" | "tokens" | "path" | "type" | "project" | "session",
    label: string,
    more: { readonly placeholder?: string; readonly inputMode?: "numeric" } = {},
  ) => (
    <TextInput
      label={label}
      value={typed[member]}
      onChange={(event) => setTyped({ ...typed, [member]: event.currentTarget.value })}
      {...more}
    />
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask(typed);
  };
  return (
    <form
      className="ask"
      onSubmit={submit}
      aria-label={name === "" ? "The question" : `The question of ${name}`}
    >
      <Select
        label="As"
        data={[
          { value: YOU, label: "You" },
          ...credentials.map((one) => ({ value: one.token_id, label: nameOf(one) })),
        ]}
        value={typed.as || YOU}
        disabled={typed.user !== ""}
        allowDeselect={false}
        searchable={credentials.length > 8}
        onChange={(as) => setTyped({ ...typed, as: as === YOU || as === null ? "" : as })}
        description={
          typed.user !== ""
            ? `In the space of the end user ${typed.user}, which is named under Settings`
            : chosen === undefined
              ? "Everything you may see"
              : `${reachOf(chosen, new Map(teams.map((team) => [team.team_id, team.name])))}. Never more than you can see.`
        }
      />
      <div className="query">
        <TextInput
          className="grow"
          type="search"
          aria-label="Query"
          placeholder="What the agent would ask"
          leftSection={<Icon name="search" size={16} />}
          data-search-field={name === "B" ? undefined : true}
          maxLength={65_536}
          required
          value={typed.q}
          onChange={(event) => setTyped({ ...typed, q: event.currentTarget.value })}
        />
        <Button type="submit" variant={name === "B" ? "default" : "filled"}>
          {name === "" ? "Recall" : `Recall ${name}`}
        </Button>
      </div>
      <details open={name !== "" || typed.user !== "" || undefined}>
        <summary>Settings</summary>
        <div className="fields">
          {field("items", "Maximum items", { inputMode: "numeric" })}
          {field("tokens", "Maximum tokens", { inputMode: "numeric" })}
          {field("path", "Path", { placeholder: "projects/%" })}
          {field("type", "Type", { placeholder: "semantic" })}
          {field("project", "Project")}
          {field("session", "Session")}
          {field("user", "End user", { placeholder: "By the application's id" })}
        </div>
        <div className="acts">
          <Checkbox
            label="Only this workspace"
            checked={typed.isHere}
            onChange={(event) => setTyped({ ...typed, isHere: event.currentTarget.checked })}
          />
          <Checkbox
            label="With knowledge"
            checked={typed.hasKnowledge}
            onChange={(event) => setTyped({ ...typed, hasKnowledge: event.currentTarget.checked })}
          />
        </div>
      </details>
    </form>
  );
}
