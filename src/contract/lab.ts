/** The recall lab: shows what recall returns to a credential that the person manages, and why. */
import { z } from "zod";
import { tokenKind } from "./credential.ts";
import { lookedIntoMembers } from "./end-user-member.ts";
import { attributionName, publicId, text, time, unitInterval, uuid } from "./primitives.ts";
import { contextAnswer, recallContextRequest, whyAnswer } from "./recall.ts";
import { recallOutcomes } from "./recall-outcome.ts";
import { type Scope, scopes } from "./scope.ts";

/** Maximum number of hits in the lab. Each includes its content. */
export const LAB_HITS_MAX = 200;

const token = uuid.nullish().meta({
  description: "Recall with this credential. Default: your own",
});

/** A credential that the person manages, limited to the members that affect recall. */
const labCredential = z.object({
  token_id: uuid,
  kind: tokenKind,
  name: z.string().nullable(),
  hint: z.string(),
  owner: z.object({ id: uuid, kind: z.enum(["user", "team", "agent", "end_user"]), name: z.string() }),
  agent_id: publicId.nullable(),
  scopes: z.array(z.enum(Object.keys(scopes) as [Scope, ...Scope[]])),
  team_id: uuid.nullable(),
  projects: z.array(z.string()).nullable(),
  path_prefix: z.string().nullable(),
  buckets: z.array(z.string()).nullable(),
  last_used_at: time.nullable(),
});

export const labCredentialsRequest = z.object({});
export const labCredentialsAnswer = z.object({ credentials: z.array(labCredential) });

const labFields = { as: token, session_id: attributionName.nullish(), ...lookedIntoMembers };

export const labRecallRequest = z.object({
  ...recallContextRequest.shape,
  ...labFields,
  limit: z.int().min(1).max(LAB_HITS_MAX).nullish(),
});

/** Reasons why a hit is in the pack, or was left out. */
export const labOutcomes = [
  "packed",
  "excerpt",
  "noise",
  "worthless",
  "superseded",
  "repetition",
  "token_budget",
  "item_limit",
] as const;

const labHit = z.object({
  id: publicId,
  content: z.string(),
  reduced: z
    .literal(true)
    .optional()
    .meta({ description: "The answer would be larger than about 1 MiB: content is its beginning" }),
  path: z.string(),
  memory_type: z.string(),
  status: z.string(),
  created_at: time,
  session_id: z.string().nullable(),
  speaker: z.string().nullable(),
  rank: z.int().min(1).meta({ description: "Its place in the ranker's order" }),
  place: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: "Its place in the pack; null if it is not in the pack" }),
  outcome: z.enum(labOutcomes),
  because: z.string().meta({ description: "The outcome in words" }),
  repeats: publicId.nullable(),
  score: unitInterval,
  rank_score: z.number(),
  signals: z.record(z.string(), z.number()),
  reasons: z.array(z.string()),
  value: z.number().meta({ description: "Its worth to the pack; 0 means none" }),
  tokens: z.int().nullable().meta({
    description: "Tokens it takes in the pack, or would take in full; null if that was not computed",
  }),
});

export const labRecallAnswer = z.object({
  answer: contextAnswer,
  outcome: z.enum(recallOutcomes),
  hits: z.array(labHit),
  milliseconds: z.number().min(0),
});

export const labWhyRequest = z.object({
  ...recallContextRequest.shape,
  ...labFields,
  limit: z.int().min(1).max(LAB_HITS_MAX).nullish(),
  memory_id: publicId,
});

export const labWhyAnswer = z.object({
  memory: z.object({ id: publicId, status: z.string(), text: text(0, 400) }),
  hidden_by: z.array(z.string()).meta({
    description: "Why the credential cannot see it, in words; empty if it can",
  }),
  why: whyAnswer.nullable().meta({ description: "null if the credential cannot see it" }),
});
