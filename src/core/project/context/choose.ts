import { decisionsInOrder } from "../decision-order.ts";
import { inOrder, urgencyOf } from "../urgency.ts";
import { actionWorth, reminderOrder } from "./action-items.ts";
import { decisionWorths } from "./decisions.ts";
import type { ContextChoice, ContextKeys } from "./facts.ts";
import { recentWorth } from "./memories.ts";
import { eventWorth } from "./timeline.ts";

/** So many times as many as may be in a pack are weighed for it. What is worth less hardly ever gets in. */
const WEIGHED = 2;
const WEIGHED_MIN = 32;

/**
 * Of what is considered the best by value over all sections; reading and describing the rest would cost much and change
 * next to nothing. Of each section the beginning, as far as its last that is weighed, so that places stay as they are.
 */
export function chooseRows(
  keys: ContextKeys,
  { now, itemsMax }: { now: number; itemsMax: number },
): ContextChoice {
  const limit = itemsMax + 1;
  const items = itemsInOrder(keys, now).slice(0, limit);
  const decisions = decisionsInOrder(keys.decisions);
  const open = decisions.filter(({ state }) => state.status === "proposed").length;
  const ofDecisions = decisionWorths(decisions, now);
  const values = {
    items: items.map((item, place) => actionWorth(urgencyOf(item, now), place)),
    open: ofDecisions.slice(0, open),
    made: ofDecisions.slice(open),
    recent: keys.recent.map((memory, place) => recentWorth(memory, now, place)),
  };
  const least = leastWeighed(Object.values(values).flat(), itemsMax);
  const weighed = (some: readonly number[]) => 1 + some.findLastIndex((value) => value >= least);
  const chosen = items.slice(0, weighed(values.items));
  const decided = [
    ...decisions.slice(0, weighed(values.open)),
    ...decisions.slice(open, open + weighed(values.made)),
  ];
  const recent = keys.recent.slice(0, weighed(values.recent));
  const idsOf = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id);
  return {
    todos: idsOf(chosen.filter(({ kind }) => kind === "todo")),
    reminders: idsOf(chosen.filter(({ kind }) => kind === "reminder")),
    decisions: idsOf(decided),
    recent: idsOf(recent),
    events: weighed(Array.from({ length: limit }, (_, place) => eventWorth(place))),
    leftAside: {
      action_items: items.length - chosen.length,
      decisions: decisions.length - decided.length,
      recent_memories: keys.recent.length - recent.length,
    },
  };
}

/** Todos and due reminders together, what presses most first. */
function itemsInOrder({ todos, reminders }: ContextKeys, now: number) {
  return inOrder(
    [
      ...todos.map((todo) => ({ ...todo, kind: "todo" })),
      ...reminders.map((reminder) => ({ ...reminderOrder(reminder), id: reminder.id, kind: "reminder" })),
    ],
    now,
  );
}

/** The value that something must have to be weighed for a pack of so many entries. */
function leastWeighed(values: readonly number[], itemsMax: number): number {
  return [...values].sort((a, b) => b - a)[Math.max(WEIGHED_MIN, WEIGHED * itemsMax) - 1] ?? 0;
}
