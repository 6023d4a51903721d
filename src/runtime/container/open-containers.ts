import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../../base/coded-error.ts';
import { digestBytes, shortDigest } from '../../base/digest.ts';
import { type Clock, systemClock } from '../../cluster/clock.ts';
import type { AddressRange } from '../isolation/address-range.ts';
import type { Isolation } from '../isolation/isolation.ts';
import { LoopbackIsolation, loopbackRange } from '../isolation/loopback/loopback-isolation.ts';
import { namespaceRange } from '../isolation/namespaces/bridge.ts';
import { NamespacesIsolation } from '../isolation/namespaces/namespaces-isolation.ts';
import { whyNoNamespaces } from '../isolation/namespaces/probe-namespaces.ts';
import type { IsolationKind } from './containers.ts';
import { inFolder } from './disk-full.ts';
import { type LogLimits, usualLogLimits } from './log/rotate-log.ts';
import { ProcessContainers } from './process-containers.ts';
import { PodStore } from './run/pod-store.ts';
import { shimScript } from './shim/shim-script.ts';
import { stateIdOf } from './state-identity.ts';

export interface OpenContainersOptions {
  /** Everything is kept here. Nobody else manages the same folder at the same time. */
  readonly stateFolder: string;
  /** Without it: what the folder was begun with, or the better one that can be had. */
  readonly isolation?: IsolationKind;
  readonly clock?: Clock;
  readonly logLimits?: LogLimits;
  /** How often everything is looked at, beside notices. */
  readonly pollMilliseconds?: number;
  readonly patienceMilliseconds?: number;
  /** Everything is to be ended: nothing can be started, and no room on the disk is needed. */
  readonly toTakeDown?: boolean;
  /** Told of what went wrong without anybody having asked for it. */
  readonly onTrouble?: (doing: string, error: unknown) => void;
}

/**
 * Containers over a state folder, which is made if it is not there. `adopt` is to be called next.
 * Throws `IsolationUnavailable` when what is asked for cannot be had here, with the reason, and `StateFolderMoved` when what runs belongs
 * to the folder in another place; nothing was touched then.
 */
export function openContainers(options: OpenContainersOptions): Promise<ProcessContainers> {
  return inFolder(open(options));
}

async function open(options: OpenContainersOptions): Promise<ProcessContainers> {
  await mkdir(join(options.stateFolder, 'pods'), { recursive: true, mode: 0o711 });
  await mkdir(join(options.stateFolder, 'events'), { recursive: true, mode: 0o711 });
  const stateFolder = await realpath(options.stateFolder);
  const stateId = stateIdOf(stateFolder);
  const kind = await chooseKind(stateFolder, options);
  const { isolation, range } = await isolationOf(stateFolder, kind);
  return new ProcessContainers({
    stateFolder,
    stateId,
    isolation,
    range,
    clock: options.clock ?? systemClock,
    shim: options.toTakeDown ? '' : writeShim(stateFolder),
    logLimits: options.logLimits ?? usualLogLimits,
    pollMilliseconds: options.pollMilliseconds ?? 2000,
    patienceMilliseconds: options.patienceMilliseconds ?? 10_000,
    toTakeDown: options.toTakeDown ?? false,
    onTrouble: options.onTrouble ?? (() => {}),
  });
}

async function chooseKind(
  stateFolder: string,
  { isolation: wanted, toTakeDown }: OpenContainersOptions,
): Promise<IsolationKind> {
  const file = join(stateFolder, 'isolation');
  const begun = kindIn(file);
  const hasPods = new PodStore(stateFolder).uids().length > 0;
  if (hasPods && begun && wanted && wanted !== begun) {
    throw new CodedError(
      'IsolationUnavailable',
      `the Pods of this folder have ${begun}; close them before another choice`,
    );
  }
  const asked = wanted ?? begun;
  const reason = asked === 'loopback' ? undefined : await whyNoNamespaces();
  if (reason !== undefined && asked === 'namespaces') throw new CodedError('IsolationUnavailable', reason);
  const kind = asked ?? (reason === undefined ? 'namespaces' : 'loopback');
  // Not written for nothing: on a full disk it could not be.
  if (kind !== begun && !toTakeDown) writeFileSync(file, `${kind}\n`);
  return kind;
}

function kindIn(file: string): IsolationKind | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return text === 'namespaces' || text === 'loopback' ? text : undefined;
  } catch {
    return undefined;
  }
}

async function isolationOf(
  stateFolder: string,
  kind: IsolationKind,
): Promise<{ readonly isolation: Isolation; readonly range: AddressRange }> {
  if (kind === 'loopback') {
    const range = await loopbackRange(stateFolder);
    return { isolation: new LoopbackIsolation(range), range };
  }
  const range = await namespaceRange(stateFolder);
  return { isolation: new NamespacesIsolation(stateFolder, range), range };
}

/** Named after its content: the shims of an older version go on reading theirs. */
function writeShim(stateFolder: string): string {
  const folder = join(stateFolder, 'shim');
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const file = join(folder, shortDigest(digestBytes(shimScript)));
  // Not written for nothing: the disk may be full.
  if (existsSync(file) && readFileSync(file, 'utf8') === shimScript) return file;
  writeFileSync(`${file}.new`, shimScript, { mode: 0o644 });
  renameSync(`${file}.new`, file);
  return file;
}
