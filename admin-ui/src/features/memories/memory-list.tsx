import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from "react";
import { Icon } from "../../parts/icons.tsx";
import { MemoryStatus } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { Who } from "../../parts/who.tsx";
import type { MemoriesSearch } from "./address.ts";
import { authorOf, type ColumnName, type ColumnOf, columnsOf, nextOrder } from "./columns.ts";
import type { ListedMemory, Seen } from "./windows.ts";

const ROW_PX = { wide: 36, phone: 56 } as const;
/** Rows that fly by while somebody drags the scroll bar are not asked for. */
const SETTLED_MS = 80;

const phone = matchMedia("(max-width: 900px)");
const watchPhone = (heard: () => void) => {
  phone.addEventListener("change", heard);
  return () => phone.removeEventListener("change", heard);
};
export const useIsPhone = () => useSyncExternalStore(watchPhone, () => phone.matches);

export interface MemoryListProps {
  readonly search: MemoriesSearch;
  readonly set: (change: Partial<MemoriesSearch>) => void;
  /** All there are, here or not. */
  readonly total: number;
  /** undefined: it is still asked for. */
  readonly itemAt: (index: number) => ListedMemory | undefined;
  /** Where a memory is by now; -1 if that is not known. */
  readonly indexOf: (id: string) => number;
  readonly recalls: ReadonlyMap<string, number>;
  /** Names of agents by their ids. */
  readonly agents: ReadonlyMap<string, string>;
  /** The score of each memory that a search found; undefined for a list. */
  readonly scores?: ReadonlyMap<string, number> | undefined;
  readonly setOpen: (id: string) => void;
  /** null: nothing may be done with them. */
  readonly chosen: ReadonlySet<string> | null;
  readonly toggle: (id: string) => void;
  /** The ids of the whole list, if all of it is here. */
  readonly all: readonly string[] | null;
  readonly chooseAll: (ids: readonly string[]) => void;
  readonly onSeen?: ((seen: Seen) => void) | undefined;
}

type Shown = ColumnOf & { readonly name: ColumnName };

/**
 * A table of which only the visible rows are in the document. Additions and removals above move nothing that is visible.
 * Keys go from row to row, and, with a memory open beside it, from memory to memory.
 */
export function MemoryList(props: MemoryListProps) {
  const { search, total, itemAt, indexOf, setOpen, chosen, toggle, onSeen, scores } = props;
  const open = search.id;
  const rowPx = ROW_PX[useIsPhone() ? "phone" : "wide"];
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
  });
  // Rows have another height on a phone.
  useLayoutEffect(() => {
    if (rowPx > 0) rows.measure();
  }, [rows, rowPx]);
  const shown = rows.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    const timer = setTimeout(() => onSeen?.([first, last]), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [first, last, onSeen]);
  useAnchor(scroller, rowPx, itemAt, indexOf);

  const focusRow = (index: number) => {
    rows.scrollToIndex(index);
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] .open`)?.focus(),
    );
  };
  const go = (from: number, step: number) => {
    const next = Math.min(Math.max(from + step, 0), total - 1);
    focusRow(next);
    const item = itemAt(next);
    if (open !== undefined && item) setOpen(item.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>("[data-index]");
    if (!row) return;
    const at = Number(row.dataset.index);
    if (event.key === "x" && chosen !== null) {
      const item = itemAt(at);
      if (item) toggle(item.id);
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -total, End: total };
    const step = steps[event.key as keyof typeof steps];
    if (step === undefined) return;
    event.preventDefault();
    go(at, step);
  };
  useStepping((step) => {
    const focused = scroller.current?.querySelector<HTMLElement>("[data-index]:focus-within");
    const at = focused ? Number(focused.dataset.index) : open === undefined ? -1 : indexOf(open);
    if (at === -1 && step < 0) return;
    go(at, step);
  });

  const columns: readonly Shown[] = columnsOf(search).filter(
    (column: Shown) => open === undefined || column.isKept === true,
  );
  const most = Math.max(1, ...props.recalls.values());
  const style = {
    "--columns": [
      chosen === null ? "" : "20px",
      scores === undefined ? "" : "92px",
      "minmax(0, 1fr)",
      ...columns.map(({ width }) => width),
    ].join(" "),
    "--columns-phone": [chosen === null ? "" : "24px", "minmax(0, 1fr)", "auto"].join(" "),
  } as CSSProperties;

  return (
    <div
      className="table"
      role="table"
      aria-label="Memories"
      aria-rowcount={total + 1}
      aria-colcount={columns.length + 1 + (chosen === null ? 0 : 1) + (scores === undefined ? 0 : 1)}
      style={style}
    >
      <Head {...props} columns={columns} />
      <div className="scroller" ref={scroller} role="rowgroup" onKeyDown={onKeyDown}>
        <div role="presentation" style={{ height: rows.getTotalSize(), position: "relative" }}>
          {shown.map(({ index, start, key }) => {
            const memory = itemAt(index);
            return (
              <div
                role="row"
                key={key}
                className="row"
                data-index={index}
                data-chosen={(memory && (memory.id === open || chosen?.has(memory.id))) || undefined}
                aria-rowindex={index + 2}
                style={{ height: rowPx, transform: `translateY(${start}px)` }}
              >
                {memory === undefined ? (
                  <span role="cell" className="soft">
                    …
                  </span>
                ) : (
                  <Cells {...props} memory={memory} columns={columns} most={most} />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Head({
  search,
  set,
  chosen,
  all,
  chooseAll,
  scores,
  columns,
}: MemoryListProps & { readonly columns: readonly Shown[] }) {
  const isAllChosen = all !== null && all.length > 0 && all.every((id) => chosen?.has(id));
  const sorted = { search, set, isSortable: scores === undefined };
  return (
    <div role="rowgroup">
      <div role="row" className="row head" aria-rowindex={1}>
        {chosen !== null && (
          <span role="columnheader" className="of-choice">
            {all === null ? (
              <span className="unseen">Chosen</span>
            ) : (
              <input
                type="checkbox"
                aria-label="Choose all"
                checked={isAllChosen}
                onChange={() => chooseAll(isAllChosen ? [] : all)}
              />
            )}
          </span>
        )}
        {scores !== undefined && (
          <span role="columnheader" className="wide">
            Score
          </span>
        )}
        <Sorter {...sorted} sort="content">
          Memory
        </Sorter>
        {columns.map(({ name, title, sort, isRight }) => (
          <Sorter key={name} {...sorted} sort={sort} className={classOf(name, isRight)}>
            {title}
          </Sorter>
        ))}
      </div>
    </div>
  );
}

/** What a phone has room for besides the memory. */
const ON_PHONES: readonly ColumnName[] = ["stored"];

const classOf = (name: ColumnName, isRight = false) =>
  [!ON_PHONES.includes(name) && "wide", isRight && "right"].filter(Boolean).join(" ");

interface SorterProps {
  readonly search: MemoriesSearch;
  readonly set: (change: Partial<MemoriesSearch>) => void;
  readonly isSortable: boolean;
  readonly sort: ColumnOf["sort"] | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A column's head, by which the list can be sorted. What a search found is in the order of its scores. */
function Sorter({ search, set, isSortable, sort, className, children }: SorterProps) {
  if (sort === undefined || !isSortable)
    return (
      <span role="columnheader" className={className}>
        {children}
      </span>
    );
  const isSorted = (search.sort ?? "stored") === sort;
  const isAscending = search.order === "ascending";
  return (
    <span
      role="columnheader"
      className={className}
      aria-sort={isSorted ? (isAscending ? "ascending" : "descending") : undefined}
    >
      <button type="button" onClick={() => set(nextOrder(search, sort))}>
        {children}
        {isSorted && <Icon name={isAscending ? "up" : "down"} size={12} />}
      </button>
    </span>
  );
}

interface CellsProps extends MemoryListProps {
  readonly memory: ListedMemory;
  readonly columns: readonly Shown[];
  /** The most recalls of any memory that is here. */
  readonly most: number;
}

function Cells(props: CellsProps) {
  const { memory, search, setOpen, chosen, toggle, recalls, scores, agents, columns, most } = props;
  const begins = memory.content.slice(0, 240);
  const score = scores?.get(memory.id) ?? 0;
  return (
    <>
      {chosen !== null && (
        <span role="cell" className="of-choice">
          <input
            type="checkbox"
            aria-label={`Choose ${begins.slice(0, 60)}`}
            checked={chosen.has(memory.id)}
            onChange={() => toggle(memory.id)}
          />
        </span>
      )}
      {scores !== undefined && (
        <span role="cell" className="wide of-meter">
          <Meter part={score} />
          {score.toFixed(2)}
        </span>
      )}
      <span role="cell" className="of-content">
        <button
          type="button"
          className="open"
          data-id={memory.id}
          aria-current={memory.id === search.id || undefined}
          onClick={() => setOpen(memory.id)}
        >
          <bdi>{begins}</bdi>
        </button>
        {memory.status !== "active" && <MemoryStatus status={memory.status} />}
      </span>
      {columns.map(({ name, isRight }) => (
        <span role="cell" key={name} className={classOf(name, isRight)}>
          <Value name={name} memory={memory} recalls={recalls.get(memory.id)} most={most} agents={agents} />
        </span>
      ))}
    </>
  );
}

/** A part of the whole, beside the number that says it. */
export function Meter({ part }: { readonly part: number }) {
  return (
    <span className="meter" aria-hidden="true">
      <i style={{ width: `${Math.round(part * 100)}%` }} />
    </span>
  );
}

const number = new Intl.NumberFormat("en");

interface ValueProps {
  readonly name: ColumnName;
  readonly memory: ListedMemory;
  /** undefined: not known yet. */
  readonly recalls: number | undefined;
  readonly agents: ReadonlyMap<string, string>;
  readonly most: number;
}

function Value({ name, memory, recalls, agents, most }: ValueProps): ReactNode {
  switch (name) {
    case "path":
      return <bdi className="mono">{memory.path}</bdi>;
    case "type":
      return memory.memory_type;
    case "bucket":
      return <bdi>{memory.bucket}</bdi>;
    case "author": {
      const author = authorOf(memory);
      return author === null ? "" : <Who name={agents.get(author) ?? author} kind="agent" />;
    }
    case "recalls":
      return recalls === undefined ? (
        ""
      ) : (
        <span className="of-meter">
          <Meter part={recalls / most} />
          <span className="of-number">{number.format(recalls)}</span>
        </span>
      );
    case "importance":
    case "confidence":
      return memory[name].toFixed(2);
    case "expires":
      return memory.expires_at === null ? "" : <Time at={memory.expires_at} />;
    case "changed":
      return <Time at={memory.updated_at} />;
    case "stored":
      return <Time at={memory.created_at} />;
  }
}

/** J and K, wherever on the page nothing is typed. */
function useStepping(step: (by: number) => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const by = { j: 1, k: -1 }[event.key];
      const target = event.target as HTMLElement;
      const isElsewhere = target.closest(
        "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog]",
      );
      if (by === undefined || isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      step(by);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}

/** Keeps the row at the top where it is when the list grows or shrinks above it. At the very top, the newest are shown. */
function useAnchor(
  scroller: React.RefObject<HTMLDivElement | null>,
  rowPx: number,
  itemAt: MemoryListProps["itemAt"],
  indexOf: MemoryListProps["indexOf"],
): void {
  const anchor = useRef<{ id: string; index: number } | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const before = anchor.current;
    if (before !== null && element.scrollTop >= rowPx) {
      const now = indexOf(before.id);
      if (now !== -1 && now !== before.index) element.scrollTop += (now - before.index) * rowPx;
    }
    const index = Math.ceil(element.scrollTop / rowPx);
    const item = itemAt(index);
    anchor.current = item ? { id: item.id, index } : null;
  });
}
