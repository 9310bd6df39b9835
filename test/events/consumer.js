/**
 * A consumer of events as its own program: it appends each to a file, one a line, before it asks for the next, and goes on
 * after the last whole line of it. Usage: node consumer.js URL KEY FILE. It is killed at any moment.
 */
import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";

const [url, key, file] = process.argv.slice(2);

/** A line that was cut off by the kill is none: its event comes again. */
function lastId() {
  if (!existsSync(file)) return null;
  const text = readFileSync(file, "utf8");
  const whole = text.lastIndexOf("\n") + 1;
  truncateSync(file, Buffer.byteLength(text.slice(0, whole)));
  const last = text.slice(0, whole).trimEnd().split("\n").at(-1);
  return last ? JSON.parse(last).id : null;
}

async function follow() {
  const after = lastId();
  const response = await fetch(`${url}/v1/events?limit=7`, {
    headers: { "x-api-key": key, accept: "text/event-stream", ...(after ? { "last-event-id": after } : {}) },
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  process.stdout.write("following\n");
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      const id = /^id: (.*)$/m.exec(block)?.[1];
      // Where it begins is a line too: what comes after it is not missed.
      appendFileSync(file, `${data ?? JSON.stringify({ id })}\n`);
    }
  }
}

for (;;) {
  await follow().catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 100));
}
