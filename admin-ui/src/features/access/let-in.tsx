/** How an agent that waits is let in: its code, who it says it is and what it has written, the choice, its token. */
import { Button, Modal, Radio, Select, TextInput } from "@mantine/core";
import { useMutation, useQueries, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { approvalWords, describeWritten } from "../../../../src/contract/agent-approval.ts";
import { grantableScopes, type Scope } from "../../../../src/contract/scope.ts";
import { Icon } from "../../parts/icons.tsx";
import { ScopeChoice } from "../../parts/scopes.tsx";
import { Secret, useShownOnce } from "../../parts/shown-once.tsx";
import { Failed } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { done } from "../../parts/toasts.tsx";
import { useSession, useSpace } from "../../shell/space.ts";
import { client, codeOf, type Outputs, trpc } from "../../shell/trpc.ts";

export function LetIn() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen(true)}>
        Add agent
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Add agent"
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

type Review = Outputs["reviewAgent"];

interface Choice {
  readonly scopes: Scope[];
  readonly team_id: string | null;
  readonly projects: string[] | null;
}

function Steps({ close }: { readonly close: () => void }) {
  const space = useSpace();
  const [code, setCode] = useState("");
  const [choice, setChoice] = useState<Choice>({
    // Reading alone: writing includes deleting permanently, and is a choice of its own.
    scopes: ["memory:read"],
    team_id: space.teamId,
    projects: null,
  });
  const review = useMutation({
    gcTime: 0,
    mutationFn: (asked: Choice) => client.reviewAgent.query({ code, ...asked }),
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
          ? `No agent is waiting under this code. ${approvalWords.unknownCode}`
          : `Somebody else has approved this agent. ${approvalWords.takenByAnother}`}
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
  const { answer, asking } = useShownOnce(client.approveAgent.mutate, refresh);
  const deny = useMutation({
    gcTime: 0,
    mutationFn: () => client.denyAgent.mutate({ code }),
    onSuccess() {
      refresh();
      close();
      done(`Denied. ${approvalWords.denied}`);
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
      <p>
        <strong>{approvalWords.startedByYou}</strong> {approvalWords.anybodyCanAsk}
      </p>
      <h3 id="says" className="panel-title">
        {approvalWords.aboutItself}
      </h3>
      <p className="soft">{approvalWords.unchecked}</p>
      <dl className="facts">
        <dt>Name</dt>
        <dd>
          <strong>{said(claim.client_name)}</strong>
        </dd>
        <dt>Version</dt>
        <dd>{said(claim.client_version)}</dd>
        <dt>Runs on</dt>
        <dd>{said(claim.runtime)}</dd>
        <dt>Came in through</dt>
        <dd>{said(claim.entry_type)}</dd>
        <dt>Asked</dt>
        <dd>
          <Time at={claim.requested_at} />
          {` from ${claim.address ?? "an unknown address"}`}
        </dd>
        <dt>Expires</dt>
        <dd>
          <Time at={claim.expires_at} whole />
        </dd>
      </dl>
      {claim.status === "awaiting_confirmation" && <p className="soft">{approvalWords.approvedBefore}</p>}
    </section>
  );
}

const ALL = "all";

interface ChoicesProps {
  readonly choice: Choice;
  /** The project that the agent named. */
  readonly projectNamed: string | null;
  readonly look: (choice: Choice) => void;
}

function Choices(props: ChoicesProps) {
  const { choice, look } = props;
  const { teams } = useSession();
  return (
    <>
      <ScopeChoice
        offered={grantableScopes}
        chosen={choice.scopes}
        choose={(scopes) => look({ ...choice, scopes })}
      />
      {choice.scopes.length === 0 && <p role="status">{approvalWords.noScopes}</p>}
      <Select
        label={approvalWords.whose}
        description={approvalWords.roleBinds}
        data={[
          { value: ALL, label: approvalWords.ownAndTeams },
          ...teams.map(({ team_id, name, role }) => ({
            value: team_id,
            label: `Only those of the team ${name}, as ${role}`,
          })),
        ]}
        value={choice.team_id ?? ALL}
        allowDeselect={false}
        onChange={(team) => look({ ...choice, team_id: team === ALL ? null : team })}
      />
      <ProjectChoice {...props} />
    </>
  );
}

/** Projects chosen from those that exist, so that no misspelt one is granted. */
function ProjectChoice({ choice, projectNamed, look }: ChoicesProps) {
  const { teams } = useSession();
  const [typed, setTyped] = useState("");
  const spaces = choice.team_id === null ? [null, ...teams.map(({ team_id }) => team_id)] : [choice.team_id];
  const listed = useQueries({
    queries: spaces.map((team_id) => trpc.listProjects.queryOptions(team_id === null ? {} : { team_id })),
  });
  const known = listed.flatMap(({ data }) => data?.projects.map(({ project_id }) => project_id) ?? []);
  const names = [...new Set(projectNamed === null ? known : [...known, projectNamed])].sort();
  const chosen = choice.projects ?? [];
  const set = (projects: string[]) => look({ ...choice, projects: projects.length === 0 ? null : projects });
  return (
    <div>
      <Select
        label="Only in these projects"
        description={`${chosen.length === 0 ? "None chosen: it reaches all projects." : "It reaches nothing outside them."}${projectNamed === null ? "" : ` The agent named ${projectNamed}.`}`}
        placeholder={chosen.length === 0 ? "Find a project" : "Add another"}
        nothingFoundMessage="No such project"
        searchable
        selectFirstOptionOnChange
        data={names
          .filter((name) => !chosen.includes(name))
          .map((name) => ({ value: name, label: known.includes(name) ? name : `${name} (no memories yet)` }))}
        value={null}
        searchValue={typed}
        onSearchChange={setTyped}
        onChange={(name) => {
          setTyped("");
          if (name !== null) set([...chosen, name]);
        }}
      />
      {chosen.length > 0 && (
        <ul className="plain acts" aria-label="Chosen projects">
          {chosen.map((name) => (
            <li key={name}>
              <Button
                size="xs"
                variant="default"
                rightSection={<Icon name="close" size={13} />}
                onClick={() => set(chosen.filter((one) => one !== name))}
              >
                <span className="unseen">Remove </span>
                <bdi>{name}</bdi>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What it has written already, and what the choices above would take over of it. */
function Written(props: {
  readonly claim: Review;
  readonly discards: boolean;
  readonly setDiscards: (discards: boolean) => void;
}) {
  const { groups, texts, texts_left_out } = props.claim;
  if (groups.length === 0) return <p className="soft">{approvalWords.nothingWritten}</p>;
  return (
    <section aria-labelledby="written">
      <h3 id="written" className="panel-title">
        {approvalWords.written}
      </h3>
      <p className="soft">{approvalWords.writtenByAStranger}</p>
      <ul className="plain rows">
        {groups.map(({ project_id, words, moves }) => (
          <li key={`${project_id} ${words} ${moves}`}>
            <span className="grow">
              {`${words} in `}
              {project_id === null ? "no project" : <bdi>{project_id}</bdi>}
            </span>
            <span className="soft">
              {moves && !props.discards ? approvalWords.takenOver : approvalWords.notTakenOver}
            </span>
          </li>
        ))}
      </ul>
      <details>
        <summary>Read it</summary>
        <ol className="said">
          {texts.map(({ path, project_id, beginning, moves, ...written }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no ids, and are replaced all at once
            <li key={at}>
              <p className="soft">
                {describeWritten(written)}
                {project_id === null ? ", in no project" : ", in the project "}
                <bdi>{project_id}</bdi>
                {", filed under "}
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
            label="Take over what is marked as taken over"
            description={approvalWords.takeOver}
          />
          <Radio value="discard" label={approvalWords.discard} description={approvalWords.discarded} />
        </div>
      </Radio.Group>
    </section>
  );
}

function HandOver(props: {
  readonly name: string;
  readonly approved: Outputs["approveAgent"];
  readonly close: () => void;
}) {
  return (
    <div className="stack">
      <p>
        You approved <bdi>{props.name}</bdi>. {approvalWords.pasteToken} It is shown only this once, and
        expires <Time at={props.approved.expires_at} whole />.
      </p>
      <Secret label="Confirmation token" value={props.approved.confirmation_token} />
      <div className="note" data-tone="warn">
        <Icon name="warn" />
        <p>
          <strong>{approvalWords.onlyToYourAgent}</strong> {approvalWords.neverToOthers}
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
