import { readFileSync } from 'node:fs';

/** Who a process is, in a form that is never true of a later process with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from the start of the machine to the start of the process. */
  readonly started: string;
  /** Which start of the machine that was. */
  readonly boot: string;
}

/** What the kernel says of a process that is there. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly started: string;
  /** Has ended, and waits for its parent to take notice. */
  readonly isOver: boolean;
}

/** The form in which the shim writes an identity. A line that was cut off is none. */
export function parseIdentity(line: string): ProcessIdentity | undefined {
  const match = /^(\d+) (\d+) ([0-9a-f-]+)\n/.exec(line);
  const [, pid, started, boot] = match ?? [];
  return pid && started && boot ? { pid: Number(pid), started, boot } : undefined;
}

export function identityLine({ pid, started, boot }: ProcessIdentity): string {
  return `${pid} ${started} ${boot}\n`;
}

/** Tells one start of the machine from the next. */
export function bootOfMachine(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return boot;
}
let boot: string | undefined;

/** What the kernel says of a process; undefined when there is none of that id. */
export function factsOf(pid: number): ProcessFacts | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name of the program stands in brackets and may hold brackets and blanks itself: what follows is counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    pid,
    parent: Number(fields[1]),
    session: Number(fields[3]),
    started: fields[19] ?? '',
    isOver: fields[0] === 'Z' || fields[0] === 'X',
  };
}

/** The identity of a process that is there now. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const facts = factsOf(pid);
  return facts && { pid, started: facts.started, boot: bootOfMachine() };
}

/** Whether that very process still runs. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.boot !== bootOfMachine()) return false;
  const facts = factsOf(identity.pid);
  return facts !== undefined && facts.started === identity.started && !facts.isOver;
}

/** Sends a signal to that very process; false when it is over, or not ours to signal. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch {
    return false;
  }
}
