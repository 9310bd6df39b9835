import {
  type MaintenanceAction,
  maintenanceDefaults,
  type SettingsPatch,
} from "../../contract/maintenance.ts";

const HOUR_MS = 3_600_000;

/** The settings of a workspace's maintenance. */
export interface Settings {
  readonly staleAfterDays: number;
  /** The least cosine of duplicates. */
  readonly duplicateSimilarity: number;
  readonly completedRetentionDays: number;
  readonly purgeDeletedAfterDays: number;
  readonly automaticActions: readonly MaintenanceAction[];
  readonly scheduleHours: number;
}

/** Each setting with its name in the contract. */
const NAMES = {
  staleAfterDays: "stale_after_days",
  duplicateSimilarity: "duplicate_similarity",
  completedRetentionDays: "completed_retention_days",
  purgeDeletedAfterDays: "purge_deleted_after_days",
  automaticActions: "automatic_actions",
  scheduleHours: "schedule_hours",
} as const satisfies Record<keyof Settings, keyof SettingsPatch>;

export const defaultSettings = patched(null, {});

/** True where the change names at least one setting. */
export function namesSetting(patch: SettingsPatch): boolean {
  return Object.values(NAMES).some((name) => patch[name] !== undefined);
}

/** The settings after a change: null brings the default back, what is not given stays. */
export function patched(before: Settings | null, patch: SettingsPatch): Settings {
  const entries = Object.entries(NAMES) as [keyof Settings, keyof SettingsPatch][];
  return Object.fromEntries(
    entries.map(([member, name]) => {
      const given = patch[name];
      return [member, given === undefined && before ? before[member] : (given ?? maintenanceDefaults[name])];
    }),
  ) as unknown as Settings;
}

/** The settings as the contract names them. */
export function namedSettings(settings: Settings) {
  return {
    stale_after_days: settings.staleAfterDays,
    duplicate_similarity: settings.duplicateSimilarity,
    completed_retention_days: settings.completedRetentionDays,
    purge_deleted_after_days: settings.purgeDeletedAfterDays,
    automatic_actions: [...settings.automaticActions],
    schedule_hours: settings.scheduleHours,
  };
}

/** When the run after one at that time is due. */
export function runAfter({ scheduleHours }: Settings, at: number): number {
  return at + scheduleHours * HOUR_MS;
}
