/** The second step of an owner's erasure: the counted plan, the name typed to confirm it, and the receipt. */
import { Button, Modal, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import type { Outputs } from "../shell/trpc.ts";
import { Icon } from "./icons.tsx";
import { Failed } from "./states.tsx";

type Plan = Outputs["eraseOwner"];

const number = new Intl.NumberFormat("en");

interface ErasureDialogProps {
  readonly plan: Plan;
  readonly title: string;
  readonly warning: string;
  /** The tables that a person knows by name. */
  readonly counted: readonly (readonly [table: string, words: string])[];
  readonly label: string;
  readonly verb: string;
  readonly erase: {
    readonly data: Plan | undefined;
    readonly error: unknown;
    readonly isError: boolean;
    readonly isPending: boolean;
  };
  readonly confirm: () => void;
  /** Shown with the receipt. */
  readonly begun: string;
  readonly close: () => void;
  /** Called when the receipt is closed. */
  readonly leave: () => void;
  /** Beside Cancel. */
  readonly children?: ReactNode;
}

export function ErasureDialog(props: ErasureDialogProps) {
  const { plan, title, warning, counted, label, verb, erase, confirm, begun, close, leave } = props;
  const [typed, setTyped] = useState("");
  const { name = "", would_remove: rows = {}, erasure_id } = plan;
  const receipt = `/v1/erasures/${erasure_id}`;
  if (erase.data?.receipt)
    return (
      <Modal
        opened
        onClose={leave}
        title="The erasure has begun"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <p>{begun}</p>
        <p className="mono">
          <a href={receipt}>{`${window.location.origin}${receipt}`}</a>
        </p>
      </Modal>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === name) confirm();
  };
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit} className="stack">
        <div className="note" data-tone="bad">
          <Icon name="warn" />
          <p>
            <strong>None of this can be restored.</strong> {warning}
          </p>
        </div>
        <dl className="facts">
          {counted.map(([table, words]) => (
            <div className="fact" key={table}>
              <dt>{words}</dt>
              <dd>{number.format(rows[table] ?? 0)}</dd>
            </div>
          ))}
        </dl>
        {erase.isError && <Failed what="Not erased" error={erase.error} />}
        <TextInput
          label={label}
          description={name}
          required
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className="acts">
          <Button variant="default" data-autofocus onClick={close}>
            Cancel
          </Button>
          {props.children}
          <Button type="submit" color="bad" disabled={typed !== name} loading={erase.isPending}>
            {verb}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
