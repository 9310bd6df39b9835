/** Evaluation sets: questions with the memories that recall should return for them. */
import { z } from "zod";
import { labRecallRequest } from "./lab.ts";
import { publicId, text, time, uuid } from "./primitives.ts";
import { searchRequest } from "./recall.ts";

const ids = z.array(publicId);

/** Maximum number of questions in a set. */
export const EVAL_QUESTIONS_MAX = 200;
/** Maximum number of sets of an owner. */
export const EVAL_SETS_MAX = 50;
/** Maximum size of a stored question without its judgements, as JSON in UTF-8. */
export const EVAL_ASKED_BYTES_MAX = 1500;
const JUDGED_MAX = 20;

/** What is asked: the query, the filters and the times that a search and a context share. */
export const evalAsked = searchRequest
  .omit({
    limit: true,
    cursor: true,
    explain: true,
    candidate_count: true,
    retrievers: true,
    include_other_sessions: true,
  })
  .extend({ session_id: labRecallRequest.shape.session_id });

/**
 * A question of a stored set, as a line of the file of `recollect eval`. Without `forbidden`, since a question is shown
 * only to callers who may read every memory that it names.
 */
export const evalQuestion = evalAsked
  .extend({
    relevant: ids.min(1).max(JUDGED_MAX).meta({ description: "Memories that answer it" }),
    stale: ids
      .max(JUDGED_MAX)
      .default([])
      .meta({ description: "Outdated memories, which must not come before a relevant one" }),
  })
  .strict();

export const evalSetName = text(1, 60)
  .regex(/^[^/\s](?:[^/]*[^/\s])?$/, { error: "must not contain /, nor begin or end with a space" })
  .meta({ description: "The name of the set", example: "Staging questions" });

export const ofEvalSet = {
  name: evalSetName,
  team_id: uuid.nullish().meta({ description: "A set of this team. Default: your own" }),
};

export const evalSet = z
  .object({
    name: evalSetName,
    questions: z.array(
      z.object({
        id: uuid,
        asked: z
          .record(z.string(), z.unknown())
          .meta({ description: "The query and its filters, as a search takes them" }),
        relevant: ids,
        stale: ids,
      }),
    ),
  })
  .meta({ id: "EvalSet" });

export type EvalSet = z.output<typeof evalSet>;

export const evalSetList = z.object({
  sets: z.array(z.object({ name: z.string(), questions: z.int().min(1), updated_at: time })),
});
