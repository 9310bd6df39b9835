import { Button, Modal, Select, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { endUserScopes, type Scope } from "../../../../src/contract/scope.ts";
import { ScopeChoice } from "../../parts/scopes.tsx";
import { ShownSecret, useShownOnce } from "../../parts/shown-once.tsx";
import { Failed } from "../../parts/states.tsx";
import { type Space, teamOf } from "../../shell/space.ts";
import { client } from "../../shell/trpc.ts";

interface IssueProps {
  readonly userId: string;
  readonly space: Space;
}

export function IssueToken(props: IssueProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Issue a token
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={`A token for ${props.userId}`}
        closeOnClickOutside={false}
        closeButtonProps={{ "aria-label": "Close" }}
        keepMounted={false}
      >
        <Form {...props} close={close} />
      </Modal>
    </>
  );
}

/** In seconds; the maximum is 90 days. */
const HOUR = 3600;
const SPANS = [
  { value: `${HOUR}`, label: "In an hour" },
  { value: `${24 * HOUR}`, label: "In a day" },
  { value: `${7 * 24 * HOUR}`, label: "In a week" },
  { value: `${90 * 24 * HOUR}`, label: "In 90 days" },
];

function Form({ userId, space, close }: IssueProps & { readonly close: () => void }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<Scope[]>(["memory:read"]);
  const [span, setSpan] = useState(`${HOUR}`);
  const { answer, asking } = useShownOnce(client.issueEndUserToken.mutate, () => {});
  if (answer) return <ShownSecret label="Token" value={answer.token} close={close} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    asking.mutate({
      user_id: userId,
      ...teamOf(space),
      name: name.trim() || null,
      scopes,
      expires_in_seconds: Number(span),
    });
  };
  return (
    <form onSubmit={submit} className="stack">
      {asking.isError && <Failed what="Not issued" error={asking.error} />}
      <p>
        For this end user's own browser, phone or MCP client. It reaches their space and nothing else, and
        ends when they are erased.
      </p>
      <TextInput
        label="Name"
        description="A name to recognise it by"
        maxLength={128}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ScopeChoice offered={endUserScopes} chosen={scopes} choose={setScopes} />
      <Select
        label="Expires"
        data={SPANS}
        value={span}
        allowDeselect={false}
        onChange={(value) => value && setSpan(value)}
      />
      <div className="acts">
        <Button type="submit" loading={asking.isPending} disabled={scopes.length === 0}>
          Issue 1 token
        </Button>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
