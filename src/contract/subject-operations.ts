/** Erasing everything that is stored about a person or subject, in all workspaces of the person who is signed in. */
import { z } from "zod";
import { publicId, text, time, uuid } from "./primitives.ts";

const count = z.int().min(0);

export const subjectKinds = ["memory", "todo", "decision"] as const;

const TERMS_MAX = 20;
/** Maximum number of records that an erasure leaves out. */
const LEFT_OUT_MAX = 1000;

const recordName = z.object({ workspace_id: uuid, id: publicId });

const excerpt = z.object({ before: z.string(), match: z.string(), after: z.string() });

const line = recordName.extend({
  kind: z.enum(subjectKinds),
  status: z.string().meta({ description: "Its status now: active, soft_deleted, superseded and so on" }),
  place: z.enum(["text", "details", "earlier"]).meta({
    description:
      "Where the excerpt is from. text: its text. details: its path, metadata or trail. earlier: an earlier version only",
  }),
  terms: z.array(z.string()).meta({ description: "The terms that it contains" }),
  excerpt,
  is_left_out: z.boolean(),
});

const workspace = z.object({
  workspace_id: uuid,
  kind: z.enum(["own", "team", "quarantine"]),
  name: z.string().meta({ description: "Of the user, the team, or the agent whose quarantine it is" }),
  memories: count,
  todos: count,
  decisions: count,
  hidden: count.meta({
    description: "Records among them that are forgotten, superseded, archived or expired",
  }),
  earlier_only: count.meta({
    description: "Records among them that only an earlier version makes one of them",
  }),
  questions: count.meta({ description: "Questions in the recall log. They go too" }),
});

export const subjectOperations = {
  eraseSubject: {
    effect: "destroy",
    rate: "write",
    summary:
      "Find everything that contains one of these terms in the workspaces where the person may erase, and erase it",
    input: z.object({
      terms: z
        .array(text(2, 200))
        .min(1)
        .max(TERMS_MAX)
        .meta({ description: "Names, addresses: whole words, in any case and Unicode form" }),
      leave_out: z
        .array(recordName)
        .max(LEFT_OUT_MAX)
        .default([])
        .meta({ description: "Records that stay although they contain a term" }),
      dry_run: z.boolean().default(true),
      plan_hash: text(1, 128).nullish(),
      skip: count.default(0).meta({ description: "In a dry run: how many lines to skip" }),
    }),
    output: z.object({
      dry_run: z.boolean(),
      plan_hash: z.string().meta({ description: "Of all records that contain a term now" }),
      found: count.meta({ description: "Records that contain a term, those left out included" }),
      left_out: count,
      terms: z.array(
        z.object({
          term: z.string(),
          records: count.meta({ description: "Those that contain several terms count for each" }),
        }),
      ),
      workspaces: z.array(workspace),
      not_searched: z
        .array(z.object({ workspace_id: uuid, name: z.string(), role: z.string() }))
        .meta({ description: "Teams where the person's role does not allow to erase" }),
      lines: z.array(line).meta({ description: "In a dry run: a page of what was found" }),
      has_more_lines: z.boolean(),
      near: count.meta({
        description:
          "Records with all words of a term, but in another order or inside longer words. They stay",
      }),
      near_lines: z.array(recordName.extend({ term: z.string(), beginning: z.string() })),
      erasure_id: uuid.nullable().meta({
        description: "The erasure that has begun; null in a dry run. `subjectErasures` has its progress",
      }),
    }),
    errors: ["plan_changed", "role_forbidden"],
  },
  subjectErasures: {
    effect: "read",
    rate: "read",
    summary: "The erasures that the person has begun, the newest first, with their progress",
    input: z.object({}),
    output: z.object({
      erasures: z.array(
        z.object({
          id: uuid,
          records: count.meta({ description: "Records to erase, as they were looked at" }),
          erased: count,
          skipped: count.meta({
            description: "Records that were gone, changed or out of reach when their turn came",
          }),
          questions: count.meta({ description: "Questions in the recall log. They go last" }),
          receipts: z.array(uuid),
          began_at: time,
          finished_at: time.nullable(),
          was_stopped: z.boolean().meta({
            description: "Whether the person ended it before everything was erased",
          }),
          failing: z
            .object({
              attempts: count.meta({ description: "Failed attempts since it last erased anything" }),
              reason: z.string().meta({ description: "Why the last one failed, in a sentence for people" }),
              next_attempt_at: time,
            })
            .nullable(),
        }),
      ),
    }),
    errors: [],
  },
  stopSubjectErasure: {
    effect: "write",
    rate: "write",
    summary:
      "End an erasure that the person has begun. What it has erased is gone, its remaining records stay",
    input: z.object({ erasure_id: uuid }),
    output: z.object({ stopped: z.literal(true) }),
    errors: ["not_found"],
  },
} as const;
