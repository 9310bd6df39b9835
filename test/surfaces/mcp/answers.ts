import type { ContextAnswer } from "../../../src/contract/recall.ts";

/** A recall of one memory of another agent, as the application answers it. */
export function contextAnswer(owner: string): ContextAnswer {
  const at = "2026-01-31T09:00:00.000Z";
  return {
    version: "value-density-v2",
    query: "where do we deploy",
    retrieval_plan: {
      engine: "embedded",
      retrievers: ["lexical", "dense"],
      memory_types: ["semantic"],
      time_range: null,
      weights: { lexical: 1 },
      candidate_count: 50,
      degraded: [],
      because: "a question of fact",
    },
    budget: {
      max_items: 8,
      max_tokens: 1500,
      used_items: 1,
      used_tokens: 40,
      skipped_items: 0,
      filtered_items: 0,
      structured_skipped_items: 0,
      budget_skipped_items: 0,
      truncated_items: 0,
      candidate_items: 1,
      selection_strategy: "exact",
      budget_tradeoff: false,
      token_scope: "context_text",
    },
    items: [
      {
        id: `m-${owner}`,
        content: `A secret of ${owner}.`,
        path: "projects/apollo",
        bucket: "public",
        scope: "private",
        team_id: null,
        memory_type: "semantic",
        status: "active",
        semantic_key: null,
        version: 1,
        superseded_by: null,
        importance: 0.5,
        confidence: 1,
        source: null,
        logic_path: null,
        metadata: {},
        provenance: { agent_id: "other" },
        created_at: at,
        updated_at: at,
        expires_at: null,
        boundary: {
          relation: "other_agent",
          ownership: "other_agent",
          current_agent_id: "me",
          current_agent_trust: "client_asserted",
          boundary_authority: "attribution_only",
          memory_agent_id: "other",
          explanation: "Written by another agent.",
        },
        score: 0.9,
        tokens: 12,
        truncated: false,
        passage: null,
      },
    ],
    context_text: `### Recollect Context\n\n- A secret of ${owner}.`,
    answer_status: "no_confirmed_answer",
    conflicts: [],
    coverage: 1,
    omitted: [],
  } as ContextAnswer;
}

export const rememberAnswer = { id: "m-1", status: "remembered", deduplicated: false, superseded: ["m-0"] };
