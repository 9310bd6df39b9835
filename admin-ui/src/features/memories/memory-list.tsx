import { VisuallyHidden } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from "react";
import { MemoryStatus } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import type { ListedMemory, Seen } from "./windows.ts";

const ROW_PX = 60;
/** While somebody drags the scroll bar, what flies by is not asked for. */
const SETTLED_MS = 80;

interface MemoryListProps {
  /** All there are, here or not. */
  readonly total: number;
  /** undefined: it is still asked for. */
  readonly itemAt: (index: number) => ListedMemory | undefined;
  /** Where a memory is by now; -1 where that is not known. */
  readonly indexOf: (id: string) => number;
  readonly open: string | undefined;
  readonly setOpen: (id: string) => void;
  /** null: nothing may be done with them. */
  readonly chosen: ReadonlySet<string> | null;
  readonly toggle: (id: string) => void;
  readonly onSeen?: ((seen: Seen) => void) | undefined;
}

/**
 * A table of which only the rows that are seen are in the document. What is added or goes above moves nothing of what is
 * looked at. Keys go from row to row, and, with a memory open beside it, from memory to memory.
 */
export function MemoryList(props: MemoryListProps) {
  const { total, itemAt, indexOf, open, setOpen, chosen, toggle, onSeen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const shown = rows.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    const timer = setTimeout(() => onSeen?.([first, last]), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [first, last, onSeen]);
  useAnchor(scroller, itemAt, indexOf);

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
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 1);
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

  return (
    <div
      className="table"
      role="table"
      aria-label="Memories"
      aria-rowcount={total + 1}
      data-choosing={chosen !== null || undefined}
    >
      <div role="rowgroup">
        <div role="row" className="row head" aria-rowindex={1}>
          {chosen !== null && (
            <span role="columnheader" className="of-choice">
              <VisuallyHidden>Chosen</VisuallyHidden>
            </span>
          )}
          <span role="columnheader">Memory</span>
          <span role="columnheader" className="of-type">
            Type
          </span>
          <span role="columnheader" className="of-status">
            Status
          </span>
          <span role="columnheader" className="of-time">
            Changed
          </span>
        </div>
      </div>
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
                data-chosen={(memory && memory.id === open) || undefined}
                aria-rowindex={index + 2}
                style={{ transform: `translateY(${start}px)` }}
              >
                {memory === undefined ? (
                  <span role="cell" className="soft">
                    …
                  </span>
                ) : (
                  <Cells {...props} memory={memory} />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Cells({
  memory,
  open,
  setOpen,
  chosen,
  toggle,
}: MemoryListProps & { readonly memory: ListedMemory }) {
  const begins = memory.content.slice(0, 240);
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
      <span role="cell" className="of-content">
        <button
          type="button"
          className="open"
          aria-current={memory.id === open || undefined}
          onClick={() => setOpen(memory.id)}
        >
          <bdi>{begins}</bdi>
        </button>
        <span className="soft place">
          <bdi>{memory.path}</bdi>
        </span>
      </span>
      <span role="cell" className="of-type soft">
        {memory.memory_type}
      </span>
      <span role="cell" className="of-status">
        <MemoryStatus status={memory.status} />
      </span>
      <span role="cell" className="of-time soft">
        <Time at={memory.updated_at} />
      </span>
    </>
  );
}

/** J and K, wherever on the page nothing is typed. */
function useStepping(step: (by: number) => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const by = { j: 1, k: -1 }[event.key];
      const target = event.target as HTMLElement;
      const isElsewhere = target.closest(
        "input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog]",
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
  itemAt: MemoryListProps["itemAt"],
  indexOf: MemoryListProps["indexOf"],
): void {
  const anchor = useRef<{ id: string; index: number } | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const before = anchor.current;
    if (before !== null && element.scrollTop >= ROW_PX) {
      const now = indexOf(before.id);
      if (now !== -1 && now !== before.index) element.scrollTop += (now - before.index) * ROW_PX;
    }
    const index = Math.ceil(element.scrollTop / ROW_PX);
    const item = itemAt(index);
    anchor.current = item ? { id: item.id, index } : null;
  });
}
