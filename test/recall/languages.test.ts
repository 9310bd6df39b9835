/** Recall across languages through the public surface: a question finds what answers it in another language. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/processes.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;

beforeAll(async () => {
  world = await openWorld({ MULTILINGUAL_MODEL: "on" });
});
afterAll(() => world.close());

async function remember(client: Client, content: string): Promise<string> {
  const answer = await client.post("/v1/memories", { content, path: "notes" });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

interface Found {
  readonly id: string;
  readonly content: string;
  readonly explanation: { readonly signals: Record<string, number> };
}

async function search(client: Pick<Client, "get">, query: string): Promise<Found[]> {
  const answer = await client.get(
    `/v1/memories/search?explain=true&limit=10&query=${encodeURIComponent(query)}`,
  );
  expect(answer.status).toBe(200);
  return answer.body.results;
}

/** Until every memory of this user has multilingual vectors of its present text. */
const encoded = ({ ownerId }: Client) =>
  eventually("the worker to encode all memories", async () => {
    const [row] = await world.service.sql`
      select count(*)::int as count from memories m
      left join embeddings e on e.owner_id = m.owner_id and e.memory = m.id
      where m.owner_id = ${ownerId} and e.multilingual is null`;
    return row?.count === 0 || undefined;
  });

const ENGLISH = [
  "Anna moved to Lisbon in March and works from home on Fridays.",
  "The payment service runs on port 8443 behind the load balancer.",
  "Grace is allergic to peanuts, so no nuts at the summer party.",
  "The weekly planning meeting moved from Monday to Thursday afternoon.",
  "Tomas broke his left arm while skiing in Austria last winter.",
  "Backups of the customer database are kept for ninety days.",
  "Our landlord wants the rent on the first working day of the month.",
  "The cat has to take its medicine twice a day with food.",
  "Deployments are frozen during the two weeks before Christmas.",
  "Lena prefers to be called in the morning, never after six.",
];

test("a question in another language finds the English fact first", async () => {
  const client = await world.client({ owner: "english" });
  for (const content of ENGLISH) await remember(client, content);
  await encoded(client);
  const asked = {
    "Naar welke stad is Anna verhuisd?": "Lisbon",
    "Wogegen ist Grace allergisch, worauf müssen wir achten?": "peanuts",
    "¿Cuánto tiempo se guardan las copias de seguridad de la base de datos?": "ninety days",
    "Quand le loyer doit-il être payé au propriétaire?": "landlord",
    "Jak często kot musi dostawać lekarstwo?": "medicine",
    "在圣诞节前的什么时候不能部署?": "frozen",
  };
  for (const [question, word] of Object.entries(asked)) {
    const [first] = await search(client, question);
    expect(first?.content, question).toContain(word);
    expect(first?.explanation.signals.translation, question).toBeGreaterThan(0);
    const pack = await client.post("/v1/recall/context", { query: question });
    expect(pack.body.context_text, question).toContain(word);
  }
});

test("an English question finds the fact in another language, among English ones", async () => {
  const client = await world.client({ owner: "mixed" });
  for (const content of ENGLISH) await remember(client, content);
  await remember(client, "De sleutel van de fietsenstalling ligt onder de bloempot bij de voordeur.");
  await encoded(client);
  const [first] = await search(client, "Where is the key of the bicycle shed?");
  expect(first?.content).toContain("bloempot");
});

test("a text that changes is found by its new meaning alone", async () => {
  const client = await world.client({ owner: "changing" });
  for (const content of ENGLISH) await remember(client, content);
  const id = await remember(client, "The spare key hangs in the kitchen cupboard.");
  await encoded(client);
  expect((await search(client, "Waar hangt de reservesleutel van het huis?"))[0]?.id).toBe(id);
  const { status } = await client.patch(`/v1/memories/${id}`, {
    content: "The dentist's appointment is on the ninth of June.",
  });
  expect(status).toBe(200);
  await encoded(client);
  expect((await search(client, "Wanneer is de afspraak bij de tandarts?"))[0]?.id).toBe(id);
  const [before] = await search(client, "Waar hangt de reservesleutel van het huis?");
  expect(before?.explanation.signals.translation ?? 0).toBeLessThan(1);
});

test("short English memories and questions are compared as without the encoder", async () => {
  const client = await world.client({ owner: "english-only" });
  for (const content of ENGLISH) await remember(client, content);
  // Taken for Tagalog, which the encoder does not read.
  await remember(client, "Gina: Sure, see ya. Bye!");
  await encoded(client);
  for (const { explanation } of await search(client, "Where did Anna move to?"))
    expect(explanation.signals).not.toHaveProperty("multilingual");
});
