import { ActionIcon } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Icon } from "../../parts/icons.tsx";
import { Status } from "../../parts/status.tsx";
import type { Space } from "../../shell/space.ts";
import type { Hit, Request } from "./asking.ts";
import { mark, markOf, useMarks } from "./marks.ts";

const OUTCOMES: Readonly<Record<Hit["outcome"], string>> = {
  packed: "In",
  excerpt: "In, cut",
  noise: "Out: noise",
  worthless: "Out: no value",
  superseded: "Out: superseded",
  repetition: "Out: repetition",
  token_budget: "Out: over budget",
  item_limit: "Out: item limit",
};

interface HitsProps {
  readonly hits: readonly Hit[];
  readonly request: Request;
  readonly space: Space;
  /** The hits of the other side, where two are compared. */
  readonly other: readonly Hit[] | undefined;
  readonly otherName: string;
}

const TITLE_CHARACTERS = 280;

/** What was found, by the ranker's order, with what became of each. */
export function Hits({ hits, request, space, other, otherName }: HitsProps) {
  const isEndUsers = request.user_id !== undefined;
  const strongest = Math.max(0.001, ...hits.flatMap(({ signals }) => Object.values(signals).map(Math.abs)));
  return (
    <ol className="plain hits">
      {hits.map((hit) => (
        <li key={hit.id} className="hit" data-in={hit.place !== null || undefined}>
          <div className="hit-top">
            <span className="rank" title="Place by the ranker">
              {hit.rank}
            </span>
            <Status
              tone={hit.place === null ? "soft" : "good"}
              icon={hit.place === null ? "close" : "good"}
              word={OUTCOMES[hit.outcome]}
            />
            {other && <Elsewhere hit={hit} other={other} name={otherName} />}
            <span className="grow" />
            {!isEndUsers && <Mark hit={hit} request={request} />}
          </div>
          {isEndUsers ? (
            <p className="hit-text">
              <bdi>{hit.content.slice(0, TITLE_CHARACTERS)}</bdi>
            </p>
          ) : (
            <Link
              className="hit-text"
              to="/$space/memories"
              params={{ space: space.key }}
              search={{ id: hit.id }}
            >
              <bdi>{hit.content.slice(0, TITLE_CHARACTERS)}</bdi>
            </Link>
          )}
          <p className="soft place">
            <bdi>{hit.path}</bdi>
            {` · ${hit.memory_type}`}
          </p>
          <dl className="numbers">
            <Figure name="Value" value={hit.value.toFixed(3)} />
            <Figure name="Score" value={hit.score.toFixed(3)} />
            <Figure name="Tokens" value={hit.tokens === null ? "–" : String(hit.tokens)} />
          </dl>
          <p className="because">{hit.because}</p>
          <details>
            <summary>{`Signals (${hit.rank_score.toFixed(2)})`}</summary>
            <Signals signals={hit.signals} strongest={strongest} />
            <ul className="plain reasons">
              {hit.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
            <p className="mono soft">{hit.id}</p>
          </details>
        </li>
      ))}
    </ol>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Where the other side has it. */
function Elsewhere({ hit, other, name }: { hit: Hit; other: readonly Hit[]; name: string }) {
  const there = other.find(({ id }) => id === hit.id);
  const isIn = (one: Hit | undefined) => one !== undefined && one.place !== null;
  const words =
    there === undefined
      ? `${name}: not found`
      : `${name}: ${there.place === null ? `out, ranked ${there.rank}` : `in, ranked ${there.rank}`}`;
  return (
    <span className={isIn(hit) === isIn(there) ? "soft" : "differs"} data-elsewhere>
      {words}
    </span>
  );
}

/** Each signal as a bar, the strongest first; what counts against a hit goes to the left, and has a minus. */
export function Signals({
  signals,
  strongest,
}: {
  readonly signals: Readonly<Record<string, number>>;
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

function Mark({ hit, request }: { readonly hit: Hit; readonly request: Request }) {
  const marked = markOf(useMarks(), request, hit.id);
  const of = hit.content.slice(0, 60);
  const button = (isGood: boolean) => (
    <ActionIcon
      size={36}
      variant={marked === isGood ? "filled" : "default"}
      color={isGood ? "accent" : "bad"}
      aria-pressed={marked === isGood}
      aria-label={`${isGood ? "Good" : "Bad"} hit: ${of}`}
      onClick={() => mark(request, hit.id, isGood)}
    >
      <Icon name={isGood ? "good" : "close"} size={16} />
    </ActionIcon>
  );
  return (
    <span className="marks">
      {button(true)}
      {button(false)}
    </span>
  );
}
