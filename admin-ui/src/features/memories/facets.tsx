/** Fields that the list is narrowed by, each with its values and how many memories have them. */
import { TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { FACET_MEMORIES_MAX } from "../../../../src/contract/facet.ts";
import { Failed } from "../../parts/states.tsx";
import type { Space } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import type { MemoriesSearch } from "./address.ts";
import { asParameter, FACETS, type Facet, valuesOf, WORDS, wordFor } from "./facet-values.ts";
import { facetFilterOf } from "./filter.ts";

const PathTree = lazy(() => import("./path-tree.tsx").then(({ PathTree }) => ({ default: PathTree })));

const number = new Intl.NumberFormat("en");
/** Values that are shown before somebody asks for more. */
const SHOWN = 5;

export const STATUSES = [
  [undefined, "Active"],
  ["superseded", "Superseded"],
  ["archived", "Archived"],
  ["expired", "Expired"],
  ["any", "Any but forgotten"],
  ["soft_deleted", "Forgotten"],
] as const;

export const RECALLED = [
  [undefined, "Any"],
  ["ever", "At least once"],
  ["never", "Never"],
] as const;

interface Narrowed {
  readonly space: Space;
  readonly search: MemoriesSearch;
  /** The filter that the page itself makes. */
  readonly fixed: Partial<MemoriesSearch>;
}

/** `isReady`: the list is here, which comes first. */
export function useFacetCounts({ space, search, fixed, isReady }: Narrowed & { readonly isReady: boolean }) {
  return useQuery(
    trpc.memoryFacets.queryOptions(facetFilterOf(space, search, fixed), {
      enabled: isReady,
      placeholderData: keepPreviousData,
    }),
  );
}

interface FacetsProps extends Narrowed {
  readonly set: (change: Partial<MemoriesSearch>) => void;
  readonly counts: ReturnType<typeof useFacetCounts>;
}

type Counts = Outputs["memoryFacets"];
type Counted = Counts[Facet];

export function Facets({ space, search, set, fixed, counts: counted }: FacetsProps) {
  const choose = (change: Partial<MemoriesSearch>) => set({ ...change, id: undefined });
  if (counted.isError)
    return <Failed what="The counts" error={counted.error} retry={() => void counted.refetch()} />;
  // All at once, so that nothing moves.
  if (!counted.data) return null;
  const facet = (name: Facet) =>
    fixed[name] === undefined && (
      <FacetList key={name} name={name} counts={counted.data} search={search} choose={choose} />
    );
  const [project, type, agent, ...others] = FACETS;
  return (
    <>
      {search.q !== undefined && (
        <p className="soft">Counts are of what the filters match, not of what was found.</p>
      )}
      {counted.data.incomplete.length > 0 && (
        <p className="soft">{`Counts with + are of the newest ${number.format(FACET_MEMORIES_MAX)} memories only.`}</p>
      )}
      {facet(project)}
      <Path space={space} search={search} choose={choose} />
      {facet(type)}
      {facet(agent)}
      {search.as_of === undefined && <Statuses counts={counted.data} search={search} choose={choose} />}
      <Recalled keptDays={counted.data.recalls_kept_days} search={search} choose={choose} />
      {others.map(facet)}
      <Stored search={search} choose={choose} />
    </>
  );
}

interface ChooseProps {
  readonly search: MemoriesSearch;
  readonly choose: (change: Partial<MemoriesSearch>) => void;
}

function Section(props: { readonly title: string; readonly isOpen?: boolean; readonly children: ReactNode }) {
  return (
    <details open={props.isOpen ?? true}>
      <summary>{props.title}</summary>
      {props.children}
    </details>
  );
}

interface OptionProps {
  readonly type: "checkbox" | "radio";
  readonly word: string;
  readonly memories: number | null;
  /** True if there may be more. */
  readonly isIncomplete: boolean;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function Option({ type, word, memories, isIncomplete, isChosen, choose }: OptionProps) {
  const isKnown = memories !== null && (memories > 0 || !isIncomplete);
  return (
    <li>
      <label title={word}>
        <input type={type} checked={isChosen} onChange={choose} />
        <bdi>{word}</bdi>
        {isKnown && <i>{`${number.format(memories)}${isIncomplete ? "+" : ""}`}</i>}
      </label>
    </li>
  );
}

function FacetList({
  name,
  counts,
  search,
  choose,
}: ChooseProps & { readonly name: Facet; readonly counts: Counts }) {
  const [isWhole, setWhole] = useState(false);
  const chosen = valuesOf(search, name);
  const options = inOrder(name, counts[name], chosen);
  // A facet of which nothing has a value says nothing.
  if (options.every(({ value }) => value === "")) return null;
  const shown = isWhole ? options : options.filter(({ value }, at) => at < SHOWN || chosen.includes(value));
  const toggle = (value: string) =>
    choose({
      [name]: asParameter(
        chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value],
      ),
    });
  return (
    <Section title={WORDS[name].title} isOpen={FACETS.indexOf(name) < SHOWN || chosen.length > 0}>
      <ul className="plain">
        {shown.map(({ value, word, memories }) => (
          <Option
            key={value}
            type="checkbox"
            word={word}
            memories={memories}
            isIncomplete={counts.incomplete.includes(name)}
            isChosen={chosen.includes(value)}
            choose={() => toggle(value)}
          />
        ))}
      </ul>
      {shown.length < options.length && (
        <button type="button" className="more" onClick={() => setWhole(true)}>
          {`${options.length - shown.length} more`}
          <span className="unseen">{` of ${WORDS[name].title.toLowerCase()}`}</span>
        </button>
      )}
    </Section>
  );
}

/** The values that are counted, and those that are chosen although no memory has them. */
function inOrder(facet: Facet, counted: Counted, chosen: readonly string[]) {
  const missing = chosen.filter((value) => !counted.some((one) => one.value === value));
  const options = [...counted, ...missing.map((value) => ({ value, name: null, memories: 0 }))].map(
    ({ value, name, memories }) => ({ value, memories, word: name ?? wordFor(facet, value) }),
  );
  const order = Object.keys(WORDS[facet].values ?? {});
  return order.length === 0
    ? options
    : options.sort((a, b) => order.indexOf(a.value) - order.indexOf(b.value));
}

function Statuses({ counts, search, choose }: ChooseProps & { readonly counts: Counts }) {
  const count = (status: string) => counts.status.find(({ value }) => value === status)?.memories ?? 0;
  return (
    <Section title="Status">
      <ul className="plain">
        {STATUSES.map(([status, word]) => (
          <Option
            key={word}
            type="radio"
            word={word}
            memories={status === "any" ? null : count(status ?? "active")}
            isIncomplete={counts.incomplete.includes("status")}
            isChosen={(search.status ?? "active") === (status ?? "active")}
            choose={() => choose({ status })}
          />
        ))}
      </ul>
    </Section>
  );
}

function Recalled({ keptDays, search, choose }: ChooseProps & { readonly keptDays: number }) {
  if (keptDays === 0 && search.recalled === undefined) return null;
  return (
    <Section title="Recalled" isOpen={search.recalled !== undefined}>
      <ul className="plain">
        {RECALLED.map(([recalled, word]) => (
          <Option
            key={word}
            type="radio"
            word={word}
            memories={null}
            isIncomplete={false}
            isChosen={search.recalled === recalled}
            choose={() => choose({ recalled })}
          />
        ))}
      </ul>
      <p className="soft">{`In the recalls that are kept: at most ${keptDays} days.`}</p>
    </Section>
  );
}

function Stored({ search: { from, to }, choose }: ChooseProps) {
  return (
    <Section title="Stored" isOpen={from !== undefined || to !== undefined}>
      <div className="stored-days">
        <Day label="Stored from" value={from} most={to} set={(day) => choose({ from: day })} />
        <Day label="Stored until" value={to} least={from} set={(day) => choose({ to: day })} />
      </div>
    </Section>
  );
}

interface DayProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly least?: string | undefined;
  readonly most?: string | undefined;
  readonly set: (day: string | undefined) => void;
}

function Day({ label, value = "", least, most, set }: DayProps) {
  return (
    <TextInput
      type="date"
      label={label}
      min={least}
      max={most}
      value={value}
      onChange={(event) => set(event.currentTarget.value || undefined)}
    />
  );
}

/** A path that is typed takes effect when the field is left, or by Enter. */
function Path({ space, search, choose }: ChooseProps & { readonly space: Space }) {
  const { path = "" } = search;
  const [typed, setTyped] = useState(path);
  const [isOpen, setOpen] = useState(path !== "");
  useEffect(() => setTyped(path), [path]);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (typed.trim() !== path) choose({ path: typed.trim() || undefined });
  };
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Path</summary>
      <form onSubmit={submit} className="stored-days">
        <TextInput
          aria-label="Path"
          placeholder="projects/apollo"
          maxLength={512}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => submit()}
        />
      </form>
      {isOpen && (
        <Suspense>
          <PathTree
            space={space}
            search={search}
            choose={(chosen) => choose({ path: chosen ?? undefined })}
          />
        </Suspense>
      )}
    </details>
  );
}
