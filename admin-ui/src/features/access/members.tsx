/** The members of a team: how they are invited, removed, and how somebody leaves. */
import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { done, notDone } from "../../parts/toasts.tsx";
import type { Role } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import type { Member } from "./entries.ts";

const ROLES: readonly { value: Role; label: string }[] = [
  { value: "viewer", label: "Viewer: reads" },
  { value: "member", label: "Member: reads and writes" },
  { value: "admin", label: "Admin: maintains and manages members" },
  { value: "owner", label: "Owner: manages owners too" },
];

export const rolesFor = (mine: Role) => ROLES.filter(({ value }) => mine === "owner" || value !== "owner");

export function Invited(props: {
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

export function RemoveMember(props: {
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

export function LeaveTeam({ teamId, close }: { readonly teamId: string; readonly close: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const review = useQuery(trpc.reviewLeaving.queryOptions({ team_id: teamId }));
  const leave = useMutation(
    trpc.leaveTeam.mutationOptions({
      async onSuccess() {
        close();
        await navigate({ to: "/$space/access", params: { space: "own" } });
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

export function InvitePerson({ teamId, role: mine }: { readonly teamId: string; readonly role: Role }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<Icon name="account" size={16} />} onClick={() => setOpen(true)}>
        Invite a person
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Invite a person"
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
