/** Views of the list: some that are always there, and those that somebody has given a name. This browser keeps them. */
import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { type Space, teamOf } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { type MemoriesSearch, memoriesSearch, viewOf } from "./address.ts";

interface View {
  readonly name: string;
  readonly search: MemoriesSearch;
}

const NAME_MAX = 40;
const number = new Intl.NumberFormat("en");

function readViews(key: string): readonly View[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    if (!Array.isArray(kept)) return [];
    return kept.flatMap((one) =>
      typeof one?.name === "string"
        ? [{ name: one.name, search: viewOf(memoriesSearch.parse(one.search ?? {})) }]
        : [],
    );
  } catch {
    return [];
  }
}

/** Whether it was kept: a browser may refuse to. */
function keepViews(key: string, views: readonly View[]): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(views));
    return true;
  } catch {
    return false;
  }
}

const textOf = (search: MemoriesSearch) =>
  JSON.stringify(
    Object.entries(viewOf(search))
      .filter(([name, value]) => value !== undefined && !(name === "status" && value === "active"))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

interface ViewsProps {
  readonly space: Space;
  readonly at: "/$space/memories" | "/$space/knowledge";
  readonly search: MemoriesSearch;
  /** The list is here, which comes first. */
  readonly isReady: boolean;
}

export function Views({ space, at, search, isReady }: ViewsProps) {
  const key = `recollect ${at} ${space.key}`;
  const [own, setOwn] = useState(() => readViews(key));
  useEffect(() => setOwn(readViews(key)), [key]);
  const attention = useQuery(trpc.attention.queryOptions(teamOf(space), { enabled: isReady }));
  const { conflicts = 0, conflicting = [] } = attention.data ?? {};
  const change = (views: readonly View[]) => {
    if (keepViews(key, views)) setOwn(views);
  };
  const views: readonly (View & { readonly count?: number })[] = [
    { name: "All", search: {} },
    { name: "Last 24 hours", search: { changed: "day", sort: "changed" } },
    { name: "Never recalled", search: { recalled: "never", order: "ascending" } },
    { name: "Expiring", search: { expires: "week" } },
    { name: "Forgotten", search: { status: "soft_deleted" } },
    ...own,
    ...(conflicts > 0 && at === "/$space/memories"
      ? [{ name: "Conflicts", search: { ids: conflicting.join(" ") }, count: conflicts }]
      : []),
  ];
  const now = textOf(search);
  const current = views.find((view) => textOf(view.search) === now);
  return (
    <nav className="tabs views" aria-label="Views">
      {views.map(({ name, search: of, count }) => (
        <Link
          key={name}
          to={at}
          params={{ space: space.key }}
          search={of}
          activeOptions={{ exact: true }}
          aria-current={name === current?.name ? "page" : undefined}
        >
          {name}
          {count !== undefined && <i>{number.format(count)}</i>}
        </Link>
      ))}
      {current === undefined && (
        <SaveView
          taken={views.map(({ name }) => name)}
          save={(name) => change([...own, { name, search: viewOf(search) }])}
        />
      )}
      {current !== undefined && own.some(({ name }) => name === current.name) && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => change(own.filter(({ name }) => name !== current.name))}
        >
          Remove this view
        </Button>
      )}
    </nav>
  );
}

function SaveView(props: { readonly taken: readonly string[]; readonly save: (name: string) => void }) {
  const [name, setName] = useState<string | null>(null);
  if (name === null)
    return (
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<Icon name="bookmark" size={14} />}
        onClick={() => setName("")}
      >
        Save view
      </Button>
    );
  const isTaken = props.taken.includes(name.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "" && !isTaken) props.save(name.trim());
  };
  return (
    <form className="save-view" onSubmit={submit}>
      <TextInput
        size="xs"
        autoFocus
        aria-label="Name of the view"
        placeholder="Name of the view"
        maxLength={NAME_MAX}
        error={isTaken}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && setName(null)}
      />
      <Button size="compact-sm" type="submit" disabled={name.trim() === "" || isTaken}>
        Save
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => setName(null)}>
        Cancel
      </Button>
    </form>
  );
}
