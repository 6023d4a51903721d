import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Server } from 'node:net';
import type { Forwarder, HandedPorts } from './forwarder.ts';
import type { ForwarderFiles } from './forwarder-files.ts';
import type { ForwarderProgram } from './forwarding-table.ts';
import { HandedPort } from './handed-port.ts';

/** The word at the end of the command line that tells a forwarder to ask its parent for ports. */
export const takeOverWord = 'take-over';

/** Between the forwarder that leaves, which is the parent, and the one that comes. */
type Message =
  /** The new one listens to what it is told. A port that came earlier would accept connections nobody sees. */
  | { readonly is: 'ready' }
  | { readonly is: 'port'; readonly key: string }
  /** All ports were handed over; `from` is who gives them. */
  | { readonly is: 'all'; readonly from: string }
  | { readonly is: 'taken' };

/** A start that takes longer than this is called off. */
const startMilliseconds = 20_000;

/**
 * Starts another program in our place and hands it the ports. Both accept for a moment, and no connection is lost: the socket that
 * listens is one and the same. True when the other one has taken over; it goes on when we end.
 */
export async function handOver(
  forwarder: Forwarder,
  files: ForwarderFiles,
  program: ForwarderProgram,
  identity: string,
): Promise<boolean> {
  const child = startDetached(program, files, takeOverWord);
  const over = ended(child);
  try {
    if (!(await Promise.race([hears(child, 'ready'), over]))) return false;
    for (const { key, server } of forwarder.ports()) tell(child, { is: 'port', key }, server);
    tell(child, { is: 'all', from: identity });
    return await Promise.race([hears(child, 'taken'), over]);
  } finally {
    child.unref();
  }
}

/** Starts a forwarder that outlives us; what it says goes to its log. */
export function startDetached(program: ForwarderProgram, files: ForwarderFiles, word?: string): ChildProcess {
  const [command = '', ...words] = program.command;
  const log = openSync(files.log, 'a', 0o600);
  try {
    return spawn(command, word === undefined ? words : [...words, word], {
      detached: true,
      cwd: '/', // it may run for months: no folder is held
      stdio: word === undefined ? ['ignore', log, log] : ['ignore', log, log, 'ipc'],
    });
  } finally {
    closeSync(log); // the child has its own
  }
}

/** The other side: everything the parent hands over, and who it is. */
export function receivePorts(): Promise<{ readonly ports: HandedPorts; readonly from: string | undefined }> {
  const ports = new Map<string, HandedPort>();
  return new Promise(resolve => {
    process.on('message', (message: Message, handle: unknown) => {
      if (message.is === 'port') ports.set(message.key, new HandedPort(handle as Server));
      else if (message.is === 'all') resolve({ ports, from: message.from });
    });
    process.send?.({ is: 'ready' } satisfies Message);
    // The parent is gone: its ports are free, or here already.
    process.once('disconnect', () => resolve({ ports, from: undefined }));
  });
}

/** Tells the parent that we forward now, and lets it go. */
export function tellTaken(): void {
  if (process.connected) process.send?.({ is: 'taken' } satisfies Message, () => process.disconnect?.());
}

function tell(child: ChildProcess, message: Message, server?: Server): void {
  if (child.connected) child.send(message, server, () => {}); // a child that is gone is noticed by its end
}

function hears(child: ChildProcess, word: Message['is']): Promise<true> {
  return new Promise(resolve => {
    child.on('message', (message: Message) => {
      if (message.is === word) resolve(true);
    });
  });
}

/** It ended, could not be started, or did nothing in time. */
function ended(child: ChildProcess): Promise<false> {
  return new Promise(resolve => {
    const timer = setTimeout(() => child.kill('SIGKILL'), startMilliseconds);
    const end = () => {
      clearTimeout(timer);
      resolve(false);
    };
    child.once('exit', end).once('error', end);
    void hears(child, 'taken').then(() => clearTimeout(timer));
  });
}
