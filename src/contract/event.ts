import { z } from "zod";
import { projectId, publicId, time } from "./primitives.ts";

/** What an event is about. */
export const eventSubjects = ["memory", "todo", "decision"] as const;

/** An id of an event, or of a place between two: what `next` and the ids of events are. */
export const eventId = z
  .string()
  .regex(/^evt_[A-Za-z0-9_-]{22}$/, { error: "must be the id of an event, or the next of an answer" })
  .meta({ examples: ["evt_AAAAAAAAAAAAAAAAAAAAAA"] });

/** One change. It carries ids and kinds, and nothing of what is stored. */
export const changeEvent = z
  .object({
    id: eventId.meta({ description: "The same wherever the event is told, and however often" }),
    type: z.string().meta({
      description: "What it is about and what became of it, such as memory.created or todo.completed",
      examples: ["memory.created"],
    }),
    timestamp: time,
    data: z
      .object({
        subject: z.enum(eventSubjects),
        id: publicId.meta({ description: "Of the memory, todo or decision" }),
        project_id: z.string().nullable(),
        team_id: z.string().nullable(),
        revision: z.int().meta({ description: "Rises with every change of the same one" }),
      })
      .meta({ id: "ChangeEventData" }),
  })
  .meta({ id: "ChangeEvent" });
export type ChangeEvent = z.output<typeof changeEvent>;

/** What narrows events down. */
export const eventFilter = {
  subject: z.enum(eventSubjects).nullish().meta({ description: "Only events about these" }),
  project_id: projectId.nullish().meta({ description: "Only events in this project" }),
  memory_id: publicId.nullish().meta({ description: "Only events of this memory, todo or decision" }),
};

/** Where the log ends: what comes next is the first. */
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
        "What was read last: the id of an event, or `next`; `now` for what comes next. Without it a list begins with the oldest event that is kept, and a stream with what comes next",
      examples: ["now"],
    }),
  last_event_id: eventId.nullish().meta({ description: "The same, as a browser says it; it wins" }),
  limit: z.int().min(1).max(500).default(100).meta({ description: "At most so many" }),
  ...eventFilter,
});

export const eventsAnswer = z
  .object({
    events: z.array(changeEvent).meta({ description: "In their order, the oldest first" }),
    next: eventId.meta({ description: "What to send as `after` next time" }),
    has_more: z.boolean().meta({ description: "Whether there may be more already" }),
  })
  .meta({ id: "ChangeEvents" });
export type EventsAnswer = z.output<typeof eventsAnswer>;
