/** The actions on a person, agent, app or key: buttons on its page, a menu in its row. */
import { ActionIcon, Button, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { mayManage, type Space } from "../../shell/space.ts";
import type { Credential } from "./credential-name.ts";
import type { Entry } from "./entries.ts";
import { LeaveTeam, RemoveMember } from "./members.tsx";
import { RevokeAgent, RevokeCredential, verbOf } from "./revoke.tsx";
import { Rotate } from "./rotate.tsx";

interface Act {
  readonly kind: "replace" | "end";
  readonly label: string;
}

/** Agents renew their tokens themselves, as OAuth does. */
const mayRotate = ({ kind, state }: Credential) =>
  state === "valid" && (kind === "api_key" || kind === "skill");

/** The acts on an entry that the signed-in person may choose. */
function actsOn(entry: Entry, space: Space): readonly Act[] {
  if (entry.kind === "person") {
    const mayRemove = mayManage(space) && (space.role === "owner" || entry.member.role !== "owner");
    if (space.teamId === null || !(mayRemove || entry.isSelf)) return [];
    return [{ kind: "end", label: entry.isSelf ? "Leave the team…" : "Remove from the team…" }];
  }
  if (entry.isEnded) return [];
  if (entry.kind === "agent") return [{ kind: "end", label: "Revoke…" }];
  const end: Act = { kind: "end", label: `${verbOf(entry.credential)}…` };
  return mayRotate(entry.credential) ? [{ kind: "replace", label: "Replace…" }, end] : [end];
}

interface DialogProps {
  readonly entry: Entry;
  readonly space: Space;
  readonly act: Act;
  readonly close: () => void;
}

function ActDialog({ entry, space, act, close }: DialogProps) {
  if (entry.kind === "person") {
    const teamId = space.teamId ?? "";
    if (entry.isSelf) return <LeaveTeam teamId={teamId} close={close} />;
    return <RemoveMember teamId={teamId} member={entry.member} close={close} />;
  }
  if (entry.kind === "agent") return <RevokeAgent agent={entry.agent} close={close} />;
  if (act.kind === "replace") return <Rotate one={entry.credential} close={close} />;
  return <RevokeCredential one={entry.credential} close={close} />;
}

export function Acts({ entry, space }: { readonly entry: Entry; readonly space: Space }) {
  const [act, setAct] = useState<Act | null>(null);
  return (
    <>
      {actsOn(entry, space).map((one) => (
        <Button
          key={one.kind}
          variant={one.kind === "end" ? "outline" : "default"}
          {...(one.kind === "end" && { color: "bad" })}
          onClick={() => setAct(one)}
        >
          {one.label}
        </Button>
      ))}
      {act && <ActDialog entry={entry} space={space} act={act} close={() => setAct(null)} />}
    </>
  );
}

/** The menu of a row. Its dialog belongs to the page, because rows out of sight leave the document. */
export function useRowActs(space: Space) {
  const [chosen, setChosen] = useState<Pick<DialogProps, "entry" | "act"> | null>(null);
  return {
    menu: (entry: Entry) => (
      <Menu position="bottom-end" portalProps={{ target: "main" }} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" c="var(--soft)" size={32} aria-label={`Actions: ${entry.name}`}>
            <Icon name="more" size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            renderRoot={(props) => (
              <Link
                {...props}
                to="/$space/access/$kind/$id"
                params={{ space: space.key, kind: entry.kind, id: entry.id }}
              />
            )}
          >
            Open
          </Menu.Item>
          {actsOn(entry, space).map((act) => (
            <Menu.Item
              key={act.kind}
              {...(act.kind === "end" && { c: "var(--bad-ink)" })}
              onClick={() => setChosen({ entry, act })}
            >
              {act.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    ),
    dialog: chosen && <ActDialog {...chosen} space={space} close={() => setChosen(null)} />,
  };
}
