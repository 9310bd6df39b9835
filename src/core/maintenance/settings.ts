import {
  type MaintenanceAction,
  maintenanceDefaults,
  type SettingsPatch,
} from "../../contract/maintenance.ts";
import { fromWire, snakeCase, toWire } from "../memory/member-table.ts";

const HOUR_MS = 3_600_000;

/** The settings of a workspace's maintenance. */
export interface Settings {
  readonly staleAfterDays: number;
  /** The minimum cosine of duplicates. */
  readonly duplicateSimilarity: number;
  readonly completedRetentionDays: number;
  readonly purgeDeletedAfterDays: number;
  readonly automaticActions: readonly MaintenanceAction[];
  readonly scheduleHours: number;
}

export const defaultSettings = fromWire<Settings>(maintenanceDefaults);

const MEMBERS = Object.keys(defaultSettings) as (keyof Settings)[];

/** True if the change names at least one setting. */
export function namesSetting(patch: SettingsPatch): boolean {
  return MEMBERS.some((member) => patch[snakeCase(member)] !== undefined);
}

/** The settings after a change. null resets a member to its default; members that are not given stay the same. */
export function patched(before: Settings | null, patch: SettingsPatch): Settings {
  return settingsOf((member) => {
    const given = patch[snakeCase(member)];
    return given === undefined && before ? before[member] : (given ?? defaultSettings[member]);
  });
}

/** The settings under their names in the contract. */
export function namedSettings(settings: Settings) {
  return toWire(settingsOf((member) => settings[member]));
}

function settingsOf(read: (member: keyof Settings) => unknown): Settings {
  return Object.fromEntries(MEMBERS.map((member) => [member, read(member)])) as unknown as Settings;
}

/** When the next run is due after one at that time. */
export function runAfter({ scheduleHours }: Settings, at: number): number {
  return at + scheduleHours * HOUR_MS;
}
