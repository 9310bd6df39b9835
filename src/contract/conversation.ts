import { z } from "zod";
import { storeRequest } from "./memory.ts";
import { attributionName, path, publicId } from "./primitives.ts";

/** Why a message is no memory. */
export const conversationOmissions = [
  "instructions",
  "tool",
  "thinking",
  "injected",
  "empty",
  "trivial",
  "echo",
  "invalid",
] as const;

const target = storeRequest.pick({ bucket: true, project_id: true, scope: true, team_id: true });

export const conversationRequest = target
  .extend({
    session_id: attributionName.meta({
      description: "The conversation. Use the same name each time: messages sent again are recognised by it",
    }),
    messages: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .max(500)
      .meta({
        description:
          "In order: messages of OpenAI's or Anthropic's API, of the AI SDK, or {speaker, text, at}.",
        examples: [
          [
            { role: "user", name: "ada", content: "I have moved to Porto." },
            { role: "assistant", content: "Noted. Shall I change your address?" },
          ],
        ],
      }),
    path: path.default("conversations"),
  })
  .meta({ id: "ConversationRequest" });
export type ConversationRequest = z.infer<typeof conversationRequest>;

const outcome = { index: z.int().min(0) };

export const conversationAnswer = z
  .object({
    session_id: z.string(),
    kept: z.int().meta({ description: "The number of messages that are now memories" }),
    joined: z.int().meta({ description: "The number of messages that were memories before" }),
    left_out: z.int(),
    results: z
      .array(
        z.union([
          z
            .object({ ...outcome, outcome: z.enum(["kept", "joined"]), id: publicId })
            .meta({ id: "KeptMessage" }),
          z
            .object({
              ...outcome,
              outcome: z.literal("left_out"),
              reason: z.string().meta({
                description:
                  "instructions, tool, thinking, injected (by a program), empty, trivial, echo (recall has just shown it), invalid (no message), or the code of the error that refused it",
              }),
              detail: z.string(),
            })
            .meta({ id: "OmittedMessage" }),
        ]),
      )
      .meta({ description: "In the order of the messages" }),
  })
  .meta({ id: "ConversationAnswer" });
export type ConversationAnswer = z.infer<typeof conversationAnswer>;
