import { idWords } from "../../context/render.ts";
import { rfc3339 } from "../../memory/present.ts";
import { joined, named } from "./described.ts";
import { blockOf, type EntryOf, worth } from "./entry.ts";
import type { ContextEvent } from "./facts.ts";
import type { Homes } from "./memories.ts";

const WORTH = 0.25;
const TITLE_MAX = 120;

/**
 * What happened, newest first. What it happened to is named by its place where another section shows it; else the latest
 * event of it shows how its text begins.
 */
export function timelineEntries(events: readonly ContextEvent[], homes: Homes): EntryOf<"timeline">[] {
  const begun = new Set<string>();
  return events.map((event, place) => {
    const home = homes.get(event.row) ?? null;
    const isFirst = !begun.has(event.row);
    begun.add(event.row);
    const content = home === null && isFirst && event.beginning !== null ? titleOf(event.beginning) : null;
    return {
      id: blockOf("timeline", `${event.row}:${place}`),
      domain: "timeline",
      item: null,
      home,
      isReference: false,
      value: eventWorth(place),
      content,
      label: (detail, placeOf) => {
        const at = home === null ? null : placeOf(home);
        const subject = at === null ? event.kind : `${event.kind} #${at}`;
        const agent = event.agentId === null ? null : named(event.agentId);
        const change = event.from === null ? event.to : `${event.from} to ${event.to}`;
        return joined([
          `event ${rfc3339(event.at).slice(0, detail === "bare" ? 10 : 16)}`,
          `${subject} ${event.operation}: ${change}`,
          detail === "full" && agent !== null && `by ${agent}`,
          // What another section shows has its id there.
          detail !== "bare" && content !== null && idWords(event.id),
        ]);
      },
      score: () => 0,
      answer: (shown) => ({
        at: rfc3339(event.at),
        kind: event.kind,
        id: event.id,
        operation: event.operation,
        from: event.from,
        to: event.to,
        agent_id: event.agentId,
        trust: event.trust,
        ...shown,
      }),
    };
  });
}

/** What an event is worth by its place in the section. */
export function eventWorth(place: number): number {
  return worth(WORTH, place);
}

/** The first line, or as many of its characters as a title holds. */
function titleOf(beginning: string): string {
  const line = beginning.trim().split(/[\n\r]/, 1)[0] ?? "";
  const characters = [...line];
  return characters.length > TITLE_MAX ? `${characters.slice(0, TITLE_MAX - 1).join("")}…` : line;
}
