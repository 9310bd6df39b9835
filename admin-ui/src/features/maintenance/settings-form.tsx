import { Button, Checkbox, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { done } from "../../parts/toasts.tsx";
import { mayManage, type Space } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { ACTIONS, type Action, WORDS } from "./words.ts";

type Settings = Outputs["getMaintenanceSettings"];

const FIELDS = [
  ["stale_after_days", "Stale after", "days without a change or a verification", 1, 3650, 1],
  [
    "duplicate_similarity",
    "Duplicates from",
    "cosine similarity of their vectors or more, 0.8 to 1",
    0.8,
    1,
    0.01,
  ],
  ["completed_retention_days", "Finished items stay", "days after they ended", 0, 3650, 1],
  ["purge_deleted_after_days", "Forgotten ones stay", "days before they are erased", 0, 3650, 1],
  ["schedule_hours", "Automatic runs every", "hours", 1, 8760, 1],
] as const;
type Field = (typeof FIELDS)[number][0];

interface SettingsProps {
  readonly project: string;
  readonly space: Space;
  /** Another setting may mean another plan. */
  readonly onSaved: () => void;
}

/** How the project is maintained, and what happens by itself. */
export function SettingsPanel({ project, space, onSaved }: SettingsProps) {
  const settings = useQuery(
    trpc.getMaintenanceSettings.queryOptions({ project_id: project, team_id: space.teamId }),
  );
  return (
    <section className="panel" aria-labelledby="settings">
      <h2 className="panel-title" id="settings">
        Settings
      </h2>
      {settings.isPending && <Waiting what="the settings" />}
      {settings.isError && (
        <Failed what="The settings" error={settings.error} retry={() => void settings.refetch()} />
      )}
      {settings.data && (
        <>
          <Schedule settings={settings.data} />
          <SettingsForm
            key={settings.data.updated_at}
            settings={settings.data}
            project={project}
            space={space}
            onSaved={onSaved}
          />
        </>
      )}
    </section>
  );
}

function Schedule({ settings }: { readonly settings: Settings }) {
  const { next_run_at, suspended_reason, updated_at, updated_by } = settings;
  return (
    <>
      {suspended_reason !== null && (
        <div className="note" data-tone="warn">
          <Icon name="warn" />
          <p>
            <strong>Automatic runs are suspended:</strong> {suspended_reason} Save the settings again to run
            them with your access.
          </p>
        </div>
      )}
      <p className="soft">
        {next_run_at === null ? "Nothing runs automatically. " : "The next automatic run: "}
        {next_run_at !== null && <Time at={next_run_at} whole />}
        {updated_at !== null && (
          <>
            {" Set "}
            <Time at={updated_at} />
            {" by "}
            <bdi>{updated_by}</bdi>.
          </>
        )}
      </p>
    </>
  );
}

interface FormProps extends SettingsProps {
  readonly settings: Settings;
}

function SettingsForm({ settings, project, space, onSaved }: FormProps) {
  const [typed, setTyped] = useState<Partial<Record<Field, string>>>({});
  const [automatic, setAutomatic] = useState<readonly Action[]>(settings.automatic_actions);
  const queries = useQueryClient();
  const save = useMutation(
    trpc.updateMaintenanceSettings.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries();
        done("The settings were saved.");
        onSaved();
      },
    }),
  );
  const isLocked = !mayManage(space);
  const changed = Object.fromEntries(
    FIELDS.flatMap(([name]) => {
      const value = Number(typed[name] ?? settings[name]);
      return value === settings[name] ? [] : [[name, value]];
    }),
  );
  const hasOtherActions =
    automatic.length !== settings.automatic_actions.length ||
    automatic.some((action) => !settings.automatic_actions.includes(action));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({
      project_id: project,
      team_id: space.teamId,
      ...changed,
      ...(hasOtherActions || settings.suspended_reason !== null ? { automatic_actions: [...automatic] } : {}),
    });
  };
  return (
    <form onSubmit={submit} className="settings">
      {save.isError && <Failed what="Not saved" error={save.error} />}
      <fieldset disabled={isLocked}>
        <legend className="soft">What counts as due</legend>
        <div className="fields">
          {FIELDS.map(([name, label, unit, min, max, step]) => (
            <TextInput
              key={name}
              type="number"
              label={label}
              description={unit}
              required
              withAsterisk={false}
              {...{ min, max, step }}
              value={typed[name] ?? String(settings[name])}
              onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
            />
          ))}
        </div>
      </fieldset>
      <Checkbox.Group
        label="What runs automatically"
        value={[...automatic]}
        onChange={(names) => setAutomatic(ACTIONS.filter((action) => names.includes(action)))}
      >
        <div className="choices">
          {ACTIONS.map((action) => (
            <Checkbox
              key={action}
              value={action}
              disabled={isLocked}
              label={WORDS[action].title}
              description={
                WORDS[action].returns === "never"
                  ? `${WORDS[action].hint}. This cannot be undone.`
                  : WORDS[action].hint
              }
            />
          ))}
        </div>
      </Checkbox.Group>
      {isLocked ? (
        <p className="soft">{`Your role, ${space.role}, can only read here; owners and admins run maintenance.`}</p>
      ) : (
        <div className="acts">
          <Button
            type="submit"
            variant="default"
            loading={save.isPending}
            disabled={
              Object.keys(changed).length === 0 && !hasOtherActions && settings.suspended_reason === null
            }
          >
            Save the settings
          </Button>
          {settings.updated_at !== null && (
            <Button
              variant="subtle"
              onClick={() =>
                save.mutate({
                  project_id: project,
                  team_id: space.teamId,
                  ...Object.fromEntries(FIELDS.map(([name]) => [name, null])),
                  automatic_actions: null,
                })
              }
            >
              Back to the defaults
            </Button>
          )}
        </div>
      )}
    </form>
  );
}
