import { Button, Modal, Select } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Secret, useShownOnce } from "../../parts/shown-once.tsx";
import { Failed } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { client, trpc } from "../../shell/trpc.ts";
import { type Credential, nameOf } from "./credential-name.ts";

const OVERLAPS = [
  { value: "0", label: "Not at all: it ends at once" },
  { value: "3600", label: "An hour" },
  { value: "86400", label: "A day" },
  { value: "604800", label: "A week" },
];

/** A new secret in the place of one, which stays valid as long as it takes to put the new one everywhere. */
export function Rotate({ one, close }: { readonly one: Credential; readonly close: () => void }) {
  const [overlap, setOverlap] = useState("86400");
  const queries = useQueryClient();
  const { answer, asking } = useShownOnce(client.rotateCredential.mutate, () =>
    queries.invalidateQueries({ queryKey: trpc.listCredentials.pathKey() }),
  );
  return (
    <Modal
      opened
      onClose={close}
      title={`Replace ${nameOf(one).slice(0, 60)}`}
      closeOnClickOutside={answer === null}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {answer ? (
        <div className="stack">
          <p>
            The new one is shown only this once. The old one is valid until{" "}
            <Time at={answer.previous_token_valid_until} whole />.
          </p>
          <Secret label="New secret" value={answer.token} />
          <div className="acts">
            <Button variant="default" onClick={close}>
              I have kept it
            </Button>
          </div>
        </div>
      ) : (
        <div className="stack">
          <p>The new one has the same access and ends when the old one would have.</p>
          {asking.isError && <Failed what="Not replaced" error={asking.error} />}
          <Select
            label="How long the old one stays valid"
            data={OVERLAPS}
            value={overlap}
            allowDeselect={false}
            onChange={(value) => value && setOverlap(value)}
          />
          <div className="acts">
            <Button variant="default" data-autofocus onClick={close}>
              Cancel
            </Button>
            <Button
              loading={asking.isPending}
              onClick={() => asking.mutate({ credential_id: one.id, overlap_seconds: Number(overlap) })}
            >
              Replace 1 credential
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
