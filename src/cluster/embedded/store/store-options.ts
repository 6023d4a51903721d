import { type Clock, systemClock } from '../../clock.ts';

/** How a store is kept. Everything has a default that suits one machine. */
export interface StoreOptions {
  readonly clock?: Clock;
  /** How many changes a watch may lie behind before it must list again. */
  readonly historyEvents?: number;
  /** How many bytes of JSON the changes kept for watches may hold together. */
  readonly historyBytes?: number;
  /** After how long a change is no longer kept for watches. */
  readonly historySeconds?: number;
  /** How long an Event lives after it was last written. */
  readonly eventSeconds?: number;
  /** How often a watch is told how far it has come. */
  readonly bookmarkSeconds?: number;
  /** How often history and Events are looked through for what is too old. */
  readonly upkeepSeconds?: number;
  /** Told of what went wrong in work that nobody waits for, such as collecting garbage. A warning of the process by default. */
  readonly onTrouble?: (error: unknown) => void;
  /** The most pages the file may have: a limit of our own on the room it takes. */
  readonly maxPages?: number;
}

/** Options with every default filled in, but for `maxPages`, which has none. */
export type StoreSettings = Required<Omit<StoreOptions, 'maxPages'>> & Pick<StoreOptions, 'maxPages'>;

export function settingsOf(options: StoreOptions): StoreSettings {
  return {
    clock: systemClock,
    historyEvents: 10_000,
    historyBytes: 64 * 1024 * 1024,
    historySeconds: 3600,
    eventSeconds: 3600,
    bookmarkSeconds: 60,
    upkeepSeconds: 10,
    onTrouble: error => process.emitWarning(error instanceof Error ? error : String(error)),
    ...options,
  };
}
