import "@mantine/spotlight/styles.css";
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { GROUPS, pages } from "../actions/actions.ts";
import { Icon } from "../parts/icons.tsx";
import { spacesOf, useSession, useSpace } from "./space.ts";
import { trpc } from "./trpc.ts";

const [store, spotlight] = createSpotlight();
const MEMORIES = "Memories found";
const MEMORIES_MAX = 6;
const TYPED_MIN = 3;
const SETTLED_MS = 160;

/** Every page, workspace and action by its name, and memories by what they say. Loaded when first opened. */
export function Palette({
  onClose,
  showKeys,
}: {
  readonly onClose: () => void;
  readonly showKeys: () => void;
}) {
  const navigate = useNavigate();
  const space = useSpace();
  const session = useSession();
  const [typed, setTyped] = useState("");
  const memories = useFoundMemories(typed);
  useEffect(() => spotlight.open(), []);
  const toPage = ({ label, describes, icon, to }: (typeof pages)[number]) => ({
    id: to,
    label,
    description: describes,
    leftSection: <Icon name={icon} size={16} />,
    onClick: () => void navigate({ to, params: { space: space.key } }),
  });
  const shown = pages.filter(({ isShown }) => isShown(space));
  const groups: SpotlightActionGroupData[] = [
    { group: "Pages", actions: shown.filter(({ group }) => group === null).map(toPage) },
    ...GROUPS.map((group) => ({
      group,
      actions: shown.filter((page) => page.group === group).map(toPage),
    })),
    {
      group: "Workspaces",
      actions: spacesOf(session)
        .filter(({ key }) => key !== space.key)
        .map(({ key, name }) => ({
          id: key,
          label: `Workspace ${name}`,
          leftSection: <Icon name="team" size={16} />,
          onClick: () => void navigate({ to: "/$space", params: { space: key } }),
        })),
    },
    {
      group: "Actions",
      actions: [
        {
          id: "bind",
          label: "Connect an agent",
          description: "Approve the code that it shows",
          leftSection: <Icon name="agent" size={16} />,
          onClick: () => window.location.assign("/bind"),
        },
        {
          id: "keys",
          label: "Show the shortcuts",
          leftSection: <Icon name="search" size={16} />,
          onClick: showKeys,
        },
      ],
    },
    {
      group: MEMORIES,
      actions: memories.map(({ id, content, path }) => ({
        id,
        label: content.slice(0, 120),
        description: path,
        leftSection: <Icon name="memories" size={16} />,
        onClick: () =>
          void navigate({ to: "/$space/memories", params: { space: space.key }, search: { id } }),
      })),
    },
  ].filter(({ actions }) => actions.length > 0);
  return (
    <Spotlight
      store={store}
      actions={groups}
      // Memories were matched by the service, by words or by meaning: what was typed need not be in them.
      filter={(query, all) => (all as SpotlightActionGroupData[]).flatMap((one) => narrowGroup(one, query))}
      onQueryChange={setTyped}
      nothingFound="Nothing matches"
      highlightQuery
      scrollable
      maxHeight={460}
      shortcut={null}
      onSpotlightClose={onClose}
      attributes={{ content: { "aria-label": "Search or jump to" } }}
      searchProps={{
        leftSection: <Icon name="search" size={18} />,
        placeholder: "Search memories, or jump to a page or workspace",
        "aria-label": "Search or jump to",
      }}
    />
  );
}

function narrowGroup(group: SpotlightActionGroupData, query: string): SpotlightActionGroupData[] {
  const words = query.trim().toLowerCase();
  const actions =
    group.group === MEMORIES || words === ""
      ? group.actions
      : group.actions.filter(({ label, description = "" }) =>
          `${label} ${description}`.toLowerCase().includes(words),
        );
  return actions.length > 0 ? [{ ...group, actions }] : [];
}

/** The best memories for what is typed, once typing pauses. */
function useFoundMemories(typed: string) {
  const space = useSpace();
  const [query, setQuery] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.trim()), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useQuery(
    trpc.searchMemories.queryOptions(
      { ...space.filter, query, limit: MEMORIES_MAX },
      { enabled: query.length >= TYPED_MIN, placeholderData: (before) => before },
    ),
  );
  return query.length >= TYPED_MIN ? (found.data?.results ?? []) : [];
}
