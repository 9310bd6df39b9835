/** How an agent that waits is let in: its code, who it says it is and what it has written, the choice, its token. */
import { Button, Modal, Radio, Select, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { grantableScopes, type Scope } from "../../../../src/contract/scope.ts";
import { Icon } from "../../parts/icons.tsx";
import { ScopeChoice } from "../../parts/scopes.tsx";
import { Secret, useShownOnce } from "../../parts/shown-once.tsx";
import { Failed } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { done } from "../../parts/toasts.tsx";
import { useSession, useSpace } from "../../shell/space.ts";
import { client, codeOf, type Outputs } from "../../shell/trpc.ts";

export function LetIn() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen(true)}>
        Let an agent in
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Let an agent in"
        size="lg"
        closeOnClickOutside={false}
        closeButtonProps={{ "aria-label": "Close" }}
        keepMounted={false}
      >
        <Steps close={close} />
      </Modal>
    </>
  );
}

type Review = Outputs["operator"]["reviewAgent"];

interface Choice {
  readonly scopes: Scope[];
  readonly team_id: string | null;
  readonly projects: string[] | null;
}

const READ_AND_WRITE: Scope[] = ["memory:read", "memory:write"];

function Steps({ close }: { readonly close: () => void }) {
  const space = useSpace();
  const [code, setCode] = useState("");
  const [choice, setChoice] = useState<Choice>({
    scopes: READ_AND_WRITE,
    team_id: space.teamId,
    projects: null,
  });
  const review = useMutation({
    gcTime: 0,
    mutationFn: (asked: Choice) => client.operator.reviewAgent.query({ code, ...asked }),
  });
  // What was shown last stays while the next is asked for.
  const [known, setKnown] = useState<Review | null>(null);
  const look = (asked: Choice) => {
    setChoice(asked);
    if (asked.scopes.length > 0) review.mutate(asked, { onSuccess: setKnown });
  };
  if (known)
    return (
      <Decision
        code={code}
        claim={known}
        choice={choice}
        look={look}
        isLooking={review.isPending}
        failure={review.error}
        close={close}
      />
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    look(choice);
  };
  return (
    <form onSubmit={submit} className="stack">
      {review.isError && <NotShown error={review.error} />}
      <TextInput
        label="Code"
        description="Shown by the agent that you started yourself. Capitals and spaces do not matter."
        required
        maxLength={128}
        autoComplete="off"
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <div className="acts">
        <Button type="submit" loading={review.isPending}>
          Look who it is
        </Button>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function NotShown({ error }: { readonly error: unknown }) {
  const code = codeOf(error);
  if (code !== "not_found" && code !== "conflict") return <Failed what="Not found" error={error} />;
  return (
    <div className="note" data-tone="bad" role="alert">
      <Icon name="bad" />
      <p>
        {code === "not_found"
          ? "No agent is waiting with this code. It may be mistyped, already used, or older than a day: ask the agent for a new one."
          : "Somebody else has approved this agent. If you started it, let it register again."}
      </p>
    </div>
  );
}

function Decision(props: {
  readonly code: string;
  readonly claim: Review;
  readonly choice: Choice;
  readonly look: (choice: Choice) => void;
  readonly isLooking: boolean;
  readonly failure: unknown;
  readonly close: () => void;
}) {
  const { code, claim, choice, look, isLooking, close } = props;
  const [discards, setDiscards] = useState(false);
  const queries = useQueryClient();
  const refresh = () => void queries.invalidateQueries();
  const { answer, asking } = useShownOnce(client.operator.approveAgent.mutate, refresh);
  const deny = useMutation({
    gcTime: 0,
    mutationFn: () => client.operator.denyAgent.mutate({ code }),
    onSuccess() {
      refresh();
      close();
      done("Denied. What it wrote while waiting can no longer be read, and is deleted after 30 days.");
    },
  });
  if (answer) return <HandOver name={claim.client_name} approved={answer} close={close} />;
  const approve = () =>
    asking.mutate(
      { code, ...choice, discards, seen: claim.seen },
      {
        onError: (error) => {
          if (codeOf(error) === "precondition_failed") look(choice);
        },
      },
    );
  const failure = asking.error ?? deny.error ?? props.failure;
  return (
    <div className="stack">
      <Claim claim={claim} />
      <Choices choice={choice} projectNamed={claim.project_id} look={look} />
      <Written claim={claim} discards={discards} setDiscards={setDiscards} />
      {failure != null && <Failed what="Not decided" error={failure} />}
      <div className="acts">
        <Button
          onClick={approve}
          disabled={isLooking || choice.scopes.length === 0 || props.failure != null}
          loading={asking.isPending}
        >
          Approve 1 agent
        </Button>
        <Button variant="outline" color="bad" loading={deny.isPending} onClick={() => deny.mutate()}>
          Deny
        </Button>
      </div>
    </div>
  );
}

function Claim({ claim }: { readonly claim: Review }) {
  const said = (words: string | null) =>
    words === null ? <span className="soft">not given</span> : <bdi>{words}</bdi>;
  return (
    <section aria-labelledby="says">
      <h3 id="says" className="panel-title">
        What it says about itself
      </h3>
      <p className="soft">None of this has been checked: an agent can call itself whatever it likes.</p>
      <dl className="facts">
        <dt>Name</dt>
        <dd>
          <strong>{said(claim.client_name)}</strong>
        </dd>
        <dt>Version</dt>
        <dd>{said(claim.client_version)}</dd>
        <dt>Runs on</dt>
        <dd>{said(claim.runtime)}</dd>
        <dt>Came through</dt>
        <dd>{said(claim.entry_type)}</dd>
        <dt>Asked</dt>
        <dd>
          <Time at={claim.requested_at} />
          {` from ${claim.address ?? "an unknown address"}`}
        </dd>
        <dt>Lapses</dt>
        <dd>
          <Time at={claim.expires_at} whole />
        </dd>
      </dl>
      {claim.status === "awaiting_confirmation" && (
        <p className="soft">
          You already approved it: approving again shows a new token and ends the earlier one.
        </p>
      )}
    </section>
  );
}

const ALL = "all";

function Choices(props: {
  readonly choice: Choice;
  /** What the agent named, to begin with where projects are chosen. */
  readonly projectNamed: string | null;
  readonly look: (choice: Choice) => void;
}) {
  const { choice, look } = props;
  const { teams } = useSession();
  const [typed, setTyped] = useState(choice.projects?.join(", ") ?? "");
  const setProjects = () => {
    const names = typed.split(/[\s,]+/).filter((name) => name !== "");
    const projects = names.length === 0 ? null : [...new Set(names)];
    if (projects?.join() !== choice.projects?.join()) look({ ...choice, projects });
  };
  return (
    <>
      <ScopeChoice
        offered={grantableScopes}
        chosen={choice.scopes}
        choose={(scopes) => look({ ...choice, scopes })}
      />
      {choice.scopes.length === 0 && <p role="status">Choose at least one thing it may do, or deny it.</p>}
      <Select
        label="Whose memories"
        description="In a team, it can never do more than your role allows"
        data={[
          { value: ALL, label: "Mine, and those of all my teams" },
          ...teams.map(({ team_id, name, role }) => ({
            value: team_id,
            label: `Only those of the team ${name}, as ${role}`,
          })),
        ]}
        value={choice.team_id ?? ALL}
        allowDeselect={false}
        onChange={(team) => look({ ...choice, team_id: team === ALL ? null : team })}
      />
      <TextInput
        label="Only in these projects"
        description={
          props.projectNamed === null
            ? "Separated by commas; leave empty for all projects"
            : `Separated by commas; leave empty for all projects. The agent named ${props.projectNamed}`
        }
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={setProjects}
      />
    </>
  );
}

/** What it has written already, and what the choices above would take over of it. */
function Written(props: {
  readonly claim: Review;
  readonly discards: boolean;
  readonly setDiscards: (discards: boolean) => void;
}) {
  const { groups, texts, texts_left_out } = props.claim;
  if (groups.length === 0) return <p className="soft">It has written nothing yet.</p>;
  return (
    <section aria-labelledby="written">
      <h3 id="written" className="panel-title">
        What it has written already
      </h3>
      <p className="soft">
        In its own words. Nobody else has been able to read or find this so far. Treat it as a stranger's
        note, and do not follow requests in it.
      </p>
      <ul className="plain rows">
        {groups.map(({ project_id, words, moves }) => (
          <li key={`${project_id} ${words} ${moves}`}>
            <span className="grow">
              {`${words} in `}
              {project_id === null ? "no project" : <bdi>{project_id}</bdi>}
            </span>
            <span className="soft">{moves && !props.discards ? "is taken over" : "is not taken over"}</span>
          </li>
        ))}
      </ul>
      <details>
        <summary>Read it</summary>
        <ol className="said">
          {texts.map(({ kind, path, beginning, moves }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no ids, and are replaced all at once
            <li key={at}>
              <p className="soft">
                {`A ${kind}, filed under `}
                <bdi>{path}</bdi>
                {!moves && "; not taken over"}
              </p>
              <p className="stored">{beginning}</p>
            </li>
          ))}
        </ol>
        {texts_left_out > 0 && <p className="soft">{`And ${texts_left_out} more, not shown here.`}</p>}
      </details>
      <Radio.Group
        label="And that"
        value={props.discards ? "discard" : "take"}
        onChange={(value) => props.setDiscards(value === "discard")}
      >
        <div className="options">
          <Radio
            value="take"
            label="Take over what is marked as taken over; the rest is deleted after 30 days"
          />
          <Radio value="discard" label="Discard all of it: it is deleted after 30 days" />
        </div>
      </Radio.Group>
    </section>
  );
}

function HandOver(props: {
  readonly name: string;
  readonly approved: Outputs["operator"]["approveAgent"];
  readonly close: () => void;
}) {
  return (
    <div className="stack">
      <p>
        You approved <bdi>{props.name}</bdi>. It is connected once it has this token: paste it where you
        started the agent. It is shown only this once, and expires{" "}
        <Time at={props.approved.expires_at} whole />.
      </p>
      <Secret label="Confirmation token" value={props.approved.confirmation_token} />
      <div className="note" data-tone="warn">
        <Icon name="warn" />
        <p>
          <strong>Give it only to the agent that you started yourself.</strong> With it, anybody's agent would
          read and write your memory.
        </p>
      </div>
      <div className="acts">
        <Button variant="default" onClick={props.close}>
          I have handed it over
        </Button>
      </div>
    </div>
  );
}
