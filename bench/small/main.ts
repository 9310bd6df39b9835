import { parseArgs } from "node:util";
import { positive } from "../speed/options.ts";
import type { Bench } from "./bench.ts";

/** Each is loaded when it is asked for: some need a browser, some Bun. */
const BENCHES = {
  admin: () => import("./admin.ts"),
  docs: () => import("./docs.ts"),
  events: () => import("./events.ts"),
  memory: () => import("./memory.ts"),
  profile: () => import("./profile.ts"),
  secrets: () => import("./secrets.ts"),
  share: () => import("./share.ts"),
  "token-model": () => import("./token-model.ts"),
  watch: () => import("./watch.ts"),
};

/** The options as given, each of the kind of its default. */
function read<Options extends Readonly<Record<string, number | string | boolean>>>(
  { defaults }: Bench<Options>,
  args: readonly string[],
): Options | "help" {
  const kinds = Object.entries(defaults).map(
    ([name, value]) => [name, { type: typeof value === "boolean" ? "boolean" : "string" }] as const,
  );
  const { values }: { values: Record<string, unknown> } = parseArgs({
    args: [...args],
    options: { ...Object.fromEntries(kinds), help: { type: "boolean" } },
  });
  if (values.help) return "help";
  const given = Object.entries(defaults).map(([name, value]) => {
    const asked = values[name];
    if (asked === undefined) return [name, value];
    return [name, typeof value === "number" ? positive(name, String(asked)) : asked];
  });
  return Object.fromEntries(given) as Options;
}

const [name = "", ...args] = process.argv.slice(2);
if (!Object.hasOwn(BENCHES, name))
  throw new Error(`Name one of these benches: ${Object.keys(BENCHES).join(", ")}.`);
const { program } = await BENCHES[name as keyof typeof BENCHES]();
const options = read(program as Bench<Record<string, number | string | boolean>>, args);
if (options === "help") console.log(program.help);
else {
  await program.run(options as never);
  process.exit();
}
