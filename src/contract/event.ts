import { z } from "zod";
import { projectId, publicId, time } from "./primitives.ts";

export const eventSubjects = ["memory", "todo", "decision", "alert"] as const;

/** The id of an event, or a cursor between two events (such as `next`). */
export const eventId = z
  .string()
  .regex(/^evt_[A-Za-z0-9_-]{22}$/, { error: "must be the id of an event, or the next of an answer" })
  .meta({ examples: ["evt_AAAAAAAAAAAAAAAAAAAAAA"] });

/** One change. It carries ids and kinds, but no stored content. */
export const changeEvent = z
  .object({
    id: eventId.meta({ description: "The same in every delivery of this event" }),
    type: z.string().meta({
      description:
        "The subject and what happened to it, such as memory.created, todo.completed or alert.raised",
      examples: ["memory.created"],
    }),
    timestamp: time,
    data: z
      .object({
        subject: z.enum(eventSubjects),
        id: publicId.meta({
          description:
            "Of the memory, todo or decision; of an alert its measure, such as recall_p95, and for a silent agent a colon and its id",
        }),
        project_id: z.string().nullable(),
        team_id: z.string().nullable(),
        revision: z
          .int()
          .meta({ description: "Rises with every change to the same memory, todo or decision" }),
        user_id: z
          .string()
          .optional()
          .meta({ description: "The end user in whose space it happened, if any" }),
      })
      .meta({ id: "ChangeEventData" }),
  })
  .meta({ id: "ChangeEvent" });
export type ChangeEvent = z.output<typeof changeEvent>;

export const eventFilter = {
  subject: z.enum(eventSubjects).nullish().meta({ description: "Only events about this kind" }),
  project_id: projectId.nullish().meta({ description: "Only events in this project" }),
  memory_id: publicId.nullish().meta({ description: "Only events of this memory, todo or decision" }),
};

/** The end of the log. The next event is the first one returned. */
export const NOW = "now";

export const eventsRequest = z.object({
  after: z
    .string()
    .regex(/^(?:now|evt_[A-Za-z0-9_-]{22})$/, {
      error: "must be the id of an event, the next of an answer, or now",
    })
    .nullish()
    .meta({
      description:
        "Where to continue: the id of the last event you read, the `next` of an answer, or `now` for new events only. Without it a list begins with the oldest event that is kept, and a stream with the next new one",
      examples: ["now"],
    }),
  last_event_id: eventId
    .nullish()
    .meta({ description: "The same as `after`, sent by browsers when they reconnect; it takes precedence" }),
  limit: z.int().min(1).max(500).default(100).meta({ description: "The most events to return" }),
  ...eventFilter,
});

export const eventsAnswer = z
  .object({
    events: z.array(changeEvent).meta({ description: "Oldest first" }),
    next: eventId.meta({ description: "Send this as `after` in your next request" }),
    has_more: z.boolean().meta({ description: "Whether more events may already be waiting" }),
  })
  .meta({ id: "ChangeEvents" });
export type EventsAnswer = z.output<typeof eventsAnswer>;
