import { readdirSync } from 'node:fs';
import { CodedError } from '../../../base/coded-error.ts';
import { digestBytes } from '../../../base/digest.ts';
import { isObject } from '../../../base/json.ts';
import {
  type AddressRange,
  addressNumber,
  addressText,
  overlap,
  podRange,
  rangeOf,
  serviceRange,
  wholeRange,
} from '../address-range.ts';
import { runProgram } from './run-program.ts';

/** The bridge of a state folder: the machine's end of the network of its Pods. */
export interface Bridge {
  readonly name: string;
  /** Comes from the folder: tells our bridge from another one of the same name. */
  readonly hardwareAddress: string;
  readonly ip: string;
  readonly prefix: string;
}

export function bridgeOf(stateFolder: string, range: AddressRange): Bridge {
  const { first, cidr } = podRange(range);
  const bytes = digestBytes(stateFolder).slice(-10).match(/../g) ?? [];
  return {
    name: `afl${range.slot}`,
    hardwareAddress: ['02', ...bytes].join(':'),
    ip: addressText(first + 1),
    prefix: cidr.split('/')[1] ?? '',
  };
}

/** The machine's end of a Pod's connection. Named after the address, which no other Pod has. */
export function linkName(range: AddressRange, ip: string): string {
  return `afl${range.slot}v${addressNumber(ip) - podRange(range).first}`;
}

/**
 * The hardware address of a Pod's end. Comes from its address: whoever still remembers the Pod that had the address before reaches
 * the new one.
 */
export function podHardwareAddress(ip: string): string {
  const bytes = ip.split('.').map(part => Number(part).toString(16).padStart(2, '0'));
  return ['02', 'af', ...bytes].join(':');
}

/** Names of the connections that the machine has in a range. */
export function linksOf(range: AddressRange): string[] {
  return readdirSync('/sys/class/net').filter(name => name.startsWith(`afl${range.slot}v`));
}

/** Makes the bridge and the route for Services, or makes them whole. */
export async function openBridge(bridge: Bridge, range: AddressRange): Promise<void> {
  const there = await list('ip', '-j', 'link', 'show', 'type', 'bridge');
  const same = there.find(link => link['ifname'] === bridge.name);
  if (same && same['address'] !== bridge.hardwareAddress) {
    throw new CodedError('PodNetworkFailed', `the bridge ${bridge.name} belongs to another state folder`);
  }
  const { code, stderr } = await runProgram(
    ['ip', '-batch', '-'],
    [
      ...(same ? [] : [`link add ${bridge.name} address ${bridge.hardwareAddress} type bridge`]),
      `addr replace ${bridge.ip}/${bridge.prefix} dev ${bridge.name}`,
      `link set ${bridge.name} up`,
      // The machine answers for all of them, so that whoever forwards can listen on any.
      `route replace local ${serviceRange(range).cidr} dev lo`,
      ...(same ? [] : linksOf(range).map(name => `link set ${name} master ${bridge.name} up`)),
      '',
    ].join('\n'),
  );
  if (code !== 0)
    throw new CodedError('PodNetworkFailed', `the bridge ${bridge.name} cannot be made: ${stderr}`);
}

/** Takes the bridge, the route and whatever connections are left away. */
export async function removeBridge(bridge: Bridge, range: AddressRange): Promise<void> {
  const lines = [
    ...linksOf(range).map(name => `link del ${name}`),
    `route del local ${serviceRange(range).cidr} dev lo`,
    `link del ${bridge.name}`,
    '',
  ];
  // Whatever is gone already makes a line fail; what counts is what is left.
  await runProgram(['ip', '-force', '-batch', '-'], lines.join('\n'));
  const left = [bridge.name, ...linksOf(range)].filter(name => readdirSync('/sys/class/net').includes(name));
  if (left.length > 0)
    throw new CodedError('PodNetworkFailed', `cannot be removed: ${left.join(', ')}`, { details: { left } });
}

/** The range of a state folder for Pods with a network: one that no address and no route of the machine touches. */
export async function namespaceRange(stateFolder: string): Promise<AddressRange> {
  const routes = await list('ip', '-j', '-4', 'route', 'show', 'table', 'all');
  const links = new Set((await list('ip', '-j', 'link')).map(link => link['ifname']));
  const used = routes.flatMap(route => partOf(String(route['dst'] ?? '')));
  return rangeOf(stateFolder, 'namespaces', range => {
    const isTouched = used.some(part => overlap(part, wholeRange(range)));
    return !isTouched && !links.has(bridgeOf(stateFolder, range).name);
  });
}

function partOf(cidr: string): { first: number; count: number }[] {
  const match = /^(\d+\.\d+\.\d+\.\d+)(?:\/(\d+))?$/.exec(cidr);
  const [, first, prefix = '32'] = match ?? [];
  return first ? [{ first: addressNumber(first), count: 2 ** (32 - Number(prefix)) }] : [];
}

async function list(...command: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await runProgram(command);
  if (code !== 0) throw new CodedError('PodNetworkFailed', `${command.join(' ')}: ${stderr}`);
  const value: unknown = JSON.parse(stdout || '[]');
  return Array.isArray(value) ? value.filter(isObject) : [];
}
