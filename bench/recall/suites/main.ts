import { say } from "../../chaos/say.ts";
import { Home, KEY } from "../../speed/processes.ts";
import { Api } from "./api.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import { printFindings } from "./report.ts";
import { SUITES } from "./suites.ts";

/** See `HELP`. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    process.stdout.write(HELP);
    return;
  }
  const { url } = options;
  if (url !== null) return run(options, new Api(url, process.env.RECOLLECT_API_KEY ?? ""));
  const home = new Home();
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => reject(new Error("Interrupted.")));
  });
  try {
    const server = await Promise.race([home.server(settings()), interrupted]);
    await Promise.race([run(options, new Api(server.url, KEY)), interrupted]);
  } finally {
    await home.remove();
  }
}

async function run({ suites, seed, size }: Options, api: Api): Promise<void> {
  // A service that is used again keeps what earlier runs stored.
  const root = `suites/${Date.now().toString(36)}`;
  for (const name of suites) {
    const suite = SUITES[name];
    say(`${name}, seed ${seed}`);
    printFindings(name, await suite.run(api, { path: `${root}/${name}`, size: size ?? suite.size, seed }));
  }
  say(`answered by: ${[...api.engines].map(([engine, count]) => `${engine} (${count})`).join(", ")}`);
}

/** The settings of the search engine and of the token model, for the service that is started. */
function settings(): Record<string, string> {
  const given = Object.entries(process.env).filter(([name]) => /^ELASTICSEARCH_|^TOKEN_MODEL$/.test(name));
  return Object.fromEntries(given.map(([name, value]) => [name, value ?? ""]));
}

await main();
