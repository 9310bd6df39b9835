import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { done, notDone } from "../../parts/toasts.tsx";
import { mayManage, type Role, type Space, useSession, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";

const ROLES: readonly { value: Role; label: string }[] = [
  { value: "viewer", label: "Viewer: reads" },
  { value: "member", label: "Member: reads and writes" },
  { value: "admin", label: "Admin: maintains and manages members" },
  { value: "owner", label: "Owner: manages owners too" },
];

const rolesFor = (mine: Role) => ROLES.filter(({ value }) => mine === "owner" || value !== "owner");

/** Who is in it, and as what? */
export function TeamPage() {
  const space = useSpace();
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>{space.teamId === null ? "Teams" : space.name}</h1>
          <p>{space.teamId === null ? "Share memories with others" : `You are ${space.role}`}</p>
        </div>
        {space.teamId === null ? (
          <CreateTeam />
        ) : (
          mayManage(space) && <AddMember teamId={space.teamId} role={space.role} />
        )}
      </div>
      {space.teamId === null && <Invitations />}
      {space.teamId === null ? <Teams /> : <Members teamId={space.teamId} space={space} />}
    </>
  );
}

function Teams() {
  const { teams } = useSession();
  const navigate = useNavigate();
  if (teams.length === 0)
    return (
      <Empty title="No team yet">
        A team is a workspace that several people and their agents share, each with a role. Create one, then
        add people.
      </Empty>
    );
  return (
    <section className="panel" aria-label="Your teams">
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
              onClick={() => void navigate({ to: "/$space/team", params: { space: team_id } })}
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
function Invitations() {
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
        await navigate({ to: "/$space/team", params: { space: team_id } });
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
      <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen(true)}>
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

type Member = Outputs["listMembers"]["members"][number];

function Members({ teamId, space }: { readonly teamId: string; readonly space: Space }) {
  const { user } = useSession();
  const members = useQuery(trpc.listMembers.queryOptions({ team_id: teamId }));
  const [leaving, setLeaving] = useState<Member | null>(null);
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries();
  const setRole = useMutation(
    trpc.setMemberRole.mutationOptions({
      onSuccess: () => done("The role was changed. It takes effect with the next request."),
      onError: (error) => notDone("The role was not changed", error),
      onSettled: refresh,
    }),
  );
  if (members.isPending) return <Waiting what="the members" />;
  if (members.isError)
    return <Failed what="The members" error={members.error} retry={() => void members.refetch()} />;
  const mayDecide = (role: Role) => mayManage(space) && (space.role === "owner" || role !== "owner");
  return (
    <section className="panel" aria-label="Members">
      <ul className="plain rows">
        {members.data.members.map((member) => (
          <li key={member.user_id}>
            <span className="grow">
              <strong>
                <bdi>{member.name}</bdi>
              </strong>
              {member.user_id === user.id && " (you)"}
              <span className="soft">
                {" since "}
                <Time at={member.since} />
              </span>
            </span>
            {mayDecide(member.role) ? (
              <Select
                size="xs"
                w={320}
                maw="100%"
                aria-label={`Role of ${member.name}`}
                data={rolesFor(space.role)}
                value={member.role}
                allowDeselect={false}
                disabled={setRole.isPending}
                onChange={(role) =>
                  role && setRole.mutate({ team_id: teamId, user_id: member.user_id, role: role as Role })
                }
              />
            ) : (
              <span className="soft">{member.role}</span>
            )}
            {(mayDecide(member.role) || member.user_id === user.id) && (
              <Button size="xs" miw={144} variant="outline" color="bad" onClick={() => setLeaving(member)}>
                {member.user_id === user.id ? "Leave the team" : `Remove ${member.name.slice(0, 24)}`}
              </Button>
            )}
          </li>
        ))}
        {members.data.invitations.map(({ user_name, role, expires_at }) => (
          <Invited key={user_name} teamId={teamId} name={user_name} role={role} expiresAt={expires_at} />
        ))}
      </ul>
      {leaving &&
        (leaving.user_id === user.id ? (
          <LeaveTeam teamId={teamId} close={() => setLeaving(null)} />
        ) : (
          <RemoveMember teamId={teamId} member={leaving} close={() => setLeaving(null)} />
        ))}
    </section>
  );
}

function Invited(props: {
  readonly teamId: string;
  readonly name: string;
  readonly role: Role;
  readonly expiresAt: string;
}) {
  const { teamId, name, role, expiresAt } = props;
  const queries = useQueryClient();
  const withdraw = useMutation(
    trpc.withdrawInvitation.mutationOptions({
      onSuccess: () => done("The invitation was withdrawn."),
      onError: (error) => notDone("The invitation was not withdrawn", error),
      onSettled: () => queries.invalidateQueries({ queryKey: trpc.listMembers.pathKey() }),
    }),
  );
  return (
    <li>
      <span className="grow">
        <bdi>{name}</bdi>
        <span className="soft">
          {` is invited as ${role}, until `}
          <Time at={expiresAt} />
        </span>
      </span>
      <Button
        size="xs"
        miw={144}
        variant="default"
        loading={withdraw.isPending}
        onClick={() => withdraw.mutate({ team_id: teamId, user_name: name })}
      >
        Withdraw
      </Button>
    </li>
  );
}

function RemoveMember(props: {
  readonly teamId: string;
  readonly member: Member;
  readonly close: () => void;
}) {
  const { teamId, member, close } = props;
  const queries = useQueryClient();
  const remove = useMutation(
    trpc.removeMember.mutationOptions({
      async onSuccess() {
        close();
        await queries.invalidateQueries();
        done(`${member.name} is no longer in the team.`);
      },
    }),
  );
  return (
    <Modal
      opened
      onClose={close}
      title={`Remove ${member.name} from the team?`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <p>
        {member.name} and their agents lose access to the team with the next request. What they wrote there
        stays with the team. An admin can invite them again.
      </p>
      {remove.isError && <Failed what="Not removed" error={remove.error} />}
      <div className="acts">
        <Button variant="default" data-autofocus onClick={close}>
          Cancel
        </Button>
        <Button
          color="bad"
          loading={remove.isPending}
          onClick={() => remove.mutate({ team_id: teamId, user_id: member.user_id })}
        >
          Remove 1 member
        </Button>
      </div>
    </Modal>
  );
}

function LeaveTeam({ teamId, close }: { readonly teamId: string; readonly close: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const review = useQuery(trpc.reviewLeaving.queryOptions({ team_id: teamId }));
  const leave = useMutation(
    trpc.leaveTeam.mutationOptions({
      async onSuccess() {
        close();
        await navigate({ to: "/$space/team", params: { space: "own" } });
        await queries.invalidateQueries();
        done("You have left the team.");
      },
      onError: () => void review.refetch(),
    }),
  );
  return (
    <Modal opened onClose={close} title="Leave the team?" closeButtonProps={{ "aria-label": "Close" }}>
      {review.isPending && <Waiting what="what leaving does" />}
      {review.isError && (
        <Failed what="What leaving does" error={review.error} retry={() => void review.refetch()} />
      )}
      {review.data && <Leaving {...review.data} />}
      {leave.isError && <Failed what="You have not left" error={leave.error} />}
      <div className="acts">
        <Button variant="default" data-autofocus onClick={close}>
          Cancel
        </Button>
        <Button
          color="bad"
          loading={leave.isPending}
          disabled={review.data === undefined}
          onClick={() =>
            review.data &&
            leave.mutate({
              team_id: teamId,
              outcome: review.data.outcome,
              successor_id: review.data.successor?.user_id,
            })
          }
        >
          {review.data?.outcome === "closes" ? "Leave and erase the team" : "Leave the team"}
        </Button>
      </div>
    </Modal>
  );
}

/** What leaving does, before it is done. */
function Leaving({ outcome, successor, would_remove }: Outputs["reviewLeaving"]) {
  if (outcome === "closes")
    return (
      <p>
        You are the last member, so the team is closed. Everything in it is erased for good, among that{" "}
        {would_remove?.memories ?? 0} memories, and its keys stop working.
      </p>
    );
  return (
    <p>
      You and your agents lose access to the team with the next request. What you wrote there stays with the
      team.{" "}
      {outcome === "hands_over" ? (
        <>
          You are the last owner: <bdi>{successor?.name}</bdi> becomes the owner.
        </>
      ) : (
        "An admin can invite you again."
      )}
    </p>
  );
}

function AddMember({ teamId, role: mine }: { readonly teamId: string; readonly role: Role }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen(true)}>
        Add a member
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Add a member"
        closeButtonProps={{ "aria-label": "Close" }}
        keepMounted={false}
      >
        <AddForm teamId={teamId} mine={mine} close={() => setOpen(false)} />
      </Modal>
    </>
  );
}

/** Invites somebody who is here already by name, and somebody new by a link, which is shown once. */
function AddForm({
  teamId,
  mine,
  close,
}: {
  readonly teamId: string;
  readonly mine: Role;
  readonly close: () => void;
}) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("member");
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.listMembers.pathKey() });
  const add = useMutation(
    trpc.addMember.mutationOptions({
      async onSuccess() {
        await refresh();
        done(`If there is a user named ${name}, they see the invitation, and join by accepting it.`);
        close();
      },
    }),
  );
  const invite = useMutation(trpc.inviteMember.mutationOptions({ onSuccess: refresh }));
  if (invite.data) {
    const link = `${window.location.origin}/setup?code=${invite.data.setup_code}`;
    return (
      <>
        <p>
          Send this link to <strong>{name}</strong>. It is shown once, works once, and expires{" "}
          <Time at={invite.data.expires_at} whole />.
        </p>
        <TextInput label="Link" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
        <div className="acts">
          <Button
            onClick={() => void navigator.clipboard.writeText(link).then(() => done("The link was copied."))}
          >
            Copy the link
          </Button>
          <Button variant="default" onClick={close}>
            Close
          </Button>
        </div>
      </>
    );
  }
  const given = { team_id: teamId, user_name: name, role };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.reset();
    add.mutate(given);
  };
  const failed = invite.error ?? add.error;
  return (
    <form onSubmit={submit} style={{ display: "grid", gap: 16 }}>
      {failed && <Failed what="Not invited" error={failed} />}
      <TextInput
        label="User"
        description="The user's name, not an e-mail address"
        required
        maxLength={128}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label="Role"
        data={rolesFor(mine)}
        value={role}
        allowDeselect={false}
        onChange={(chosen) => chosen && setRole(chosen as Role)}
      />
      <div className="acts">
        <Button type="submit" loading={add.isPending}>
          Invite this user
        </Button>
        <Button
          variant="default"
          loading={invite.isPending}
          disabled={name.trim() === ""}
          onClick={() => {
            add.reset();
            invite.mutate(given);
          }}
        >
          Invite somebody new
        </Button>
      </div>
    </form>
  );
}
