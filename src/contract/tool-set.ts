/** Which tools MCP lists: the few that most conversations need, or all. Neither grants or takes away anything. */
export const toolSets = ["core", "full"] as const;
export type ToolSet = (typeof toolSets)[number];

/** The parameter of the address of MCP that names one. */
export const TOOLS_PARAMETER = "tools";

/** The tools of the set `core`, in the order in which the full set has them. */
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
