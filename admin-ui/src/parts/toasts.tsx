import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Icon } from "./icons.tsx";
import { wordsFor } from "./states.tsx";

const UNDO_MS = 10_000;
/** Of its own: over plain http beyond this device a page has no `crypto.randomUUID`. */
let shown = 0;

/** Says what was done, and offers to take it back while it is shown. */
export function done(what: string, undo?: () => void): void {
  shown += 1;
  const id = `done-${shown}`;
  notifications.show({
    id,
    icon: <Icon name="good" />,
    color: "accent",
    withBorder: true,
    autoClose: undo ? UNDO_MS : 4000,
    closeButtonProps: { "aria-label": "Close" },
    message: undo ? (
      <span style={{ display: "flex", alignItems: "center", gap: 12 }}>
        <span>{what}</span>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          Undo
        </Button>
      </span>
    ) : (
      what
    ),
  });
}

/** Says that something was not done, and why. Whatever was shown before its time is back as it was by then. */
export function notDone(what: string, error: unknown): void {
  const { title, advice } = wordsFor(error);
  notifications.show({
    icon: <Icon name="bad" />,
    color: "bad",
    withBorder: true,
    autoClose: false,
    role: "alert",
    closeButtonProps: { "aria-label": "Close" },
    title: `${what}: ${title}`,
    message: advice,
  });
}
