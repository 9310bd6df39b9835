import { type ChangeEvent, NOW } from "../../contract/event.ts";
import { DomainError, invalid } from "../error.ts";
import { teamOf } from "../memory/place.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import type { UseCase } from "../use-case.ts";
import type { LoggedEvent } from "./event-log.ts";

/**
 * Returns the events after a position in the log that the caller may see now. Rejects with `events_gone` if events
 * after it are no longer kept, and with `validation_failed` if it is not a position of this log.
 */
export const listEvents: UseCase<Pick<Ports, "events">, "listEvents"> = async (ports, caller, input) => {
  if (!input.last_event_id && input.after === NOW)
    return { events: [], next: await ports.events.end(), has_more: false };
  const named = input.last_event_id ? "last_event_id" : "after";
  const page = await ports.events.read(caller, input[named] ?? null, {
    subjects: input.subject ? [input.subject] : null,
    projectId: input.project_id ?? null,
    memoryId: input.memory_id ?? null,
    limit: input.limit,
  });
  if (page === "unknown") throw invalid([named], "is not the id of an event of this service");
  if (page === "gone") throw eventsGone();
  return { events: page.events.map(presentEvent), next: page.next, has_more: page.hasMore };
};

/** An event as it is shown to callers. */
export function presentEvent(event: LoggedEvent): ChangeEvent {
  return {
    id: event.id,
    type: `${event.subject}.${event.kind}`,
    timestamp: rfc3339(event.at),
    data: {
      subject: event.subject,
      id: event.memoryId,
      project_id: event.projectId,
      team_id: teamOf(event),
      revision: event.revision,
      ...(event.userId === null ? {} : { user_id: event.userId }),
    },
  };
}

function eventsGone(): DomainError {
  return new DomainError(
    "events_gone",
    "Events after that one are no longer kept: list what there is now, then go on without `after`.",
  );
}
