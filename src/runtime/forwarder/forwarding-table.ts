import { isObject, type JsonObject } from '../../base/json.ts';

/** The form of the table and of the reports; another form has another number. */
export const tableVersion = 1;

/**
 * The table of the forwarder: written by the manager as one file (a new file moved over the old one), read by the forwarder whenever
 * it changes and when it starts. It says all there is: who serves what, with which weight, and by which program.
 */
export interface ForwardingTable {
  readonly version: typeof tableVersion;
  /** Grows with each table. The forwarder says which one it has taken in. */
  readonly generation: number;
  /** Who shall forward. A forwarder that is another one starts it and hands its ports over. */
  readonly program: ForwarderProgram;
  readonly listeners: readonly Listener[];
}

/** A program that forwards: how it is started, and a digest of it, which tells it from others. */
export interface ForwarderProgram {
  readonly command: readonly string[];
  readonly digest: string;
}

/** One port of one Service. */
export interface Listener {
  /** `namespace/name:port`, the same for as long as the Service is there. */
  readonly id: string;
  readonly address: string;
  readonly port: number;
  /** `http`: requests are told apart. `tcp`: bytes. `auto`: the first bytes of the client tell. */
  readonly protocol: 'http' | 'tcp' | 'auto';
  /** Seconds that clients are sent to the same endpoint; without it, endpoints take turns. */
  readonly affinitySeconds?: number;
  readonly endpoints: readonly Endpoint[];
}

export interface Endpoint {
  /** Uid of the Pod, or address where there is none. */
  readonly id: string;
  readonly address: string;
  readonly port: number;
  /** The slice it belongs to, for weights and counts; '' where there is none. */
  readonly slice: string;
  /** Share of its slice of new requests, 0 to 100; without it slices count by their endpoints. */
  readonly weight?: number;
  /**
   * `serving` gets new requests; `leaving` gets them only where no other serves; `draining` finishes those it has.
   */
  readonly state: EndpointStanding;
}

export type EndpointStanding = 'serving' | 'leaving' | 'draining';

const protocols: readonly string[] = ['http', 'tcp', 'auto'] satisfies Listener['protocol'][];
const standings: readonly string[] = ['serving', 'leaving', 'draining'] satisfies EndpointStanding[];

/** The table in a text, or what is wrong with it. A forwarder goes on by the last good one. */
export function parseTable(text: string): ForwardingTable | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'the table is not JSON: it was cut off, or written by somebody else';
  }
  if (!isObject(value)) return 'the table is not an object';
  const { version, generation, program, listeners } = value;
  if (version !== tableVersion)
    return `the table is of version ${version}, and this program knows ${tableVersion}`;
  if (!Number.isSafeInteger(generation)) return 'the table has no generation';
  if (!isProgram(program)) return 'the table names no program';
  if (!Array.isArray(listeners)) return 'the table has no listeners';
  const bad = listeners.findIndex(one => !isListener(one));
  return bad < 0 ? (value as unknown as ForwardingTable) : `listener ${bad} of the table is incomplete`;
}

/**
 * The program that a table names, whatever else is in it: one written for another version names the program that understands it, and so
 * this field never changes.
 */
export function programIn(text: string): ForwarderProgram | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && isProgram(value['program']) ? value['program'] : undefined;
  } catch {
    return undefined;
  }
}

function isProgram(value: unknown): value is ForwarderProgram & JsonObject {
  return isObject(value) && isTexts(value['command']) && typeof value['digest'] === 'string';
}

function isListener(value: unknown): boolean {
  if (!isObject(value) || typeof value['id'] !== 'string' || !isPlace(value)) return false;
  const { protocol, affinitySeconds, endpoints } = value;
  const affinity = affinitySeconds === undefined || typeof affinitySeconds === 'number';
  return (
    protocols.includes(protocol as string) &&
    affinity &&
    Array.isArray(endpoints) &&
    endpoints.every(isEndpoint)
  );
}

function isEndpoint(value: unknown): boolean {
  if (!isObject(value) || typeof value['id'] !== 'string' || !isPlace(value)) return false;
  const { slice, weight, state } = value;
  const weighs = weight === undefined || (typeof weight === 'number' && weight >= 0);
  return typeof slice === 'string' && weighs && standings.includes(state as string);
}

function isPlace({ address, port }: { readonly [key: string]: unknown }): boolean {
  return typeof address === 'string' && Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string');
}
