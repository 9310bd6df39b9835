/** Two agents hand work over: the planner decides, the coder reads it, mends something and ends the task. */
import { createClient, createWorkflow } from "@recollect/client";
import { apiKey, baseUrl } from "./environment.ts";

const client = createClient({ baseUrl, apiKey });

const planner = createWorkflow(client, {
  source: "planner",
  agent: { id: "planner", instance: "laptop-1" },
  sessionId: "monday",
  taskId: "cassini-queue",
});
await planner.taskStart("Choose a queue for Cassini.");
const decision = await planner.recordDecision("Cassini's queue is built on Postgres: it is there already.");
if (!decision.shouldCapture) console.log(`Not written: ${decision.reason}.`);

const coder = createWorkflow(client, {
  source: "coder",
  agent: { id: "coder", instance: "server-1" },
  sessionId: "tuesday",
  taskId: "cassini-queue",
});
const pack = await coder.recallContext("What do we know about Cassini's queue?", { maxTokens: 800 });
console.log(pack.context_text);
for (const { content, boundary } of pack.items) console.log(`${boundary.relation}: ${content}`);

// What was just read is not written down again.
const echo = await coder.recordBugFix("Cassini's queue is built on Postgres: it is there already.");
console.log(`Again: ${echo.reason}`);
await coder.recordBugFix("Cassini's jobs ran twice, since the claim was outside of the transaction.");
await coder.taskEnd("Cassini's queue runs.");

const back = await planner.recallContext("What became of Cassini's queue?");
console.log(`The planner reads ${back.items.length} memories.`);
