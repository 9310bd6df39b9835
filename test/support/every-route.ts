import type { Answer, Client } from "./world.ts";

/** A request of every operation, about this memory where it is about one. */
export function everyRequest(
  client: Pick<Client, "get" | "post" | "patch" | "delete">,
  id: string,
): Record<string, () => Promise<Answer>> {
  const body = { content: "c", path: "p" };
  return {
    remember: () => client.post("/v1/remember", body),
    store: () => client.post("/v1/memories", body),
    batch: () => client.post("/v1/memories/batch", { items: [body] }),
    list: () => client.get("/v1/memories"),
    search: () => client.get("/v1/memories/search?query=x"),
    searchByBody: () => client.post("/v1/memories/search", { query: "x" }),
    recall: () => client.get("/v1/recall?query=x"),
    context: () => client.post("/v1/recall/context", { query: "x" }),
    deleteMatching: () => client.post("/v1/memories/delete", { filter: { path: "p" } }),
    ...everyRequestById(client, id),
    receipt: () => client.get(`/v1/receipts/${id}`),
  };
}

/** A request of every operation that is about one memory. */
export function everyRequestById(
  client: Pick<Client, "get" | "post" | "patch" | "delete">,
  id: string,
): Record<string, () => Promise<Answer>> {
  return {
    get: () => client.get(`/v1/memories/${id}`),
    versions: () => client.get(`/v1/memories/${id}/versions`),
    why: () => client.post("/v1/recall/why", { query: "x", memory_id: id }),
    update: () => client.patch(`/v1/memories/${id}`, { content: "changed" }),
    softDelete: () => client.delete(`/v1/memories/${id}`),
    hardDelete: () => client.delete(`/v1/memories/${id}?mode=hard_delete`),
    redact: () => client.delete(`/v1/memories/${id}?mode=redact`),
    forgetSoftly: () => client.post(`/v1/memories/${id}/forget`, {}),
    forgetForGood: () => client.post(`/v1/memories/${id}/forget`, { mode: "hard_delete" }),
    forgetText: () => client.post(`/v1/memories/${id}/forget`, { mode: "redact" }),
    restore: () => client.post(`/v1/memories/${id}/restore`),
    completeReminder: () => client.post(`/v1/reminders/${id}/complete`),
    feedback: () => client.post("/v1/recall/feedback", { memory_id: id, helpful: true }),
  };
}
