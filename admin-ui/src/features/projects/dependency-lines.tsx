import { useLayoutEffect, useRef, useState } from "react";
import { isFinished, type Todo } from "./todo-moves.ts";

/** More lines than that would be a thicket. The cards say in words what they wait for. */
const LINES_MAX = 60;

/**
 * A line from each unfinished todo to what it waits for, behind the cards of the board that it stands in. It is drawn for
 * those who see it: cards say the same in words.
 */
export function DependencyLines({ todos }: { readonly todos: readonly Todo[] }) {
  const svg = useRef<SVGSVGElement>(null);
  const [paths, setPaths] = useState<readonly string[]>([]);
  useLayoutEffect(() => {
    const board = svg.current?.parentElement;
    if (!board) return;
    const draw = () => setPaths(linesIn(board, todos));
    draw();
    const watch = new ResizeObserver(draw);
    watch.observe(board);
    return () => watch.disconnect();
  }, [todos]);
  return (
    <svg className="lines" ref={svg} aria-hidden="true" focusable="false">
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0L8 4L0 8z" fill="currentColor" />
        </marker>
      </defs>
      {paths.map((path) => (
        <path key={path} d={path} markerEnd="url(#arrow)" />
      ))}
    </svg>
  );
}

function linesIn(board: HTMLElement, todos: readonly Todo[]): string[] {
  const origin = board.getBoundingClientRect();
  const byId = new Map(todos.map((todo) => [todo.todo_id, todo]));
  const placeOf = (id: string) => {
    const box = board.querySelector(`[data-todo="${CSS.escape(id)}"]`)?.getBoundingClientRect();
    return box && { left: box.left - origin.left, right: box.right - origin.left, top: box.top - origin.top };
  };
  const lines = todos.flatMap((todo) => {
    if (isFinished(todo)) return [];
    return todo.depends_on.flatMap((id) => {
      const other = byId.get(id);
      const [from, to] = [placeOf(todo.todo_id), placeOf(id)];
      return other && !isFinished(other) && from && to ? [lineBetween(from, to)] : [];
    });
  });
  return lines.slice(0, LINES_MAX);
}

interface Place {
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

/** So far below its top a line leaves a card, and one from the right and from the left comes to it: none lies on another. */
const LEAVES_PX = 14;
const COMES_LEFTWARD_PX = 26;
const COMES_RIGHTWARD_PX = 38;

/** From side to side between columns; within one, around its left. */
function lineBetween(from: Place, to: Place): string {
  const [leaves, comes] = [
    from.top + LEAVES_PX,
    to.top + (from.left < to.left ? COMES_RIGHTWARD_PX : COMES_LEFTWARD_PX),
  ];
  if (Math.abs(from.left - to.left) < 1) {
    const out = from.left - 14;
    return `M${from.left} ${leaves}C${out} ${leaves} ${out} ${comes} ${to.left} ${comes}`;
  }
  const [start, end] = from.left < to.left ? [from.right, to.left] : [from.left, to.right];
  const middle = (start + end) / 2;
  return `M${start} ${leaves}C${middle} ${leaves} ${middle} ${comes} ${end} ${comes}`;
}
