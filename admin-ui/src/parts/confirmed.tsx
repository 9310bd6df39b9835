/** A question before something that does not come back: what goes, and a way out that has the focus. */
import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { Failed } from "./states.tsx";

export function Confirmed(props: {
  readonly title: string;
  readonly children: ReactNode;
  /** Verb and object, never OK. */
  readonly verb: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly failed: string;
  readonly confirm: () => void;
  readonly close: () => void;
}) {
  return (
    <Modal opened onClose={props.close} title={props.title} closeButtonProps={{ "aria-label": "Close" }}>
      {props.children}
      {props.error !== null && <Failed what={props.failed} error={props.error} />}
      <div className="acts">
        <Button variant="default" data-autofocus onClick={props.close}>
          Cancel
        </Button>
        <Button color="bad" loading={props.isPending} onClick={props.confirm}>
          {props.verb}
        </Button>
      </div>
    </Modal>
  );
}
