/** The name of a person or agent, with a mark that tells which: people are round, agents square, apps framed. */
import { Icon } from "./icons.tsx";
import "./who.css";

export type WhoKind = "person" | "agent" | "app" | "key";

function initials(name: string): string {
  const words = name.split(/[\s._-]+/u).filter(Boolean);
  const letters = words.length > 1 ? words.map((word) => [...word][0]) : [...(words[0] ?? "?")];
  return letters.slice(0, 2).join("").toUpperCase();
}

export function Face({ name, kind = "person" }: { readonly name: string; readonly kind?: WhoKind }) {
  return (
    <span className="face" data-kind={kind} aria-hidden="true">
      {kind === "key" || kind === "app" ? (
        <Icon name={kind} size={kind === "app" ? 18 : 13} />
      ) : (
        initials(name)
      )}
    </span>
  );
}

export function Who({ name, kind = "person" }: { readonly name: string; readonly kind?: WhoKind }) {
  return (
    <span className="who">
      <Face name={name} kind={kind} />
      <bdi>{name}</bdi>
    </span>
  );
}
