import type * as contract from "../../../contract/project-context-entries.ts";
import type { ContextBlock } from "../../context/pack-blocks.ts";

/** What the answer has in each section. */
export interface Answers {
  governance_caveats: contract.GovernanceCaveat;
  suggested_next_actions: contract.NextAction;
  action_items: contract.ActionItem;
  decisions: contract.ContextDecision;
  durable_context: contract.DurableMemory;
  recent_memories: contract.RecentMemory;
  timeline: contract.TimelineEvent;
  agent_states: contract.AgentState;
}

/** How an entry stands in the pack. */
export interface Shown {
  readonly tokens: number;
  readonly text: string | null;
  readonly truncated: boolean;
  readonly shown_in: contract.ContextDomain | null;
}

/** A block of a pack: an entry of one of its sections. */
export interface EntryOf<D extends contract.ContextDomain> extends ContextBlock {
  readonly domain: D;
  /** The public id of the item that it is; null for what is no item of its own. */
  readonly item: string | null;
  /** The block that shows its text, where it is not shown here. */
  readonly home: string | null;
  /** True where it would say nothing without its home. */
  readonly isReference: boolean;
  answer(shown: Shown): Answers[D];
}

export type Entry = { [D in contract.ContextDomain]: EntryOf<D> }[contract.ContextDomain];

/** The block that shows the text of a memory's row. */
export function blockOf(domain: contract.ContextDomain, row: string): string {
  return `${domain}:${row}`;
}

/** Halves the worth of the tenth of a section, so that many of one kind do not push the first of another out. */
const HALVED_AT = 10;

/** What an entry is worth by its place in its section, from 0. */
export function worth(best: number, place: number): number {
  return best / (1 + place / HALVED_AT);
}
