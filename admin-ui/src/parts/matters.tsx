import { Button } from "@mantine/core";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Icon, type IconName } from "./icons.tsx";

/** Something that waits for a person, and the page that it is done on. */
export interface Matter {
  readonly icon: IconName;
  readonly title: string;
  readonly more: ReactNode;
  readonly action: string;
  readonly link: LinkProps;
}

export function Matters({ matters }: { readonly matters: readonly Matter[] }) {
  return (
    <ul className="plain rows">
      {matters.map(({ icon, title, more, action, link }) => (
        <li key={title}>
          <Icon name={icon} />
          <span className="grow two-lines matter">
            <b>
              <bdi>{title}</bdi>
            </b>
            <small>
              <bdi>{more}</bdi>
            </small>
          </span>
          <Button
            size="xs"
            variant="default"
            aria-label={`${action}: ${title}`}
            renderRoot={(props) => <Link {...link} {...props} />}
          >
            {action}
          </Button>
        </li>
      ))}
    </ul>
  );
}
