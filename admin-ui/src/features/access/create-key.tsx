import { Button, Modal, Radio, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { grantableScopes, type Scope } from "../../../../src/contract/scope.ts";
import { Icon } from "../../parts/icons.tsx";
import { ScopeChoice } from "../../parts/scopes.tsx";
import { ShownSecret, useShownOnce } from "../../parts/shown-once.tsx";
import { Failed } from "../../parts/states.tsx";
import { mayManage, type Space } from "../../shell/space.ts";
import { client, trpc } from "../../shell/trpc.ts";

interface CreateProps {
  readonly space: Space;
  /** Offers a key for an application that has end users. */
  readonly isForApplication?: boolean;
}

export function CreateKey({ space, isForApplication = false }: CreateProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const title = isForApplication ? "Create an application's key" : "Create a key";
  return (
    <>
      <Button
        variant={isForApplication ? "filled" : "default"}
        leftSection={<Icon name="key" size={16} />}
        onClick={() => setOpen(true)}
      >
        {title}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={title}
        closeOnClickOutside={false}
        closeButtonProps={{ "aria-label": "Close" }}
        keepMounted={false}
      >
        <Form space={space} isForApplication={isForApplication} close={close} />
      </Modal>
    </>
  );
}

type Whose = "mine" | "teams";

/** In days; a skill's token may last as long as the third at most. */
const SPANS = ["7", "30", "90", "365", "never"] as const;
type Span = (typeof SPANS)[number];
const SPAN_WORDS: Readonly<Record<Span, string>> = {
  "7": "In a week",
  "30": "In 30 days",
  "90": "In 90 days",
  "365": "In a year",
  never: "When it is revoked",
};

const namesIn = (typed: string) => {
  const names = typed.split(/[\s,]+/).filter((name) => name !== "");
  return names.length === 0 ? null : names;
};

/** A key that is confined to a team acts for no end users: those belong to a user or a team, whose own key it takes. */
const scopesFor = (isConfined: boolean) =>
  isConfined ? grantableScopes.filter((scope) => scope !== "users:act") : grantableScopes;

function Form({ space, isForApplication = false, close }: CreateProps & { readonly close: () => void }) {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<"api_key" | "skill">("api_key");
  const [whose, setWhose] = useState<Whose>(isForApplication && space.teamId !== null ? "teams" : "mine");
  const [scopes, setScopes] = useState<Scope[]>(
    isForApplication ? ["memory:read", "memory:write", "users:act"] : ["memory:read"],
  );
  const [projects, setProjects] = useState("");
  const [path, setPath] = useState("");
  const [buckets, setBuckets] = useState("");
  const [span, setSpan] = useState<Span>("30");
  const queries = useQueryClient();
  const { answer, asking } = useShownOnce(client.createCredential.mutate, () =>
    queries.invalidateQueries({ queryKey: trpc.listCredentials.pathKey() }),
  );
  if (answer) return <ShownSecret label="Secret" value={answer.token} close={close} />;
  const offered = scopesFor(whose === "mine" && space.teamId !== null);
  const chosen = scopes.filter((scope) => offered.includes(scope));
  const spans = kind === "skill" ? SPANS.slice(0, 3) : SPANS;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    asking.mutate({
      kind,
      name: name.trim(),
      scopes: chosen,
      team_id: space.teamId,
      is_teams: whose === "teams",
      projects: namesIn(projects),
      path_prefix: path.trim() === "" ? null : path.trim(),
      buckets: namesIn(buckets),
      expires_in_days: span === "never" ? null : Number(span),
    });
  };
  return (
    <form onSubmit={submit} className="stack">
      {asking.isError && <Failed what="Not created" error={asking.error} />}
      <TextInput
        label="Name"
        description="A name to recognise it by, such as where it is used"
        required
        maxLength={128}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {space.teamId !== null && mayManage(space) && (
        <Radio.Group
          label="Whose it is"
          value={whose}
          onChange={(value) => {
            setWhose(value as Whose);
            setKind("api_key");
          }}
        >
          <div className="options">
            <Radio
              value="mine"
              label="Yours, for this team only: it can do what your role allows at the time"
            />
            <Radio
              value="teams"
              label="The team's own: it can access everything of the team until it is revoked, even if you leave"
            />
          </div>
        </Radio.Group>
      )}
      {whose === "mine" && (
        <Radio.Group
          label="For"
          value={kind}
          onChange={(value) => {
            setKind(value as typeof kind);
            if (value === "skill" && !["7", "30", "90"].includes(span)) setSpan("90");
          }}
        >
          <div className="options">
            <Radio value="api_key" label="A program of your own" />
            <Radio value="skill" label="A skill: one narrow task, for at most 90 days" />
          </div>
        </Radio.Group>
      )}
      <ScopeChoice offered={offered} chosen={chosen} choose={setScopes} />
      {chosen.length === 0 && <p role="status">Choose at least one thing it may do.</p>}
      <Select
        label="It ends"
        data={spans.map((value) => ({ value, label: SPAN_WORDS[value] }))}
        value={span}
        allowDeselect={false}
        onChange={(value) => value && setSpan(value as Span)}
      />
      <details>
        <summary>Confine it further</summary>
        <div className="stack">
          <TextInput
            label="Only these projects"
            description="Separated by commas"
            value={projects}
            onChange={(event) => setProjects(event.currentTarget.value)}
          />
          <TextInput
            label="Only this path and below"
            value={path}
            onChange={(event) => setPath(event.currentTarget.value)}
          />
          <TextInput
            label="Only these buckets"
            description="Separated by commas"
            value={buckets}
            onChange={(event) => setBuckets(event.currentTarget.value)}
          />
        </div>
      </details>
      <div className="acts">
        <Button type="submit" loading={asking.isPending} disabled={chosen.length === 0}>
          {kind === "skill" ? "Create 1 skill token" : "Create 1 key"}
        </Button>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
