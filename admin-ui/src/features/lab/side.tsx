/** The settings of one side in a sentence that marks how B differs, and the form that changes them. */
import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { type FormEvent, Fragment, useEffect, useState } from "react";
import { useSession } from "../../shell/space.ts";
import { type Credential, nameOf, reachOf, type Side } from "./asking.ts";

const YOU = "you";

/** A is open and B is filled, as everywhere on the page. */
export function SideMark({ of }: { readonly of: "A" | "B" }) {
  return (
    <span className="side-mark" data-side={of}>
      {of}
    </span>
  );
}

/** Chooses the credential that recall is asked with. */
export function AsField(props: {
  readonly side: Side;
  readonly credentials: readonly Credential[];
  readonly choose: (as: string) => void;
}) {
  const { side, credentials, choose } = props;
  return (
    <Select
      className="as"
      label="As"
      data={[
        { value: YOU, label: "You" },
        ...credentials.map((one) => ({ value: one.token_id, label: nameOf(one) })),
      ]}
      value={side.as || YOU}
      disabled={side.user !== ""}
      allowDeselect={false}
      searchable={credentials.length > 8}
      onChange={(as) => choose(as === YOU || as === null ? "" : as)}
    />
  );
}

interface SideCardProps {
  readonly name: "A" | "B";
  readonly side: Side;
  /** Side A, where this is B. */
  readonly base?: Side;
  readonly credentials: readonly Credential[];
  readonly ask: (side: Side) => void;
  /** Takes the settings of B for A. */
  readonly keep?: () => void;
}

export function SideCard({ name, side, base, credentials, ask, keep }: SideCardProps) {
  const said = settingsOf(side, credentials);
  const before = base === undefined ? said : settingsOf(base, credentials);
  const changes = Object.keys(SETTINGS).filter((key) => said[key] !== before[key]).length;
  // Whoever begins to compare is about to say what B has otherwise.
  const [isOpen, setOpen] = useState(base !== undefined && changes === 0);
  return (
    <section className="side" aria-label={`Settings of ${name}`}>
      <div className="side-top">
        <SideMark of={name} />
        <strong className="grow">
          {base === undefined
            ? "Settings"
            : changes === 0
              ? "The same settings"
              : `${plural(changes, "change")}`}
        </strong>
        {keep && changes > 0 && (
          <Button size="xs" variant="default" onClick={keep}>
            Keep B
          </Button>
        )}
        <Button size="xs" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Close" : `Edit ${name}`}
        </Button>
      </div>
      <p className="soft">
        <Sentence said={said} before={before} />
      </p>
      <Reach side={side} credentials={credentials} />
      {isOpen && <SettingsForm name={name} side={side} credentials={credentials} ask={ask} />}
    </section>
  );
}

const plural = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;
const number = new Intl.NumberFormat("en");
const counted = (text: string, what: string) =>
  `${Number.isFinite(Number(text)) ? number.format(Number(text)) : text} ${what}`;

/** Each setting in words; "" where it says nothing. */
const SETTINGS: Readonly<Record<string, (side: Side, credentials: readonly Credential[]) => string>> = {
  q: ({ q }) => (q === "" ? "" : `“${q}”`),
  as: ({ as, user }, credentials) => {
    if (user !== "") return `as the end user ${user}`;
    const credential = credentials.find(({ token_id }) => token_id === as);
    return credential ? `as ${nameOf(credential)}` : "as you";
  },
  items: ({ items }) => counted(items, items === "1" ? "item" : "items"),
  tokens: ({ tokens }) => counted(tokens, tokens === "1" ? "token" : "tokens"),
  path: ({ path }) => (path === "" ? "" : `path ${path}`),
  type: ({ type }) => (type === "" ? "" : `type ${type}`),
  project: ({ project }) => (project === "" ? "" : `project ${project}`),
  session: ({ session }) => (session === "" ? "" : `session ${session}`),
  where: ({ isHere }) => (isHere ? "only this workspace" : ""),
  knowledge: ({ hasKnowledge }) => (hasKnowledge ? "with knowledge" : ""),
};

type Said = Readonly<Record<string, string>>;

const settingsOf = (side: Side, credentials: readonly Credential[]): Said =>
  Object.fromEntries(Object.entries(SETTINGS).map(([key, words]) => [key, words(side, credentials)]));

function Sentence({ said, before }: { readonly said: Said; readonly before: Said }) {
  // The question and who asks are above; here they are where they differ.
  const shown = Object.keys(SETTINGS).filter(
    (key) => said[key] !== before[key] || (said[key] !== "" && key !== "q" && key !== "as"),
  );
  return shown.map((key, at) => (
    <Fragment key={key}>
      {at > 0 && " · "}
      {said[key] === before[key] ? (
        <bdi>{said[key]}</bdi>
      ) : (
        <>
          {before[key] !== "" && <del>{before[key]}</del>} {said[key] !== "" && <ins>{said[key]}</ins>}
        </>
      )}
    </Fragment>
  ));
}

/** What the side sees at most. */
function Reach({ side, credentials }: { readonly side: Side; readonly credentials: readonly Credential[] }) {
  const { teams } = useSession();
  const chosen = credentials.find(({ token_id }) => token_id === side.as);
  if (side.user !== "" || chosen === undefined) return null;
  const reach = reachOf(chosen, new Map(teams.map((team) => [team.team_id, team.name])));
  return (
    <p className="soft">{`${nameOf(chosen)}: ${reach[0]?.toLowerCase()}${reach.slice(1)}. Never more than you can see.`}</p>
  );
}

interface SettingsFormProps {
  readonly name: "A" | "B";
  readonly side: Side;
  readonly credentials: readonly Credential[];
  readonly ask: (side: Side) => void;
}

function SettingsForm({ name, side, credentials, ask }: SettingsFormProps) {
  const [typed, setTyped] = useState(side);
  // biome-ignore lint/correctness/useExhaustiveDependencies: back, or a link: what the address says is what the fields show
  useEffect(() => setTyped(side), [JSON.stringify(side)]);
  const field = (
    member: "q" | "user" | "items" | "tokens" | "path" | "type" | "project" | "session",
    label: string,
    more: { readonly placeholder?: string; readonly inputMode?: "numeric" } = {},
  ) => (
    <TextInput
      label={label}
      value={typed[member]}
      onChange={(event) => setTyped({ ...typed, [member]: event.currentTarget.value })}
      {...more}
    />
  );
  const check = (member: "isHere" | "hasKnowledge", label: string) => (
    <Checkbox
      label={label}
      checked={typed[member]}
      onChange={(event) => setTyped({ ...typed, [member]: event.currentTarget.checked })}
    />
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask(typed);
  };
  return (
    <form onSubmit={submit} aria-label={`Settings of ${name}`}>
      <div className="fields">
        {name === "B" && field("q", "Question")}
        {name === "B" && (
          <AsField side={typed} credentials={credentials} choose={(as) => setTyped({ ...typed, as })} />
        )}
        {field("items", "Maximum items", { inputMode: "numeric" })}
        {field("tokens", "Maximum tokens", { inputMode: "numeric" })}
        {field("path", "Path", { placeholder: "projects/%" })}
        {field("type", "Type", { placeholder: "semantic" })}
        {field("project", "Project")}
        {field("session", "Session")}
        {field("user", "End user", { placeholder: "By the application's id" })}
      </div>
      <div className="acts">
        {check("isHere", "Only this workspace")}
        {check("hasKnowledge", "With knowledge")}
        <Button type="submit" size="xs" variant="default">
          {`Recall ${name}`}
        </Button>
      </div>
    </form>
  );
}
