import { Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { recallOutcomes } from "../../../../src/contract/recall-outcome.ts";
import { ANSWERS } from "../../parts/answer.tsx";
import { Icon } from "../../parts/icons.tsx";
import type { RecallSearch } from "../../routes/$space/recalls.tsx";
import { type Space, teamOf } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";

interface FiltersProps {
  readonly space: Space;
  readonly search: RecallSearch;
  readonly set: (change: Partial<RecallSearch>) => void;
}

const SLOW_MS = ["20", "50", "100", "500"];

export function Filters({ space, search, set }: FiltersProps) {
  const [question, setQuestion] = useState(search.q ?? "");
  useEffect(() => setQuestion(search.q ?? ""), [search.q]);
  const projects = useQuery(trpc.listProjects.queryOptions(teamOf(space)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set({ q: question.trim() || undefined });
  };
  const choice = (name: "project" | "answer" | "slower", any: string, data: readonly Option[]) => (
    <Select
      aria-label={any}
      data={[{ value: "", label: any }, ...data]}
      value={search[name] ?? ""}
      allowDeselect={false}
      onChange={(value) => set({ [name]: value || undefined })}
    />
  );
  return (
    <search className="recall-filters">
      <form onSubmit={submit}>
        <TextInput
          type="search"
          aria-label="Search questions"
          placeholder="Search questions"
          leftSection={<Icon name="search" size={16} />}
          data-search-field
          maxLength={200}
          value={question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
      </form>
      <WhoFilter space={space} search={search} set={set} />
      {choice(
        "answer",
        "Any answer",
        recallOutcomes.map((outcome) => ({ value: outcome, label: ANSWERS[outcome] })),
      )}
      {choice(
        "project",
        "Any project",
        withGiven(
          (projects.data?.projects ?? []).map(({ project_id }) => option(project_id)),
          search.project,
        ),
      )}
      {choice("slower", "Any duration", withGiven(SLOW_MS.map(slowerThan), search.slower, slowerThan))}
    </search>
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}

const option = (value: string): Option => ({ value, label: value });
const slowerThan = (ms: string): Option => ({ value: ms, label: `Slower than ${ms} ms` });

/** An agent or a key that is not listed any more. */
const unlisted = (value: string): Option => ({ value, label: value.slice(value.indexOf(":") + 1) });

/** The options, with the one that the address names. */
function withGiven(options: readonly Option[], given: string | undefined, make = option): readonly Option[] {
  return given === undefined || options.some(({ value }) => value === given)
    ? options
    : [...options, make(given)];
}

/** Agents and keys, by name. */
function WhoFilter({ space, search, set }: FiltersProps) {
  const agents = useQuery(trpc.listAgents.queryOptions({}));
  const keys = useQuery(trpc.listCredentials.queryOptions(teamOf(space)));
  const { agent, key } = search;
  const known = (agents.data?.agents ?? [])
    .filter(({ team_id }) => space.teamId === null || team_id === space.teamId)
    .map(({ agent_id, client_name }) => ({ value: `agent:${agent_id}`, label: client_name }));
  const named = (keys.data?.credentials ?? [])
    .filter(({ kind, agent_id }) => agent_id === null && kind !== "agent_temporary")
    .map(({ id, kind, name, hint }) => ({
      value: `key:${id}`,
      label: kind === "session" ? "You, in the browser" : (name ?? `${hint}…`),
    }));
  const groups = [
    { group: "Agents", items: [...withGiven(known, agent && `agent:${agent}`, unlisted)] },
    { group: "Keys", items: [...withGiven(named, key && `key:${key}`, unlisted)] },
  ];
  return (
    <Select
      aria-label="Anybody"
      data={[{ value: "", label: "Anybody" }, ...groups.filter(({ items }) => items.length > 0)]}
      value={agent !== undefined ? `agent:${agent}` : key !== undefined ? `key:${key}` : ""}
      allowDeselect={false}
      onChange={(value) => {
        const [, kind, id] = /^(agent|key):(.*)$/s.exec(value ?? "") ?? [];
        set({ agent: undefined, key: undefined, ...(kind && { [kind]: id }) });
      }}
    />
  );
}
