import { z } from "zod";
import * as evaluation from "./eval.ts";
import { operation } from "./operation.ts";
import { uuid } from "./primitives.ts";

export const getEvalSet = operation({
  name: "getEvalSet",
  summary: "Read the questions of an evaluation set",
  description:
    "Returns the questions whose memories this credential may all read, in the order in which they were added. `recollect eval --set` asks them.",
  input: z.object(evaluation.ofEvalSet),
  output: evaluation.evalSet,
  errors: ["not_found"],
  effect: "read",
  scopes: ["memory:read"],
  rate: "read",
  http: { method: "GET", path: "/v1/eval-sets/{name}", status: 200 },
});

const write = { effect: "write", rate: "write" } as const;

/** Sets are put together by people in the admin UI. */
export const sessionEvalOperations = {
  listEvalSets: {
    effect: "read",
    rate: "read",
    summary:
      "The evaluation sets of a workspace by name, with the number of questions that the person may read",
    input: z.object({ team_id: uuid.nullish() }),
    output: evaluation.evalSetList,
    errors: ["not_found"],
  },
  addEvalQuestions: {
    ...write,
    summary:
      "Add questions to an evaluation set. One that asks the same as a question of the set replaces it",
    input: z.object({
      ...evaluation.ofEvalSet,
      questions: z.array(evaluation.evalQuestion).min(1).max(evaluation.EVAL_QUESTIONS_MAX),
    }),
    output: z.object({ questions: z.int().meta({ description: "How many the set has now" }) }),
    errors: ["not_found", "role_forbidden", "quota_exceeded"],
  },
  removeEvalQuestions: {
    ...write,
    summary: "Remove questions from an evaluation set, or the whole set",
    input: z.object({
      ...evaluation.ofEvalSet,
      ids: z
        .array(uuid)
        .min(1)
        .max(evaluation.EVAL_QUESTIONS_MAX)
        .nullish()
        .meta({ description: "Default: all" }),
    }),
    output: z.object({ removed: z.int() }),
    errors: ["not_found", "role_forbidden"],
  },
} as const;
