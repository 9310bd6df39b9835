// Stop and SessionEnd: one memory for each session, which says what was asked and what came of it. Each turn brings it up to
// date, so that a session that is killed is not lost. It expires: what is to last the model remembers itself.
import { call, hasKey, hook, projectOf, shortened } from "./hook.mjs";
import { readTranscript } from "./transcript.mjs";

const KEPT_FOR_DAYS = 30;
const PROMPTS_MAX = 6;
const PROMPT_MAX = 300;
const ANSWER_MAX = 1500;
/** "Thanks" and its answer are worth nobody's attention later. */
const WORTH_KEEPING = 120;
/** One request; there are two at most. */
const WITHIN_MS = 1_500;

await hook(async (event) => {
  if (!hasKey() || process.env.RECOLLECT_CAPTURE === "off" || event.stop_hook_active || !event.session_id)
    return undefined;
  const note = noteOf(event, await readTranscript(event.transcript_path));
  if (note !== null) await keep(event, note);
  return undefined;
});

function noteOf(event, { prompts, answer }) {
  const asked = prompts.slice(-PROMPTS_MAX).map((prompt) => oneLine(shortened(prompt, PROMPT_MAX)));
  // The file may not have the last answer yet when a turn ends.
  const outcome = shortened(event.last_assistant_message || answer, ANSWER_MAX);
  if (asked.length === 0 || outcome === "" || asked.join("").length + outcome.length < WORTH_KEEPING)
    return null;
  return [
    `Claude Code session in ${projectOf(event)}. Asked:`,
    ...asked.map((prompt) => `- ${prompt}`),
    `Outcome: ${outcome}`,
  ].join("\n");
}

function oneLine(text) {
  return text.replace(/\s+/g, " ");
}

/** Changes the session's memory, or makes it. One that was forgotten meanwhile is left so: to make it is a conflict. */
async function keep(event, content) {
  const id = `claude-code-${event.session_id}`;
  const changes = { content, detect_conflicts: false };
  const { status } = await call(event, "PATCH", `/v1/memories/${encodeURIComponent(id)}`, changes, WITHIN_MS);
  if (status !== 404) return;
  const memory = {
    memory_id: id,
    content,
    path: `claude-code/${projectOf(event)}`,
    memory_type: "working",
    importance: 0.4,
    expires_at: new Date(Date.now() + KEPT_FOR_DAYS * 86_400_000).toISOString(),
    source: "claude-code",
    provenance: { project_id: projectOf(event) },
  };
  await call(event, "POST", "/v1/memories", memory, WITHIN_MS);
}
