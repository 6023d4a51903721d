import { isObject, type JsonObject } from '../../base/json.ts';
import { type EndpointStanding, tableVersion } from './forwarding-table.ts';

/** What a forwarder reports: one file it replaces when something changed. */
export interface ForwarderReport {
  readonly version: number;
  /** Who it is, as in its claim. */
  readonly identity: string;
  /** Digest of the program it is. */
  readonly program: string;
  /** The table it goes by; -1 before the first. */
  readonly generation: number;
  /** It handed its ports over, and ends with its last connection. */
  readonly retired: boolean;
  /** What keeps it from doing all that the table says, beside what listeners say. */
  readonly problems: readonly string[];
  readonly listeners: readonly ListenerReport[];
}

export interface ListenerReport {
  readonly id: string;
  /** Why it does not listen, where it does not. */
  readonly problem?: string;
  /** Connections and requests that no endpoint could be found for. */
  readonly unserved: number;
  readonly endpoints: readonly EndpointReport[];
  /** By slice, also of endpoints that are gone. */
  readonly slices: Readonly<Record<string, Counts>>;
}

/** Counts since the forwarder began. */
export interface Counts {
  readonly requests: number;
  /** Answers of 500 and above, and connections cut before the answer was whole. */
  readonly errors: number;
  /** Connects that failed; the request went to another endpoint where there was one. */
  readonly refused: number;
}

/** Endpoints that left the table are reported until their last request is done. */
export interface EndpointReport extends Counts {
  readonly id: string;
  readonly slice: string;
  readonly state: EndpointStanding;
  /** Requests (or connections, for tcp) that are going on now. 0 of a draining endpoint: it is drained. */
  readonly inFlight: number;
}

/** What is known of a report of any version. */
export type AnyReport = Pick<ForwarderReport, 'version' | 'identity'>;

/** The report in a text, a `ForwarderReport` where it is of our version; undefined where the text is none, or cut off. */
export function parseReport(text: string): ForwarderReport | AnyReport | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { version, identity, generation, listeners } = value;
  if (typeof version !== 'number' || typeof identity !== 'string') return undefined;
  if (version !== tableVersion) return { version, identity };
  const isWhole =
    Number.isSafeInteger(generation) && Array.isArray(listeners) && listeners.every(isListenerReport);
  return isWhole ? (value as unknown as ForwarderReport) : undefined;
}

function isListenerReport(value: unknown): boolean {
  if (!isObject(value) || typeof value['id'] !== 'string') return false;
  const { endpoints, slices } = value;
  return (
    Array.isArray(endpoints) &&
    endpoints.every(one => isCounts(one) && typeof one['inFlight'] === 'number') &&
    isObject(slices) &&
    Object.values(slices).every(isCounts)
  );
}

function isCounts(value: unknown): value is JsonObject {
  return isObject(value) && ['requests', 'errors', 'refused'].every(key => typeof value[key] === 'number');
}
