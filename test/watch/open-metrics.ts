/** Reads the OpenMetrics format strictly: what it does not know is an error. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric family, as its `TYPE` and `HELP` lines announce it. */
export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

const SAMPLE = /^([a-z_:][a-z0-9_:]*)(?:\{(.*?)\})? (\S+)(?: # \{.*\} \S+(?: \S+)?)?$/i;
const LABEL = /([a-z_][a-z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gi;

export function samplesOf(page: string): Sample[] {
  return linesOf(page).flatMap((line) => (line.startsWith("#") ? [] : [sampleOf(line)]));
}

export function familiesOf(page: string): Family[] {
  const helps = new Map<string, string>();
  const types: [string, string][] = [];
  for (const line of linesOf(page)) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === "HELP") helps.set(name, rest);
    if (kind === "TYPE") types.push([name, rest]);
  }
  return types.map(([name, type]) => ({ name, type, help: helps.get(name) ?? "" }));
}

/** All but the last, which has to be there. */
function linesOf(page: string): string[] {
  const lines = page.split("\n");
  if (lines.pop() !== "" || lines.pop() !== "# EOF") throw new Error("The page does not end as it has to.");
  return lines;
}

function sampleOf(line: string): Sample {
  const [, name, labels = "", value = ""] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`This is no sample: ${line}`);
  const pairs = [...labels.matchAll(LABEL)].map(([, key, text]) => [key, text] as const);
  return { name, labels: Object.fromEntries(pairs), value: Number(value.replace("Inf", "Infinity")) };
}
