import { readdirSync, readFileSync } from 'node:fs';
import { factsOf, type ProcessFacts, type ProcessIdentity } from './process-identity.ts';

/** The unit of start times, the same on every Linux. */
const ticksPerSecond = 100;
const unreadable = '\0\0';
/** The process that all processes of the kernel come from. */
const kernelParent = 2;
/** More than a machine manages. */
const mostForksPerSecond = 20_000;

/** Which processes belong together: by a variable that all of them inherit, by session, or by birth. */
export interface ProcessFamily {
  /** A whole entry of the environment, such as `NAME=value`. */
  readonly mark: string;
  /** The leader of their session, as long as that number is known to be theirs. */
  readonly leader?: number;
  /** The first of the family: all others are younger, and only those need to be looked at. */
  readonly since?: Pick<ProcessIdentity, 'pid' | 'started'>;
  /** One of the family that is to be left alone. */
  readonly except?: number;
}

/** What one look found. */
export interface Look {
  /** The processes of each family, in the order in which the families were named. */
  readonly members: readonly (readonly ProcessFacts[])[];
  /** A process came or went while it was looked at: it may have left a child that was not seen. */
  readonly isUnsure: boolean;
}

/**
 * The processes of each family that run now. One look at the machine for all: with a thousand processes a look costs milliseconds.
 * A child that changed its environment is found by its session, or by the one that started it as long as that one runs.
 */
export function lookForProcesses(families: readonly ProcessFamily[]): Look {
  const there = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  const pids = there.map(Number).filter(windowOf(families));
  const seen = pids
    .flatMap(pid => factsOf(pid) ?? [])
    .filter(facts => facts.pid !== process.pid)
    .map(facts => ({ facts, environment: facts.isOver ? '' : environmentOf(facts.pid) }));
  const alive = seen.filter(({ facts }) => !facts.isOver);
  return {
    members: families.map(family => membersOf(family, alive)),
    isUnsure:
      seen.length < pids.length - 1 || alive.some(({ facts, environment }) => isChanging(facts, environment)),
  };
}

/** A process that is just becoming another program has no environment for a moment. Those of the kernel never have one. */
function isChanging({ parent, pid }: ProcessFacts, environment: string): boolean {
  return environment === '' && parent !== kernelParent && pid !== kernelParent;
}

interface SeenProcess {
  readonly facts: ProcessFacts;
  readonly environment: string;
}

function membersOf(family: ProcessFamily, alive: readonly SeenProcess[]): ProcessFacts[] {
  const { except, leader, mark, since } = family;
  // Its number with another start time is another process, and so is its session.
  const isReused = alive.some(
    ({ facts }) => facts.pid === leader && since && facts.started !== since.started,
  );
  const members = new Set<number>();
  for (const { facts, environment } of alive) {
    const isOfSession = !isReused && facts.session === leader;
    if (isOfSession || environment.includes(`\0${mark}\0`)) members.add(facts.pid);
  }
  for (let before = 0; before < members.size; ) {
    before = members.size;
    for (const { facts } of alive) if (members.has(facts.parent)) members.add(facts.pid);
  }
  if (except !== undefined) members.delete(except);
  return alive.filter(({ facts }) => members.has(facts.pid)).map(({ facts }) => facts);
}

/** How long the number of a process that ended cannot have become another's. */
export function numberIsSafeSeconds(): number {
  return Number(textOf('/proc/sys/kernel/pid_max')) / mostForksPerSecond;
}

/** With a zero byte before and after each entry. One that may not be read is not ours, and one that is gone is not there. */
function environmentOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/environ`, 'latin1');
    return text === '' ? '' : `\0${text}\0`;
  } catch {
    return unreadable;
  }
}

/**
 * Which numbers a family can have. They are given out in order and begin again at the end, so between its first and the last that
 * was given out, unless so much time has passed that all may have been given out since.
 */
function windowOf(families: readonly ProcessFamily[]): (pid: number) => boolean {
  const last = Number(textOf('/proc/loadavg').trim().split(' ').at(-1));
  const ticks = Number(textOf('/proc/uptime').split(' ')[0]) * ticksPerSecond;
  const safeSeconds = numberIsSafeSeconds();
  const firsts = families.map(({ since }) => {
    const ageSeconds = since ? (ticks - Number(since.started)) / ticksPerSecond : Infinity;
    return since && ageSeconds < safeSeconds ? since.pid : undefined;
  });
  return pid =>
    firsts.some(first => {
      if (first === undefined) return true;
      return first <= last ? pid >= first && pid <= last : pid >= first || pid <= last;
    });
}

function textOf(file: string): string {
  return readFileSync(file, 'utf8');
}
