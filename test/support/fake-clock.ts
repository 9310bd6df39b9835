import { vi } from "vitest";

const START = Date.parse("2031-01-01T00:00:00Z");

/** Time that passes only when it is told to. For services that are opened after this. */
export interface FakeClock {
  readonly now: number;
  /** The instant so many minutes from the start. */
  at(minutes: number): string;
  /** Lets time pass until so many minutes from the start. */
  goTo(minutes: number): void;
}

/** Dates alone are not real: whatever waits, waits as ever. */
export function fakeClock(): FakeClock {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  const instant = (minutes: number) => START + minutes * 60_000;
  return {
    get now() {
      return Date.now();
    },
    at: (minutes) => new Date(instant(minutes)).toISOString(),
    goTo: (minutes) => vi.setSystemTime(instant(minutes)),
  };
}
