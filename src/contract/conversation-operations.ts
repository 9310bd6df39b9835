import { conversationAnswer, conversationRequest } from "./conversation.ts";
import { writeErrors } from "./memory-members.ts";
import { spaceOperation } from "./operation.ts";

export const storeConversation = spaceOperation({
  name: "storeConversation",
  summary: "Store what was said in a conversation, each message once",
  description:
    "Each message becomes an episodic memory with its speaker as source. Instructions, tool calls, thinking, injected context and what says nothing are left out. Sending messages again stores them once.",
  input: conversationRequest,
  output: conversationAnswer,
  errors: writeErrors,
  effect: "write",
  scopes: ["memory:write"],
  rate: "write",
  http: { method: "POST", path: "/v1/conversations", status: 200 },
});
