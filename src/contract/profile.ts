import { z } from "zod";
import { memoryItem } from "./memory.ts";
import { projectId, time, uuid } from "./primitives.ts";
import { budget, contextConflict, packedMembers } from "./recall.ts";

/** The sections of a profile, in the order of its text. */
export const profileSections = ["instructions", "facts", "working", "todos", "recent"] as const;
export type ProfileSection = (typeof profileSections)[number];

export const profileRequest = z
  .object({
    project_id: projectId
      .nullish()
      .meta({ description: "Only this project's memories. Default: all of the owner's" }),
    team_id: uuid.nullish().meta({ description: "This team's profile. Default: the credential's owner's" }),
    max_items: z.int().min(1).max(1000).default(30),
    max_tokens: z
      .int()
      .min(1)
      .max(50_000)
      .default(800)
      .meta({ description: "The most tokens (o200k_base) in context_text" }),
    include_knowledge: z.boolean().default(false),
  })
  .meta({ id: "ProfileRequest" });
export type ProfileRequest = z.infer<typeof profileRequest>;

const profileItem = memoryItem
  .extend({
    ...packedMembers,
    section: z.enum(profileSections).meta({
      description:
        "instructions: directives, verified memories, preferences and procedures, by authority; facts: the current value of each semantic key; working: notes on work in progress; todos: open todos and due reminders; recent: the newest other memories",
    }),
    due_at: time.nullable(),
  })
  .meta({ id: "ProfileItem" });

export const profileAnswer = z
  .object({
    project_id: z.string().nullable(),
    team_id: z
      .string()
      .nullable()
      .meta({ description: "The team whose profile it is; null for the owner's own" }),
    assembled_at: time,
    budget,
    items: z.array(profileItem).meta({ description: "In the order of the text. None is superseded" }),
    conflicts: z
      .array(contextConflict)
      .meta({ description: "Memories of the profile that contradict each other, the newest first" }),
    context_text: z.string().meta({
      description: "The profile for a model, in the compact form of a context: one line for each item",
    }),
  })
  .meta({ id: "Profile" });
export type Profile = z.infer<typeof profileAnswer>;
