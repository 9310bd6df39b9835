import { eventsAnswer, eventsRequest } from "./event.ts";
import { spaceOperation } from "./operation.ts";

export const listEvents = spaceOperation({
  name: "listEvents",
  summary: "Follow changes to memories, todos and decisions",
  description:
    "Lists every change that this credential may see: at least once each, and in order for each memory. With `Accept: text/event-stream` it becomes a stream of server-sent events that runs until either side closes it; unless told where to resume, it starts with the next event. A block without data only reports the stream's position. `events_gone` means that the starting point is older than what is kept.",
  input: eventsRequest,
  output: eventsAnswer,
  errors: ["events_gone"],
  effect: "read",
  scopes: ["memory:read"],
  rate: "read",
  http: {
    method: "GET",
    path: "/v1/events",
    status: 200,
    headers: { last_event_id: "Last-Event-ID" },
    isStream: true,
  },
});
