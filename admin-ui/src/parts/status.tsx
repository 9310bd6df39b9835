import { Icon, type IconName } from "./icons.tsx";

export type Tone = "good" | "warn" | "bad" | "soft";

/** How something stands: an icon and a word, so that no colour has to be seen for it. */
export function Status(props: { readonly tone: Tone; readonly icon: IconName; readonly word: string }) {
  return (
    <span className="status" data-tone={props.tone}>
      <Icon name={props.icon} size={16} />
      {props.word}
    </span>
  );
}

const MEMORY: Readonly<Record<string, { tone: Tone; icon: IconName; word: string }>> = {
  active: { tone: "good", icon: "good", word: "Active" },
  started: { tone: "good", icon: "clock", word: "Started" },
  completed: { tone: "good", icon: "good", word: "Completed" },
  archived: { tone: "soft", icon: "archive", word: "Archived" },
  superseded: { tone: "soft", icon: "replaced", word: "Superseded" },
  soft_deleted: { tone: "bad", icon: "trash", word: "Forgotten" },
  redacted: { tone: "bad", icon: "trash", word: "Redacted" },
  expired: { tone: "warn", icon: "clock", word: "Expired" },
};

export function MemoryStatus({ status }: { readonly status: string }) {
  return <Status {...(MEMORY[status] ?? { tone: "soft", icon: "bad", word: status })} />;
}
