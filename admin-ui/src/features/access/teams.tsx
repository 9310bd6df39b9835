/** The teams of the person, and the invitations to others. */
import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Failed } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { done, notDone } from "../../parts/toasts.tsx";
import { useSession } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";

export function Teams() {
  const { teams } = useSession();
  const navigate = useNavigate();
  return (
    <section className="panel" aria-labelledby="teams">
      <h2 className="panel-title panel-top" id="teams">
        Your teams
        <CreateTeam />
      </h2>
      {teams.length === 0 && (
        <p className="soft">
          None yet. A team is a workspace that several people and their agents share, each with a role.
        </p>
      )}
      <ul className="plain rows">
        {teams.map(({ team_id, name, role }) => (
          <li key={team_id}>
            <strong className="grow">
              <bdi>{name}</bdi>
            </strong>
            <span className="soft">{role}</span>
            <Button
              size="xs"
              variant="default"
              onClick={() => void navigate({ to: "/$space/access", params: { space: team_id } })}
            >
              Open
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What others have invited the person to. */
export function Invitations() {
  const queries = useQueryClient();
  const { data } = useQuery(trpc.listInvitations.queryOptions({}));
  const refresh = () => queries.invalidateQueries();
  const accept = useMutation(
    trpc.acceptInvitation.mutationOptions({
      onSuccess: () => done("You are now in the team."),
      onError: (error) => notDone("You did not join the team", error),
      onSettled: refresh,
    }),
  );
  const decline = useMutation(
    trpc.declineInvitation.mutationOptions({
      onSuccess: () => done("You declined the invitation. The team is not told."),
      onError: (error) => notDone("The invitation was not declined", error),
      onSettled: refresh,
    }),
  );
  const isPending = accept.isPending || decline.isPending;
  if (data === undefined || data.invitations.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="invitations">
      <h2 className="panel-title" id="invitations">
        Invitations
      </h2>
      <ul className="plain rows">
        {data.invitations.map(({ team_id, name, role, invited_by, expires_at }) => (
          <li key={team_id}>
            <span className="grow">
              <strong>
                <bdi>{name}</bdi>
              </strong>
              <span className="soft">
                {` as ${role}, by `}
                <bdi>{invited_by ?? "the operator of this service"}</bdi>, open until <Time at={expires_at} />
              </span>
            </span>
            <Button size="xs" disabled={isPending} onClick={() => accept.mutate({ team_id })}>
              Accept
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={isPending}
              onClick={() => decline.mutate({ team_id })}
            >
              Decline
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function CreateTeam() {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation(
    trpc.createTeam.mutationOptions({
      async onSuccess({ team_id }) {
        await queries.refetchQueries({ queryKey: trpc.session.pathKey() });
        setOpen(false);
        await navigate({ to: "/$space/access", params: { space: team_id } });
        done("The team was created. Add people to it.");
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ name });
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Create a team
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Create a team"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <form onSubmit={submit} style={{ display: "grid", gap: 16 }}>
          {create.isError && <Failed what="Not created" error={create.error} />}
          <TextInput
            label="Name"
            required
            maxLength={128}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending}>
            Create the team
          </Button>
        </form>
      </Modal>
    </>
  );
}
