import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
} from "react";
import { Icon } from "./icons.tsx";
import "./table.css";

export interface Column<T> {
  readonly label: string;
  /** Only screen readers get its label. */
  readonly isLabelHidden?: boolean;
  readonly cell: (item: T) => ReactNode;
  /** As in `grid-template-columns`. */
  readonly width: string;
  /** Where there is little room; as `width` if it is not said. */
  readonly narrowWidth?: string;
  /** Left out where there is little room. */
  readonly isWide?: boolean;
  readonly isRight?: boolean;
  /** How the items are sorted when its head is pressed; without one it is no button. */
  readonly sort?: Sort;
}

export interface Sort {
  /** null: by something else. */
  readonly now: "ascending" | "descending" | null;
  readonly press: () => void;
}

const ROW_PX = 40;
/** How far from the end of what is here the next page is asked for. */
const AHEAD = 50;

interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Where it is known; otherwise there may be more. */
  readonly total?: number;
  readonly more?: (() => void) | undefined;
  /** Opens an item by a click on its row, or by Enter. One of its cells should hold a link that does the same. */
  readonly open?: (item: T) => void;
  readonly isOpen?: (item: T) => boolean;
  /** A heading above the item, if it begins a group; null if not. */
  readonly heading?: (item: T, before: T | undefined) => ReactNode;
  /** More about the item, below its row; null if it is closed. */
  readonly detail?: (item: T) => ReactNode;
}

/** A table of which only the rows that are seen are in the document. The arrow keys go from row to row. */
export function Table<T>(props: TableProps<T>) {
  const { label, columns, items, keyOf, total, more, open, isOpen, heading, detail } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => keyOf(items[index] as T),
    // A list that is hidden beside what is open keeps its rows.
    measureElement: (element) => (element as HTMLElement).offsetHeight || ROW_PX,
    overscan: 8,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && last >= items.length - AHEAD) more();
  }, [more, last, items.length]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = (event.target as HTMLElement).closest<HTMLElement>("[data-index]");
    const isOnRow = (event.target as HTMLElement).matches(".line");
    if (open && event.key === "Enter" && isOnRow) open(items[Number(row?.dataset.index)] as T);
    if (step === undefined || !row) return;
    event.preventDefault();
    const next = Math.min(Math.max(Number(row.dataset.index) + step, 0), items.length - 1);
    rows.scrollToIndex(next);
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"] > .line`)?.focus(),
    );
  };
  const onClick = ({ target }: MouseEvent) => {
    const index = (target as HTMLElement).closest<HTMLElement>("[data-index]")?.dataset.index;
    if (open && index !== undefined && !(target as HTMLElement).closest("a, button"))
      open(items[Number(index)] as T);
  };
  const narrow = columns.filter(({ isWide }) => !isWide);
  const style = {
    "--columns": columns.map(({ width }) => width).join(" "),
    "--columns-narrow": narrow.map(({ width, narrowWidth }) => narrowWidth ?? width).join(" "),
  } as CSSProperties;
  const classOf = ({ isWide, isRight }: Column<T>) =>
    [isWide && "wide", isRight && "right"].filter(Boolean).join(" ") || undefined;

  return (
    <div
      className="lines"
      role="table"
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      style={style}
    >
      <div role="rowgroup">
        <div role="row" className="line head" aria-rowindex={1}>
          {columns.map((column) => (
            <span
              role="columnheader"
              key={column.label}
              className={classOf(column)}
              aria-sort={column.sort?.now ?? undefined}
            >
              {column.sort ? (
                <button type="button" onClick={column.sort.press}>
                  {column.label}
                  {column.sort.now && (
                    <Icon name={column.sort.now === "ascending" ? "up" : "down"} size={12} />
                  )}
                </button>
              ) : (
                <span className={column.isLabelHidden ? "unseen" : undefined}>{column.label}</span>
              )}
            </span>
          ))}
        </div>
      </div>
      <div className="body" ref={scroller} role="rowgroup" onKeyDown={onKeyDown} onClick={onClick}>
        <div role="presentation" style={{ height: rows.getTotalSize(), position: "relative" }}>
          {shown.map(({ index, start, key }) => {
            const item = items[index] as T;
            const above = heading?.(item, items[index - 1]) ?? null;
            const below = detail?.(item) ?? null;
            return (
              <div
                role="presentation"
                key={key}
                ref={rows.measureElement}
                className="place"
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
              >
                {above !== null && (
                  <div role="row" className="line-heading">
                    <div role="cell" aria-colspan={columns.length}>
                      {above}
                    </div>
                  </div>
                )}
                <div
                  role="row"
                  className="line"
                  tabIndex={index === shown[0]?.index ? 0 : -1}
                  aria-rowindex={index + 2}
                  data-open={isOpen?.(item) || undefined}
                >
                  {columns.map((column) => (
                    <span role="cell" key={column.label} className={classOf(column)}>
                      {column.cell(item)}
                    </span>
                  ))}
                </div>
                {below !== null && (
                  <div role="row" className="line-detail">
                    <div role="cell" aria-colspan={columns.length}>
                      {below}
                    </div>
                  </div>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
