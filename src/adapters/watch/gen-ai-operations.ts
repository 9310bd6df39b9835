/**
 * Names of memory operations in OpenTelemetry's conventions for generative AI, which are in development and in no
 * package yet. `remember` is an upsert: the service decides whether it creates or updates.
 */
export const GEN_AI_OPERATIONS = {
  recallContext: "search_memory",
  searchMemories: "search_memory",
  searchMemoriesByBody: "search_memory",
  storeMemory: "create_memory",
  storeBatch: "create_memory",
  storeConversation: "create_memory",
  remember: "upsert_memory",
  updateMemory: "update_memory",
  forgetMemory: "delete_memory",
  deleteMemory: "delete_memory",
} as const;
