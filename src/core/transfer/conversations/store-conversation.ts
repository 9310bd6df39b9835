import type { ConversationAnswer, ConversationRequest } from "../../../contract/conversation.ts";
import { type StoreRequest, storeRequest } from "../../../contract/memory.ts";
import type { Caller } from "../../caller.ts";
import { DomainError } from "../../error.ts";
import { type ItemError, writeEach } from "../../memory/batch.ts";
import { isAnsweredByLike, judge } from "../../memory/junk.ts";
import type { WriteOutcome, WritePorts } from "../../memory/remember.ts";
import type { Ports } from "../../ports.ts";
import type { UseCase } from "../../use-case.ts";
import { given } from "../peers/peer-record.ts";
import { type MessageReading, messageIds, OMISSION_WORDS, type Omission, readMessage } from "./message.ts";

type ConversationPorts = WritePorts & Pick<Ports, "pace">;
type Result = ConversationAnswer["results"][number];

/**
 * Stores each message that says something as an episodic memory, in one transaction. A memory's id is made from the
 * session and from the message's own id, otherwise from what was said, by whom and when: so a message that was sent
 * before is joined to its memory, also if the conversation has grown meanwhile or only its end is sent. A message whose
 * memory was changed or forgotten here stays as it is.
 */
export const storeConversation: UseCase<ConversationPorts, "storeConversation"> = async (
  ports,
  caller,
  input,
) => {
  const readings = await readAll(ports, caller, input);
  const requests = requestsOf(ports, input, readings);
  const written = await writeEach(
    ports,
    caller,
    requests.map(({ request }) => request),
  );
  const outcomes = new Map(requests.map(({ index }, at) => [index, written[at] as (typeof written)[number]]));
  const results = readings.map((reading, index) => resultOf(index, reading, outcomes.get(index)));
  const count = (outcome: Result["outcome"]) => results.filter((one) => one.outcome === outcome).length;
  return {
    session_id: input.session_id,
    kept: count("kept"),
    joined: count("joined"),
    left_out: count("left_out"),
    results,
  };
};

async function readAll(
  ports: ConversationPorts,
  caller: Caller,
  { messages, session_id: _, ...target }: ConversationRequest,
): Promise<MessageReading[]> {
  const readings: MessageReading[] = [];
  for (const message of messages) {
    await ports.pace.pause();
    const reading = readMessage(message);
    const isEcho =
      "turn" in reading && (await isJustShown(ports, caller, { ...target, content: reading.turn.text }));
    readings.push(isEcho ? { leftOut: "echo" } : reading);
  }
  return readings;
}

/** True if recall has just returned all of the text to this caller, and the policy keeps such texts out. */
async function isJustShown(ports: ConversationPorts, caller: Caller, write: object): Promise<boolean> {
  const asked = storeRequest.safeParse(write);
  if (!asked.success || !isAnsweredByLike(ports.junk.policy)) return false;
  try {
    const { taken } = await judge(ports, caller, asked.data, true);
    return taken?.as === "echo";
  } catch (error) {
    if (error instanceof DomainError) return true;
    throw error;
  }
}

/** The writes, each with the index of its message. */
function requestsOf(
  { hash }: ConversationPorts,
  { session_id, messages: _, path, project_id, ...target }: ConversationRequest,
  readings: readonly MessageReading[],
): { index: number; request: Partial<StoreRequest> }[] {
  const idOf = messageIds((key) => `conversation:${hash(JSON.stringify([session_id, ...key])).slice(0, 32)}`);
  return readings.flatMap((reading, index) => {
    if ("leftOut" in reading) return [];
    const { speaker, text, at } = reading.turn;
    const request = given({
      ...target,
      path,
      content: text,
      memory_type: "episodic",
      memory_id: idOf(reading.turn),
      source: speaker,
      project_id,
      metadata: given({ occurred_at: at }),
      provenance: { session_id },
    });
    return [{ index, request }];
  });
}

function resultOf(index: number, reading: MessageReading, written?: WriteOutcome | ItemError): Result {
  if ("leftOut" in reading) return leftOut(index, reading.leftOut);
  if (written === undefined || "error" in written) {
    const { code, detail } = written?.error ?? { code: "internal", detail: "" };
    const words = typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join("; ");
    return { index, outcome: "left_out", reason: code, detail: words };
  }
  return { index, outcome: written.isNew ? "kept" : "joined", id: written.memory.memoryId };
}

function leftOut(index: number, reason: Omission): Result {
  return { index, outcome: "left_out", reason, detail: `${OMISSION_WORDS[reason]}.` };
}
