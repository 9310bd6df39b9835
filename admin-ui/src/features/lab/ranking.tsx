/** One ranking of what both sides found: the place of each memory on A and on B, why, and whether it came into the context. */
import { ActionIcon, Button, Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Empty } from "../../parts/states.tsx";
import type { Space } from "../../shell/space.ts";
import type { Hit, Recalled, Request } from "./asking.ts";
import { mark, markOf, useMarks } from "./marks.ts";
import { SideMark } from "./side.tsx";
import { GROUPS, lengthOf, SignalBar, Signals, strongestOf } from "./signals.tsx";

const OUTCOMES: Readonly<Record<Hit["outcome"], string>> = {
  packed: "in",
  excerpt: "in, cut",
  noise: "out: noise",
  worthless: "out: no value",
  superseded: "out: superseded",
  repetition: "out: repetition",
  token_budget: "out: over budget",
  item_limit: "out: item limit",
};

/** One side that has answered. */
export interface Answered {
  readonly name: "A" | "B";
  readonly request: Request;
  readonly recalled: Recalled;
}

/** A memory that a side found, with its hit on each side, parallel to the sides. */
interface Row {
  readonly id: string;
  readonly hits: readonly (Hit | undefined)[];
  readonly first: Hit;
}

/** Rows that are shown at first, besides those in a context. */
const SHOWN = 12;
const TITLE_CHARACTERS = 280;

/** In the order of the first side; what only the second has comes after, in its order. */
function rowsOf(sides: readonly Answered[]): Row[] {
  const found = sides.map(({ recalled }) => new Map(recalled.hits.map((hit) => [hit.id, hit])));
  const ids = new Set(found.flatMap((hits) => [...hits.keys()]));
  return [...ids].map((id) => {
    const hits = found.map((side) => side.get(id));
    return { id, hits, first: hits.find((hit) => hit !== undefined) as Hit };
  });
}

const isIn = (hit: Hit | undefined) => hit !== undefined && hit.place !== null;
const differs = ({ hits: [a, b] }: Row) => a?.rank !== b?.rank || isIn(a) !== isIn(b);

export function Ranking({ sides, space }: { readonly sides: readonly Answered[]; readonly space: Space }) {
  const [isAll, setAll] = useState(false);
  const [isDifferent, setDifferent] = useState(false);
  const rows = rowsOf(sides);
  const isCompared = sides.length === 2;
  if (rows.length === 0)
    return (
      <Empty title="Nothing was found">
        No memory that both you and this credential may see is related to the query.
      </Empty>
    );
  const different = isCompared ? rows.filter(differs) : [];
  const chosen = isCompared && isDifferent ? different : rows;
  const shown = isAll ? chosen : chosen.filter(({ hits }, at) => at < SHOWN || hits.some(isIn));
  const places = Math.max(...shown.flatMap(({ hits }) => hits.map((hit) => hit?.rank ?? 1)));
  const longest = Math.max(
    ...rows.flatMap(({ hits }) => hits.map((hit) => (hit ? lengthOf(hit.signals) : 0))),
  );
  return (
    <section className="panel ranking" aria-labelledby="ranking">
      <div className="ranking-top">
        <h2 id="ranking" className="panel-title">
          Ranking
        </h2>
        <span className="soft grow">{`${shown.length} of ${rows.length} weighed`}</span>
        <span className="legend">
          {GROUPS.map((group) => (
            <span key={group} className="key">
              <i data-group={group} />
              {group}
            </span>
          ))}
        </span>
        {isCompared && (
          <Checkbox
            label={`Only differences (${different.length})`}
            checked={isDifferent}
            onChange={(event) => setDifferent(event.currentTarget.checked)}
          />
        )}
      </div>
      <div className="ranking-rows">
        <table className="lab-table">
          <Heads sides={sides} places={places} />
          <tbody>
            {shown.map((row) => (
              <Line key={row.id} {...{ row, sides, space, places, longest }} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < chosen.length && (
        <Button variant="subtle" onClick={() => setAll(true)}>{`Show all ${chosen.length}`}</Button>
      )}
    </section>
  );
}

function Heads({ sides, places }: { readonly sides: readonly Answered[]; readonly places: number }) {
  const isCompared = sides.length === 2;
  return (
    <thead>
      <tr>
        {isCompared ? (
          <>
            <th scope="col" className="right">
              A
            </th>
            <th scope="col" className="right">
              B
            </th>
            <th scope="col" className="wide">{`1 to ${places}`}</th>
            <th scope="col">Moved</th>
          </>
        ) : (
          <th scope="col" className="right">
            Rank
          </th>
        )}
        <th scope="col">Memory</th>
        <th scope="col" className="wide">
          {isCompared ? "Signals, A over B" : "Signals"}
        </th>
        <th scope="col" className="right wide">
          {isCompared ? "Score B" : "Score"}
        </th>
        <th scope="col" className="right wide">
          Tokens
        </th>
        <th scope="col">In context</th>
        <th scope="col" className="right wide">
          Vote
        </th>
      </tr>
    </thead>
  );
}

interface LineProps {
  readonly row: Row;
  readonly sides: readonly Answered[];
  readonly space: Space;
  readonly places: number;
  readonly longest: number;
}

function Line({ row, sides, space, places, longest }: LineProps) {
  const [isOpen, setOpen] = useState(false);
  const { hits, first } = row;
  const [a, b] = hits;
  const isCompared = sides.length === 2;
  const last = isCompared ? b : a;
  const title = first.content.slice(0, TITLE_CHARACTERS);
  const isEndUsers = sides.some(({ request }) => request.user_id !== undefined);
  const judged = sides.find((_, at) => hits[at] !== undefined) as Answered;
  return (
    <>
      <tr data-in={hits.some(isIn) || undefined}>
        <td className="right rank">{a?.rank ?? "–"}</td>
        {isCompared && (
          <>
            <td className="right rank">{b?.rank ?? "–"}</td>
            <td className="wide">
              <Axis a={a?.rank} b={b?.rank} places={places} />
            </td>
            <td>
              <Moved a={a?.rank} b={b?.rank} />
            </td>
          </>
        )}
        <td className="memory">
          {isEndUsers ? (
            <bdi className="clip">{title}</bdi>
          ) : (
            <Link
              className="clip"
              to="/$space/memories"
              params={{ space: space.key }}
              search={{ id: row.id }}
            >
              <bdi>{title}</bdi>
            </Link>
          )}
        </td>
        <td className="wide bars">
          {hits.map((hit, at) =>
            hit ? (
              <SignalBar key={sides[at]?.name} signals={hit.signals} longest={longest} />
            ) : (
              <span key={sides[at]?.name} className="soft">{`not found by ${sides[at]?.name}`}</span>
            ),
          )}
        </td>
        <td className="right wide">{last ? last.score.toFixed(2) : "–"}</td>
        <td className="right wide">{last?.tokens ?? "–"}</td>
        <td>
          <InContext sides={sides} hits={hits} />
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={isOpen}
            aria-label={`Why: ${title.slice(0, 60)}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? "Close" : "Why"}
          </Button>
        </td>
        <td className="right wide">{!isEndUsers && <Mark hit={first} request={judged.request} />}</td>
      </tr>
      {isOpen && (
        <tr className="why-row">
          <td colSpan={isCompared ? 10 : 7}>
            {!isEndUsers && (
              <span className="narrow-only">
                <Mark hit={first} request={judged.request} />
              </span>
            )}
            <div className="why-sides">
              {hits.map(
                (hit, at) =>
                  hit && (
                    <Why
                      key={sides[at]?.name}
                      hit={hit}
                      name={sides[at]?.name ?? "A"}
                      isCompared={isCompared}
                    />
                  ),
              )}
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

/** Draws the memory's rank on A (open) and on B (filled), from the first to the last that is shown. */
function Axis({
  a,
  b,
  places,
}: {
  readonly a?: number | undefined;
  readonly b?: number | undefined;
  readonly places: number;
}) {
  const at = (rank: number) => 6 + ((rank - 1) / Math.max(1, places - 1)) * 92;
  return (
    <svg className="axis" width="104" height="16" aria-hidden="true">
      <path d="M6 8H98" stroke="var(--line)" />
      {a !== undefined && b !== undefined && a !== b && (
        <path d={`M${at(a)} 8H${at(b)}`} stroke="var(--c2)" strokeWidth="2" />
      )}
      {a !== undefined && (
        <circle cx={at(a)} cy="8" r="3.5" fill="var(--paper)" stroke="var(--c1)" strokeWidth="1.5" />
      )}
      {b !== undefined && <circle cx={at(b)} cy="8" r={a === b ? 1.8 : 3.5} fill="var(--c1)" />}
    </svg>
  );
}

function Moved({ a, b }: { readonly a: number | undefined; readonly b: number | undefined }) {
  if (a === b) return <span className="soft">same</span>;
  if (b === undefined) return <strong>gone</strong>;
  if (a === undefined) return <strong>new</strong>;
  return <strong className="moved">{a > b ? `▲ ${a - b}` : `▼ ${b - a}`}</strong>;
}

function InContext({ sides, hits }: { readonly sides: readonly Answered[]; readonly hits: Row["hits"] }) {
  if (sides.length === 1)
    return <span className={isIn(hits[0]) ? "is-in" : "soft"}>{OUTCOMES[(hits[0] as Hit).outcome]}</span>;
  const label = sides.map(({ name }, at) => `${isIn(hits[at]) ? "in" : "not in"} ${name}`).join(", ");
  return (
    <span className="in-out" role="img" aria-label={label}>
      {sides.map(({ name }, at) => (
        <i key={name} data-in={isIn(hits[at]) || undefined}>
          {name}
        </i>
      ))}
    </span>
  );
}

/** Why one side has it where it has it. */
function Why({
  hit,
  name,
  isCompared,
}: {
  readonly hit: Hit;
  readonly name: "A" | "B";
  readonly isCompared: boolean;
}) {
  return (
    <div>
      <p>
        {isCompared && (
          <>
            <SideMark of={name} />{" "}
          </>
        )}
        <strong>{OUTCOMES[hit.outcome]}</strong>
        {`; ${hit.because.replace(/^[+−] /, "")}`}
      </p>
      <Signals signals={hit.signals} strongest={strongestOf(hit.signals)} />
      <ul className="plain reasons">
        {hit.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <p className="soft">
        <bdi>{hit.path}</bdi>
        {` · ${hit.memory_type} · `}
        <span className="mono">{hit.id}</span>
      </p>
    </div>
  );
}

function Mark({ hit, request }: { readonly hit: Hit; readonly request: Request }) {
  const marked = markOf(useMarks(), request, hit.id);
  const of = hit.content.slice(0, 60);
  const button = (isGood: boolean) => (
    <ActionIcon
      size={28}
      variant={marked === isGood ? "light" : "subtle"}
      color={marked === isGood ? "accent" : "gray"}
      aria-pressed={marked === isGood}
      aria-label={`${isGood ? "Good" : "Bad"} hit: ${of}`}
      onClick={() => mark(request, hit.id, isGood)}
    >
      <Icon name={isGood ? "like" : "dislike"} size={14} />
    </ActionIcon>
  );
  return (
    <span className="marks">
      {button(true)}
      {button(false)}
    </span>
  );
}
