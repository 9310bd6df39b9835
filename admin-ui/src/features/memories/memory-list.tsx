import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { MemoryStatus } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import type { Outputs } from "../../shell/trpc.ts";

type Memory = Outputs["listMemories"]["memories"][number] & { readonly score?: number };

const ROW_PX = 60;
/** How far from the end of what is here the next page is asked for. */
const AHEAD = 50;

interface MemoryListProps {
  readonly items: readonly Memory[];
  /** All there are, loaded or not. */
  readonly total: number;
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
  readonly more?: (() => void) | undefined;
}

/** A table of which only the rows that are seen are in the document. The arrow keys go from row to row. */
export function MemoryList({ items, total, chosen, choose, more }: MemoryListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
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
    if (step === undefined || !row) return;
    event.preventDefault();
    const next = Math.min(Math.max(Number(row.dataset.index) + step, 0), items.length - 1);
    rows.scrollToIndex(next);
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"] button`)?.focus(),
    );
  };

  return (
    <div className="table" role="table" aria-label="Memories" aria-rowcount={total + 1}>
      <div role="rowgroup">
        <div role="row" className="row head" aria-rowindex={1}>
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
            const memory = items[index];
            if (!memory) return null;
            return (
              <div
                role="row"
                key={key}
                className="row"
                data-index={index}
                data-chosen={memory.id === chosen || undefined}
                aria-rowindex={index + 2}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span role="cell" className="of-content">
                  <button
                    type="button"
                    className="open"
                    aria-current={memory.id === chosen || undefined}
                    onClick={() => choose(memory.id)}
                  >
                    <bdi>{memory.content.slice(0, 240)}</bdi>
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
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
