// What people asked and what was answered last, from the file that Claude Code keeps of a session: a JSON object a line.
import { open } from "node:fs/promises";

/** Of a long session the end counts. */
const READ_MAX = 1024 * 1024;

/** `{prompts, answer}`: the prompts in order, and the last text of the model; empty where the file cannot be read. */
export async function readTranscript(file) {
  const prompts = [];
  let answer = "";
  for (const line of (await endOf(file)).split("\n")) {
    const entry = parsed(line);
    if (entry === undefined || entry.isMeta || entry.isSidechain) continue;
    const text = textOf(entry.message?.content);
    if (entry.type === "user" && isPrompt(text)) prompts.push(text);
    if (entry.type === "assistant" && text !== "") answer = text;
  }
  return { prompts, answer };
}

async function endOf(file) {
  let handle;
  try {
    handle = await open(file, "r");
    const { size } = await handle.stat();
    const length = Math.min(size, READ_MAX);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString("utf8");
  } catch {
    return "";
  } finally {
    await handle?.close();
  }
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    // The first line may be cut, and the last one half written.
    return undefined;
  }
}

function textOf(content) {
  if (typeof content === "string") return content.trim();
  if (!Array.isArray(content)) return "";
  const texts = content.flatMap(({ type, text }) =>
    type === "text" && typeof text === "string" ? [text] : [],
  );
  return texts.join("\n").trim();
}

/** Commands and what the program itself tells the model stand between tags. */
function isPrompt(text) {
  return text !== "" && !text.startsWith("<") && !text.startsWith("/");
}
