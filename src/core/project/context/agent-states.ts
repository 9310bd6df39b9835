import type { Caller } from "../../caller.ts";
import { dayOf } from "../../context/render.ts";
import { isFinished } from "../todo.ts";
import { joined, named, timeOrNull } from "./described.ts";
import { blockOf, type EntryOf, worth } from "./entry.ts";
import type { AgentTrace, ContextFacts, Trust } from "./facts.ts";

const WORTH = 0.5;

interface State {
  readonly agentId: string;
  readonly at: number | null;
  readonly trust: Trust;
  readonly open: number;
  readonly blocked: number;
  readonly task: AgentTrace["task"];
}

/** Every agent that stored or did something, or has a todo; the latest active first. */
export function agentEntries(caller: Caller, facts: ContextFacts, limit: number): EntryOf<"agent_states">[] {
  return statesOf(facts)
    .slice(0, limit)
    .map((state, place) => ({
      id: blockOf("agent_states", state.agentId),
      domain: "agent_states",
      item: null,
      home: null,
      isReference: false,
      value: worth(WORTH, place),
      content: null,
      label: (detail) => labelOf(state, detail === "bare"),
      score: () => 0,
      answer: ({ tokens }) => ({
        tokens,
        agent_id: state.agentId,
        relation: state.agentId === caller.attribution.agentId ? "self" : "other_agent",
        trust: state.trust,
        last_activity_at: timeOrNull(state.at),
        open_todos: state.open,
        blocked_todos: state.blocked,
        last_task:
          state.task === null
            ? null
            : {
                id: state.task.id,
                status: state.task.status,
                task_id: state.task.taskId,
                at: timeOrNull(state.task.at) as string,
              },
      }),
    }));
}

function statesOf({ agents, events, counts }: ContextFacts): State[] {
  const states = new Map<string, State>();
  const stateOf = (agentId: string): State =>
    states.get(agentId) ?? { agentId, at: null, trust: "unattributed", open: 0, blocked: 0, task: null };
  for (const { agentId, at, trust, task } of agents)
    states.set(agentId, { ...stateOf(agentId), at, trust, task });
  // Newest first: the first event of an agent is its last.
  for (const { agentId, at, trust } of events) {
    const state = agentId === null ? null : stateOf(agentId);
    if (state !== null && (state.at === null || state.at < at))
      states.set(state.agentId, { ...state, at, trust });
  }
  for (const { item, status, agent, count } of counts) {
    if (item !== "todo" || agent === null || isFinished(status as never)) continue;
    const state = stateOf(agent);
    const blocked = state.blocked + (status === "blocked" ? count : 0);
    states.set(agent, { ...state, open: state.open + count, blocked });
  }
  return [...states.values()].sort(
    (a, b) => (b.at ?? 0) - (a.at ?? 0) || (a.agentId < b.agentId ? -1 : Number(a.agentId > b.agentId)),
  );
}

function labelOf({ agentId, at, open, blocked, task }: State, isBare: boolean): string {
  const who = `agent ${named(agentId) ?? "without a name"}`;
  if (isBare) return who;
  return joined([
    who,
    at !== null && `last active ${dayOf(at)}`,
    open > 0 && `${open} unfinished todo${open === 1 ? "" : "s"}`,
    blocked > 0 && `${blocked} blocked`,
    task !== null && `last task ${task.status} ${dayOf(task.at)}`,
  ]);
}
