import { say } from "../../../chaos/say.ts";
import type { Api, Context } from "../api.ts";
import { type Findings, Tally } from "../report.ts";
import type { Given } from "../suite.ts";
import { type BroadStore, broadStores, FOREIGN_QUESTIONS } from "./stores.ts";

/** The memories of a broad question that a pack should show at least. */
const THIN = 3;

type Column = "shown nothing" | "shown fewer than three";

/** Questions about the subject that all memories share, asked at every width, and questions about something else. */
export async function broad(api: Api, { path, size, seed }: Given): Promise<Findings> {
  const stores = broadStores(seed);
  const slug = path.replaceAll(/[^a-z0-9]+/g, "-");
  const projectOf = ({ name }: BroadStore) => `${slug}-${name}`;
  for (const store of stores) {
    const project_id = projectOf(store);
    await api.store(
      store.contents.map((content) => ({ content, path: `${path}/${store.name}`, project_id })),
    );
  }
  const tally = new Tally<Column>(["shown nothing", "shown fewer than three"]);
  const failures: string[] = [];
  const count = (row: string, question: string, shown: number, isForeign = false) => {
    tally.add([row], { "shown nothing": shown === 0, "shown fewer than three": shown < THIN });
    if ((shown === 0) !== isForeign) failures.push(`${row}: ${shown} shown: ${question}`);
  };
  const asked = questionsOf(stores, size);
  say(`broad: ${stores.length} stores, ${asked.length} questions, each asked at every width`);
  for (const { store, question } of asked) {
    const widths = {
      "by path": { path: `${path}/${store.name}` },
      "by project": { path: `${path}/%`, project_id: projectOf(store) },
      "all stores": { path: `${path}/%` },
    };
    for (const [width, filter] of Object.entries(widths))
      count(width, question, shownBy(await api.context({ query: question, ...filter })));
    const project = await api.send<{ durable_context: readonly unknown[] }>(
      "POST",
      `/v1/projects/${projectOf(store)}/context`,
      { durable_query: question },
    );
    count("project context", question, project.durable_context.length);
  }
  for (const store of stores)
    for (const question of FOREIGN_QUESTIONS) {
      const context = await api.context({ query: question, path: `${path}/${store.name}` });
      count("something else", question, shownBy(context), true);
    }
  return {
    tables: [tally.table("Packs that show nothing or little, in % of the questions", "percent")],
    failures,
  };
}

function shownBy({ items }: Context): number {
  return items.length;
}

/** The questions of all stores in turns, until there are enough. */
function questionsOf(stores: readonly BroadStore[], size: number): { store: BroadStore; question: string }[] {
  const most = Math.max(...stores.map(({ questions }) => questions.length));
  return Array.from({ length: most }, (_, at) =>
    stores.flatMap((store) => {
      const question = store.questions[at];
      return question === undefined ? [] : [{ store, question }];
    }),
  )
    .flat()
    .slice(0, size);
}
