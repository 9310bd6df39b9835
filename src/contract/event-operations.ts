import { eventsAnswer, eventsRequest } from "./event.ts";
import { operation } from "./operation.ts";

export const listEvents = operation({
  name: "listEvents",
  summary: "Follow what becomes of memories, todos and decisions",
  description:
    "Every change that this credential may know of, in order for each memory, at least once. With `Accept: text/event-stream` it is a stream of server-sent events that goes on until either side ends it, and begins with what comes next unless it is told where to go on. A block without data says only how far the stream is. `events_gone`: what is asked from is no longer kept.",
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
