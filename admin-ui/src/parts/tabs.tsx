import { Link, type LinkProps } from "@tanstack/react-router";
import "./tabs.css";

export interface Tab {
  readonly label: string;
  readonly to: LinkProps["to"];
}

/** The pages of one part of the house, as links: each has an address of its own. */
export function Tabs(props: {
  readonly label: string;
  readonly space: string;
  readonly tabs: readonly Tab[];
}) {
  return (
    <nav className="tabs" aria-label={props.label}>
      {props.tabs.map(({ label, to }) => (
        <Link
          key={label}
          to={to as "/$space"}
          params={{ space: props.space }}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
