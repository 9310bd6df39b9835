/** What a page shows when it has nothing, when it waits, and when it could not be answered. */
import { Button, Loader } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { codeOf, requestIdOf } from "../shell/trpc.ts";
import { Icon } from "./icons.tsx";

export function Empty(props: {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="empty">
      <h2>{props.title}</h2>
      <p>{props.children}</p>
      {props.action}
    </div>
  );
}

const SAID_AFTER_MS = 1000;

/** Nothing for a moment, then what is waited for. */
export function Waiting({ what }: { readonly what: string }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), SAID_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="empty" role="status" aria-live="polite">
      <Loader size="sm" type="dots" aria-hidden="true" />
      <p>{isLong ? `Waiting for ${what}…` : ""}</p>
    </div>
  );
}

/** What failed, in words, by the machine code alone. */
export function wordsFor(error: unknown): { readonly title: string; readonly advice: string } {
  const message = error instanceof Error ? error.message : "";
  switch (codeOf(error)) {
    case "unreachable":
      return {
        title: "The service did not answer",
        advice: "It may be restarting, or the connection is gone.",
      };
    case "timed_out":
      return {
        title: "There was no answer in time",
        advice:
          "The service may be busy or loading its index. Your request may still go through: check before you repeat it.",
      };
    case "invalid_token":
      return { title: "Your session has ended", advice: "Sign in again; what you typed is still here." };
    case "role_forbidden":
    case "insufficient_scope":
    case "knowledge_scope_required":
      return { title: "Your role does not allow this", advice: message };
    case "not_found":
      return { title: "It is not here", advice: "It was removed or moved, or you may not see it." };
    case "precondition_failed":
    case "plan_changed":
      return { title: "It has changed in the meantime", advice: "Look at the change, then decide again." };
    case "rate_limited":
    case "overloaded":
      return { title: "Too many requests right now", advice: "Wait a moment and try again." };
    case "dependency_unavailable":
      return { title: "Part of the service is unavailable", advice: "Nothing was lost. Try again soon." };
    case "internal":
      return { title: "The service failed", advice: "Its operators can find the cause by the request id." };
    default:
      return { title: "This was refused", advice: message };
  }
}

export function Failed(props: {
  readonly what: string;
  readonly error: unknown;
  readonly retry?: () => void;
}) {
  const { title, advice } = wordsFor(props.error);
  const id = requestIdOf(props.error);
  return (
    <div className="note" data-tone="bad" role="alert">
      <Icon name="bad" />
      <div className="grow">
        <p>
          <strong>{`${props.what}: ${title}.`}</strong>
        </p>
        <p>{advice}</p>
        {id !== null && <p className="mono soft">{`Request ${id}`}</p>}
        {props.retry && (
          <Button mt="xs" size="xs" variant="default" onClick={props.retry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}
