import { countTokens } from "../../src/recall/pack/count-tokens.ts";
import type { Memory, Space } from "../recall/data-set.ts";
import { readDataSet } from "../recall/data-set.ts";
import { bench, issueKey } from "./bench.ts";
import { openServed } from "./served.ts";

const HELP = `Measures how much of the evidence for its questions a conversation's profile shows, without a question.

  npm run bench:profile -- --file CONVERSATIONS.json.gz [--tokens 400]

The file is one of bench:recall. Each conversation is stored as memories of its own project. Compared with the newest and
with the oldest memories that fill as many tokens in the same form; the most important are neither more nor less, since no
message has an importance of its own.
`;

/** Tokens of the two lines above the memories, and of a memory's header. */
const FRAME_TOKENS = 13;
const HEADER_TOKENS = 4;

export const program = bench(HELP, { file: "", tokens: 400 }, async ({ file, tokens }) => {
  const { spaces } = await readDataSet(file);
  const served = await openServed({ RATE_LIMIT_ENABLED: "false" });
  try {
    const { secret } = await issueKey(served.service);
    const ask = async (path: string, body?: object) => {
      const headers = { "x-api-key": secret, "content-type": "application/json" };
      const how = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
      const answer = await fetch(served.url + path, how);
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    const shares = { profile: 0, newest: 0, oldest: 0 };
    let questions = 0;
    for (const [at, space] of spaces.entries()) {
      const project_id = `conversation-${at}`;
      for (let from = 0; from < space.memories.length; from += 250)
        await ask("/v1/memories/batch", {
          items: space.memories.slice(from, from + 250).map((memory) => itemOf(memory, project_id)),
        });
      const profile = await ask(`/v1/profile?project_id=${project_id}&max_items=100&max_tokens=${tokens}`);
      const shown = {
        profile: profile.items.map(({ metadata }: { metadata: { ref: string } }) => metadata.ref),
        newest: filling(space.memories.toReversed(), tokens),
        oldest: filling(space.memories, tokens),
      };
      const asked = space.queries.filter(({ relevant }) => relevant.length > 0);
      questions += asked.length;
      for (const way of Object.keys(shares) as (keyof typeof shares)[])
        for (const query of asked) shares[way] += shareIn(query, shown[way]);
    }
    for (const [way, sum] of Object.entries(shares))
      console.log(`${way.padEnd(8)} ${((100 * sum) / questions).toFixed(2)} % of the evidence`);
  } finally {
    await served.close();
  }
});

function itemOf({ content, ref, speaker, session, created_at }: Memory, project_id: string) {
  const metadata = { ref, occurred_at: created_at };
  return {
    content,
    path: "bench",
    source: speaker,
    project_id,
    metadata,
    provenance: { session_id: session },
  };
}

function shareIn({ relevant }: Space["queries"][number], refs: readonly string[]): number {
  return relevant.filter((ref) => refs.includes(ref)).length / relevant.length;
}

/** The first memories that fit. */
function filling(memories: readonly Memory[], tokens: number): string[] {
  let left = tokens - FRAME_TOKENS;
  const end = memories.findIndex(({ content }) => {
    left -= HEADER_TOKENS + countTokens(` ${content}\n`);
    return left < 0;
  });
  return memories.slice(0, end === -1 ? memories.length : end).map(({ ref }) => ref);
}
