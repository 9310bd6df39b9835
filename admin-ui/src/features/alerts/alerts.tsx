import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type AlertMeasure, alertMeasures } from "../../../../src/contract/alert.ts";
import { Matters } from "../../parts/matters.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { done } from "../../parts/toasts.tsx";
import { mayManage, type Space, teamOf } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { alertMatters, useAlerts } from "./raised-alerts.tsx";
import "./alerts.css";

type Thresholds = Outputs["alerts"]["thresholds"];

interface Field {
  readonly name: AlertMeasure;
  readonly label: string;
  readonly unit: string;
  readonly step: number;
  /** Shown units in a stored one. Default: 1. */
  readonly scale?: number;
}

const FIELDS: readonly Field[] = [
  { name: "recall_p95", label: "Recall p95 above", unit: "milliseconds, over 15 minutes", step: 1 },
  {
    name: "recall_coverage",
    label: "Coverage below",
    unit: "% of the memories in scope, over 15 minutes",
    ...{ step: 0.1, scale: 100 },
  },
  { name: "open_conflicts", label: "Conflicts above", unit: "memories", step: 1 },
  { name: "silent_agent", label: "Agent silent for", unit: "hours, if in use in the last 30 days", step: 1 },
];

const shownIn = ({ scale = 1 }: Field, stored: number) => Math.round(stored * scale * 100) / 100;

/** The workspace's raised alerts and the thresholds that raise them. */
export function Alerts({ space }: { readonly space: Space }) {
  const alerts = useAlerts(space);
  return (
    <section className="panel" aria-labelledby="alerts">
      <h2 id="alerts" className="panel-title">
        Alerts
      </h2>
      {alerts.isPending && <Waiting what="the alerts" />}
      {alerts.isError && (
        <Failed what="The alerts" error={alerts.error} retry={() => void alerts.refetch()} />
      )}
      <Matters matters={alertMatters(space, alerts.data)} />
      {alerts.data && (
        <ThresholdForm
          key={JSON.stringify(alerts.data.thresholds)}
          thresholds={alerts.data.thresholds}
          space={space}
        />
      )}
    </section>
  );
}

interface FormProps {
  readonly thresholds: Thresholds;
  readonly space: Space;
}

function ThresholdForm({ thresholds, space }: FormProps) {
  const [typed, setTyped] = useState<Partial<Record<AlertMeasure, string>>>({});
  const queries = useQueryClient();
  const save = useMutation(
    trpc.setAlerts.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries({ queryKey: trpc.alerts.pathKey() });
        done("The alerts were saved.");
      },
    }),
  );
  const isLocked = !mayManage(space);
  const textIn = (field: Field) => {
    const stored = thresholds[field.name];
    return typed[field.name] ?? (stored === null ? "" : String(shownIn(field, stored)));
  };
  const empty = FIELDS.filter((field) => textIn(field).trim() === "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = FIELDS.map((field) => {
      const text = textIn(field).trim();
      return [field.name, text === "" ? null : Number(text) / (field.scale ?? 1)];
    });
    save.mutate({ ...teamOf(space), ...(Object.fromEntries(given) as Thresholds) });
  };
  const suggest = () => {
    const suggested = empty.map((field) => [
      field.name,
      String(shownIn(field, alertMeasures[field.name].suggested)),
    ]);
    setTyped({ ...typed, ...Object.fromEntries(suggested) });
  };
  return (
    <form onSubmit={submit}>
      <p className="soft">
        Raised alerts are shown here and on Home, and reported to webhooks (alert.raised, alert.ended). An
        alert ends after five minutes back to normal. Leave a threshold empty to turn its alert off.
      </p>
      {save.isError && <Failed what="Not saved" error={save.error} />}
      <fieldset className="alert-fields" aria-label="Thresholds" disabled={isLocked}>
        {FIELDS.map((field) => (
          <TextInput
            key={field.name}
            type="number"
            label={field.label}
            description={field.unit}
            placeholder="Off"
            min={shownIn(field, alertMeasures[field.name].min)}
            max={shownIn(field, alertMeasures[field.name].max)}
            step={field.step}
            value={textIn(field)}
            onChange={(event) => setTyped({ ...typed, [field.name]: event.currentTarget.value })}
          />
        ))}
      </fieldset>
      {isLocked ? (
        <p className="soft">{`Your role, ${space.role}, can only read here; owners and admins set alerts.`}</p>
      ) : (
        <div className="acts">
          <Button
            type="submit"
            variant="default"
            loading={save.isPending}
            disabled={Object.keys(typed).length === 0}
          >
            Save the alerts
          </Button>
          {empty.length > 0 && (
            <Button variant="subtle" onClick={suggest}>
              Fill in suggested values
            </Button>
          )}
        </div>
      )}
    </form>
  );
}
