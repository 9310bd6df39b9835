/** Which tools MCP lists: the few that most conversations need, or all. The choice does not affect access. */
export const toolSets = ["core", "full"] as const;
export type ToolSet = (typeof toolSets)[number];

/** The query parameter of the MCP address that selects a tool set. */
export const TOOLS_PARAMETER = "tools";

/** The tools of the set `core`, in the order of the full set. */
export const coreTools: readonly string[] = [
  "remember",
  "get_memory",
  "update_memory",
  "forget_memory",
  "search_memories",
  "recall_context",
  "project_context",
  "todo_create",
  "todo_list",
  "decision_create",
];
