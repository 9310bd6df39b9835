/** What a hit's place is made of: four groups as a bar, and each signal by itself. */

/** The groups of the ranker's signals, each with its pattern. What is in none of the first three is of the last. */
export const GROUPS = ["words", "meaning", "time", "other"] as const;
type Group = (typeof GROUPS)[number];

const GROUP_OF: Readonly<Record<string, Group>> = {
  lexical: "words",
  exact: "words",
  named: "words",
  dense: "meaning",
  multilingual: "meaning",
  translation: "meaning",
  late: "meaning",
  date: "time",
  time: "time",
  recency: "time",
};

type SignalValues = Readonly<Record<string, number>>;

/** What speaks for a hit, by group, and the sum of what speaks against it. */
function grouped(signals: SignalValues) {
  const sums: Record<Group | "against", number> = { words: 0, meaning: 0, time: 0, other: 0, against: 0 };
  for (const [name, value] of Object.entries(signals))
    sums[value < 0 ? "against" : (GROUP_OF[name] ?? "other")] += Math.abs(value);
  return sums;
}

/** The sum of what speaks for a hit: the length of its bar. */
export function lengthOf(signals: SignalValues): number {
  const { against: _, ...groups } = grouped(signals);
  return Object.values(groups).reduce((sum, value) => sum + value, 0);
}

/** A bar of the groups; `longest` is what the whole width stands for. */
export function SignalBar({
  signals,
  longest,
}: {
  readonly signals: SignalValues;
  readonly longest: number;
}) {
  const { against, ...groups } = grouped(signals);
  const words = GROUPS.filter((group) => groups[group] > 0).map(
    (group) => `${group} ${groups[group].toFixed(2)}`,
  );
  const label = [...words, ...(against > 0 ? [`against it ${against.toFixed(2)}`] : [])].join(", ");
  return (
    <span className="signal-bar" role="img" aria-label={label || "no signal"}>
      {GROUPS.map((group) => (
        <span
          key={group}
          data-group={group}
          style={{ width: `${(100 * groups[group]) / Math.max(0.001, longest)}%` }}
        />
      ))}
    </span>
  );
}

/** Each signal as a bar, the strongest first; what counts against a hit goes to the left, and has a minus. */
export function Signals({
  signals,
  strongest,
}: {
  readonly signals: SignalValues;
  readonly strongest: number;
}) {
  const sorted = Object.entries(signals)
    .filter(([, value]) => value !== 0)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  return (
    <dl className="signals">
      {sorted.map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd>
            <span className="track" aria-hidden="true">
              <span
                className="fill"
                data-against={value < 0 || undefined}
                style={{ width: `${Math.max(2, (Math.abs(value) / strongest) * 100)}%` }}
              />
            </span>
            <span className="amount">{value.toFixed(2)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

export const strongestOf = (signals: SignalValues) =>
  Math.max(0.001, ...Object.values(signals).map(Math.abs));
