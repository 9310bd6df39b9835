import "@mantine/spotlight/styles.css";
import { createSpotlight, Spotlight, type SpotlightActionData } from "@mantine/spotlight";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { pages } from "../actions/actions.ts";
import { Icon } from "../parts/icons.tsx";
import { spacesOf, useSession, useSpace } from "./space.ts";

const [store, spotlight] = createSpotlight();

/** Every page and every space by its name. Loaded when it is first asked for. */
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
  useEffect(() => spotlight.open(), []);
  const actions: SpotlightActionData[] = [
    ...pages
      .filter(({ isShown }) => isShown(space))
      .map(({ label, describes, icon, to }) => ({
        id: to,
        label,
        description: describes,
        leftSection: <Icon name={icon} />,
        onClick: () => void navigate({ to, params: { space: space.key } }),
      })),
    ...spacesOf(session)
      .filter(({ key }) => key !== space.key)
      .map(({ key, name }) => ({
        id: key,
        label: `Workspace ${name}`,
        leftSection: <Icon name="team" />,
        onClick: () => void navigate({ to: "/$space", params: { space: key } }),
      })),
    { id: "keys", label: "Show the shortcuts", leftSection: <Icon name="search" />, onClick: showKeys },
  ];
  return (
    <Spotlight
      store={store}
      actions={actions}
      nothingFound="Nothing matches"
      highlightQuery
      shortcut={null}
      onSpotlightClose={onClose}
      attributes={{ content: { "aria-label": "Go to a page or a workspace" } }}
      searchProps={{ placeholder: "Go to a page or a workspace", "aria-label": "Go to" }}
    />
  );
}
