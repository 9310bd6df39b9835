import { ActionIcon, Button, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, lazy, Suspense, useEffect, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Waiting } from "../../parts/states.tsx";
import type { Space } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import type { MemoriesSearch } from "./address.ts";
import { filterOf, hasFilter } from "./filter.ts";

const PathTree = lazy(() => import("./path-tree.tsx").then(({ PathTree }) => ({ default: PathTree })));

const STATUSES = [
  { value: "active", label: "Active" },
  { value: "archived", label: "Archived" },
  { value: "superseded", label: "Superseded" },
  { value: "expired", label: "Expired" },
  { value: "any", label: "Any but forgotten" },
  { value: "soft_deleted", label: "Forgotten" },
];

interface FiltersProps {
  readonly space: Space;
  readonly search: MemoriesSearch;
  readonly set: (change: Partial<MemoriesSearch>) => void;
}

/** The search field, and behind a button what it is narrowed by. The address holds all of it. */
export function Filters({ space, search, set }: FiltersProps) {
  const [isOpen, setOpen] = useState(hasFilter(search));
  const [query, setQuery] = useState(search.q ?? "");
  // Back, a link, or the button that clears them: what the address says is what the field shows.
  useEffect(() => setQuery(search.q ?? ""), [search.q]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const q = query.trim() || undefined;
    if (q !== search.q) set({ q, id: undefined });
  };
  return (
    <search className="filters">
      <form onSubmit={submit} className="query">
        <TextInput
          className="grow"
          type="search"
          aria-label="Search memories"
          placeholder="Search by meaning and words"
          leftSection={<Icon name="search" size={16} />}
          rightSection={<kbd className="only-wide">/</kbd>}
          data-search-field
          maxLength={65_536}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Search
        </Button>
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Filters"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="filter" />
        </ActionIcon>
      </form>
      {isOpen && <Fields space={space} search={search} set={set} />}
    </search>
  );
}

function Fields({ space, search, set }: FiltersProps) {
  const [isTree, setTree] = useState(false);
  const { status } = search;
  const labels = useQuery(trpc.browseLabels.queryOptions(filterOf(space, { status })));
  const choose = (name: keyof MemoriesSearch) => (value: string | null) =>
    set({ [name]: value ?? undefined, id: undefined });
  const label = (name: "bucket" | "type" | "agent", title: string, counted: Counted | undefined) => (
    <Select
      label={title}
      placeholder="Any"
      searchable
      clearable
      clearButtonProps={{ "aria-label": `Any ${name}`, tabIndex: 0 }}
      nothingFoundMessage="None of these"
      data={optionsOf(counted, search[name])}
      value={search[name] ?? null}
      onChange={choose(name)}
    />
  );
  return (
    <>
      <div className="fields">
        <Typed
          label="Path"
          hint="projects/apollo"
          value={search.path}
          set={choose("path")}
          after={
            <ActionIcon
              variant="subtle"
              size={28}
              aria-label="Browse the paths"
              aria-expanded={isTree}
              onClick={() => setTree(!isTree)}
            >
              <Icon name="projects" size={16} />
            </ActionIcon>
          }
        />
        {label("bucket", "Bucket", labels.data?.buckets)}
        {label("type", "Type", labels.data?.types)}
        {label("agent", "Agent", labels.data?.agents)}
        <Typed label="Project" value={search.project} set={choose("project")} />
        <Select
          label="Status"
          data={STATUSES}
          value={status ?? "active"}
          allowDeselect={false}
          onChange={(value) => choose("status")(value === "active" ? null : value)}
        />
        <Day label="Stored from" value={search.from} most={search.to} set={choose("from")} />
        <Day label="Stored until" value={search.to} least={search.from} set={choose("to")} />
      </div>
      {isTree && (
        <Suspense fallback={<Waiting what="the paths" />}>
          <PathTree space={space} search={search} choose={choose("path")} />
        </Suspense>
      )}
    </>
  );
}

type Counted = readonly { readonly value: string; readonly memories: number }[];

const number = new Intl.NumberFormat("en");

/** Also the one that is chosen, where no memory has it. */
function optionsOf(counted: Counted = [], chosen?: string) {
  const options = counted.map(({ value, memories }) => ({
    value,
    label: `${value} (${number.format(memories)})`,
  }));
  const isMissing = chosen !== undefined && !counted.some(({ value }) => value === chosen);
  return isMissing ? [{ value: chosen, label: chosen }, ...options] : options;
}

interface FieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly set: (value: string | null) => void;
}

/** Takes effect when it is left, or by Enter. */
function Typed({
  label,
  hint,
  value = "",
  set,
  after,
}: FieldProps & { hint?: string; after?: React.ReactNode }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (typed.trim() !== value) set(typed.trim() || null);
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label={label}
        placeholder={hint}
        maxLength={512}
        rightSection={after}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => submit()}
      />
    </form>
  );
}

function Day({
  label,
  value = "",
  least,
  most,
  set,
}: FieldProps & { least?: string | undefined; most?: string | undefined }) {
  return (
    <TextInput
      type="date"
      label={label}
      min={least}
      max={most}
      value={value}
      onChange={(event) => set(event.currentTarget.value || null)}
    />
  );
}
