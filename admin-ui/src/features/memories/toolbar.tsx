/** What stands above the list: the search, the columns, and the filters that are set. */
import { Button, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import type { MemoriesSearch } from "./address.ts";
import { COLUMNS, type ColumnName, columnsOf } from "./columns.ts";
import { asParameter, FACETS, valuesOf, WORDS, wordFor } from "./facet-values.ts";
import { RECALLED, STATUSES } from "./facets.tsx";
import { NO_FILTER } from "./filter.ts";

interface ToolbarProps {
  readonly search: MemoriesSearch;
  readonly set: (change: Partial<MemoriesSearch>) => void;
}

/** The address holds the query. */
export function Search({ search, set }: ToolbarProps) {
  const [query, setQuery] = useState(search.q ?? "");
  // After Back, a link or Clear, the field shows what the address says.
  useEffect(() => setQuery(search.q ?? ""), [search.q]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const q = query.trim() || undefined;
    if (q !== search.q) set({ q, id: undefined });
  };
  return (
    <search className="grow">
      <form onSubmit={submit}>
        <TextInput
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
      </form>
    </search>
  );
}

export function ColumnsMenu({ search, set }: ToolbarProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const shown = columnsOf(search);
  const toggle = (name: ColumnName) => {
    const next = COLUMNS.map((column) => column.name).filter(
      (one) => shown.some((column) => column.name === one) !== (one === name),
    );
    set({ columns: next.join(",") || "none" });
  };
  return (
    <>
      <Button
        ref={button}
        className="only-wide"
        variant="default"
        leftSection={<Icon name="columns" size={16} />}
        popoverTarget={id}
      >
        Columns
      </Button>
      <fieldset
        id={id}
        popover="auto"
        className="columns-menu"
        aria-label="Columns"
        onBeforeToggle={({ currentTarget: { style } }) => {
          const { bottom = 0, right = 0 } = button.current?.getBoundingClientRect() ?? {};
          style.top = `${bottom + 6}px`;
          style.left = `${right - 220}px`;
        }}
      >
        {COLUMNS.map(({ name, title }) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={shown.some((column) => column.name === name)}
              onChange={() => toggle(name)}
            />
            {title}
          </label>
        ))}
      </fieldset>
    </>
  );
}

/** Each filter as a sentence that can be removed. */
export function Chips({ search, set, children }: ToolbarProps & { readonly children: ReactNode }) {
  const chips = chipsOf(search);
  return (
    <div className="chips">
      {chips.map(({ subject, values, without }) => (
        <span className="chip" key={subject}>
          <span>
            {`${subject} `}
            {values.map((value, at) => (
              <span key={value}>
                {at > 0 && " or "}
                <bdi>
                  <b>{value}</b>
                </bdi>
              </span>
            ))}
          </span>
          <button
            type="button"
            aria-label={`Remove: ${subject} ${values.join(" or ")}`}
            onClick={() => set({ ...without, id: undefined })}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      {chips.length > 0 && (
        <Button size="compact-sm" variant="subtle" onClick={() => set({ ...NO_FILTER, id: undefined })}>
          Clear
        </Button>
      )}
      {children}
    </div>
  );
}

interface ChipWords {
  readonly subject: string;
  readonly values: readonly string[];
  readonly without: Partial<MemoriesSearch>;
}

function chipsOf(search: MemoriesSearch): ChipWords[] {
  const { path, status, recalled, from, to, ids } = search;
  const status_ = STATUSES.find(([value]) => value === status)?.[1].toLowerCase();
  const recalled_ = RECALLED.find(([value]) => value === recalled)?.[1].toLowerCase();
  return [
    ...(ids === undefined
      ? []
      : [
          {
            subject: "Named by a link:",
            values: [String(ids.split(" ").length)],
            without: { ids: undefined },
          },
        ]),
    ...(path === undefined ? [] : [{ subject: "Path is", values: [path], without: { path: undefined } }]),
    ...FACETS.flatMap((facet) => {
      const values = valuesOf(search, facet).map((value) => wordFor(facet, value));
      return values.length === 0
        ? []
        : [{ subject: `${WORDS[facet].title} is`, values, without: { [facet]: asParameter([]) } }];
    }),
    ...(status === undefined || status_ === undefined
      ? []
      : [{ subject: "Status is", values: [status_], without: { status: undefined } }]),
    ...(recalled === undefined || recalled_ === undefined
      ? []
      : [{ subject: "Recalled", values: [recalled_], without: { recalled: undefined } }]),
    ...(from === undefined ? [] : [{ subject: "Stored from", values: [from], without: { from: undefined } }]),
    ...(to === undefined ? [] : [{ subject: "Stored until", values: [to], without: { to: undefined } }]),
  ];
}
