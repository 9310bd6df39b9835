/** The end of the account's user, in two steps: what would go, counted, and then their name, typed. */
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ErasureDialog } from "../../parts/erasure-dialog.tsx";
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
  const erase = useMutation(trpc.eraseOwner.mutationOptions());
  const { name = "", plan_hash } = plan;
  const memories = plan.would_remove?.memories ?? 0;
  return (
    <ErasureDialog
      plan={plan}
      title="Erase everything you own?"
      warning="All access ends at once, yours included."
      counted={COUNTED}
      label="Type the name of your user to erase it"
      verb={`Erase ${number.format(memories)} ${memories === 1 ? "memory" : "memories"} and the account`}
      erase={erase}
      confirm={() => erase.mutate({ dry_run: false, confirm: name, plan_hash: plan_hash ?? null })}
      begun="Your data can no longer be reached, and this account has ended. The service removes what is left, even across restarts. Keep this address: it shows the receipt, without a name and without signing in."
      close={close}
      leave={() => window.location.assign("/sign-in")}
    />
  );
}
