import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../../base/coded-error.ts';
import { digestBytes } from '../../base/digest.ts';
import { isObject } from '../../base/json.ts';
import type { IsolationKind } from '../container/containers.ts';

/** The addresses of one state folder: the first half is for Pods, the second for Services. */
export interface AddressRange {
  readonly kind: IsolationKind;
  /** Which part of the whole this folder has; no other folder of the machine has the same. */
  readonly slot: number;
}

/** Part of a range, from a first address on. */
export interface Addresses {
  readonly first: number;
  readonly count: number;
  /** As routes are written: `127.16.128.0/17`. */
  readonly cidr: string;
}

/** The whole of which each folder has a slot: carrier-grade addresses, that no public host has, or the loopback ones. */
const wholes = {
  namespaces: { first: addressNumber('100.64.0.0'), prefix: 18, slots: 256 },
  // Below 16 and above 250 are addresses that people choose by hand.
  loopback: { first: addressNumber('127.16.0.0'), prefix: 16, slots: 235 },
} as const satisfies Record<IsolationKind, { first: number; prefix: number; slots: number }>;

export function wholeRange({ kind, slot }: AddressRange): Addresses {
  const { first, prefix } = wholes[kind];
  return addresses(first + slot * 2 ** (32 - prefix), prefix);
}

/** Addresses for Pods. The first is the machine's own where Pods have a network. */
export function podRange(range: AddressRange): Addresses {
  return addresses(wholeRange(range).first, wholes[range.kind].prefix + 1);
}

/** Addresses for Services: the machine may listen on every one of them, and Pods reach it there. */
export function serviceRange(range: AddressRange): Addresses {
  const { first, count } = wholeRange(range);
  return addresses(first + count / 2, wholes[range.kind].prefix + 1);
}

function addresses(first: number, prefix: number): Addresses {
  return { first, count: 2 ** (32 - prefix), cidr: `${addressText(first)}/${prefix}` };
}

export function addressText(number: number): string {
  return [24, 16, 8, 0].map(shift => (number >>> shift) & 255).join('.');
}

export function addressNumber(text: string): number {
  return text.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

/** Whether two parts share an address. */
export function overlap(
  one: Pick<Addresses, 'first' | 'count'>,
  other: Pick<Addresses, 'first' | 'count'>,
): boolean {
  return one.first < other.first + other.count && other.first < one.first + one.count;
}

/**
 * The range of a state folder: the one written down there, or one that nobody uses, which is then written down. Where to begin looking
 * comes from the folder's real path, so that folders made at the same time do not choose the same.
 */
export async function rangeOf(
  stateFolder: string,
  kind: IsolationKind,
  isFree: (range: AddressRange) => boolean,
): Promise<AddressRange> {
  await mkdir(stateFolder, { recursive: true });
  const file = join(stateFolder, `addresses-${kind}.json`);
  const known = readSlot(file);
  if (known !== undefined) return { kind, slot: known };
  const { slots } = wholes[kind];
  const begin = Number.parseInt(digestBytes(await realpath(stateFolder)).slice(-8), 16) % slots;
  for (let step = 0; step < slots; step++) {
    const range = { kind, slot: (begin + step) % slots };
    if (!isFree(range)) continue;
    writeFileSync(file, `${JSON.stringify({ slot: range.slot })}\n`);
    return range;
  }
  throw new CodedError('AddressesExhausted', `all ${slots} ranges of addresses are in use on this machine`);
}

function readSlot(file: string): number | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) && Number.isInteger(value['slot']) ? Number(value['slot']) : undefined;
  } catch {
    return undefined;
  }
}
