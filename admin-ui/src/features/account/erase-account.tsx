/** The end of the account's user, in two steps: what would go, counted, and then their name, typed. */
import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Failed } from "../../parts/states.tsx";
import { type Outputs, trpc } from "../../shell/trpc.ts";

type Plan = Outputs["eraseOwner"];

export function EraseAccount() {
  const [plan, setPlan] = useState<Plan | null>(null);
  const look = useMutation(trpc.eraseOwner.mutationOptions({ onSuccess: setPlan }));
  return (
    <section className="panel" aria-labelledby="erase">
      <h2 className="panel-title" id="erase">
        Erase everything you own
      </h2>
      <p>
        This permanently erases your memories, agents, keys and this account. What you wrote to teams stays
        with them, without your name.
      </p>
      {look.isError && <Failed what="Not counted" error={look.error} />}
      <Button variant="outline" color="bad" loading={look.isPending} onClick={() => look.mutate({})}>
        Count what would be erased
      </Button>
      {plan && <Erase plan={plan} close={() => setPlan(null)} />}
    </section>
  );
}

/** Of the tables, those that a person knows by name. */
const COUNTED: readonly (readonly [string, string])[] = [
  ["memories", "memories"],
  ["agents", "agents"],
  ["tokens", "keys and tokens"],
  ["webhooks", "webhooks"],
  ["team_members", "memberships in teams"],
];

const number = new Intl.NumberFormat("en");

function Erase({ plan, close }: { readonly plan: Plan; readonly close: () => void }) {
  const [typed, setTyped] = useState("");
  const erase = useMutation(trpc.eraseOwner.mutationOptions());
  const { name = "", would_remove: rows = {}, plan_hash } = plan;
  if (erase.data?.receipt)
    return (
      <Modal
        opened
        onClose={() => window.location.assign("/sign-in")}
        title="The erasure has begun"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <p>
          Your data can no longer be reached, and this account has ended. The service removes what is left,
          even across restarts. Keep this address: it shows the receipt, without a name and without signing
          in.
        </p>
        <p className="mono">
          <a
            href={`/v1/erasures/${plan.erasure_id}`}
          >{`${window.location.origin}/v1/erasures/${plan.erasure_id}`}</a>
        </p>
      </Modal>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    erase.mutate({ dry_run: false, confirm: typed, plan_hash: plan_hash ?? null });
  };
  const memories = rows.memories ?? 0;
  return (
    <Modal
      opened
      onClose={close}
      title="Erase everything you own?"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={submit} className="stack">
        <div className="note" data-tone="bad">
          <Icon name="warn" />
          <p>
            <strong>None of this can be restored.</strong> All access ends at once, yours included.
          </p>
        </div>
        <dl className="facts">
          {COUNTED.map(([table, words]) => (
            <div className="fact" key={table}>
              <dt>{words}</dt>
              <dd>{number.format(rows[table] ?? 0)}</dd>
            </div>
          ))}
        </dl>
        {erase.isError && <Failed what="Not erased" error={erase.error} />}
        <TextInput
          label="Type the name of your user to erase it"
          description={name}
          required
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className="acts">
          <Button variant="default" data-autofocus onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color="bad" disabled={typed !== name} loading={erase.isPending}>
            {`Erase ${number.format(memories)} ${memories === 1 ? "memory" : "memories"} and the account`}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
