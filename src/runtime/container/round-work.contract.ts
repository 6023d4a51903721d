import { join } from 'node:path';
import type { ContainerSpec } from './containers.ts';

/** Jobs of a round that end by themselves, with a code of their own; one more is killed. */
export const jobsPerRound = 3;

/** The work of one round, the same whoever asks for it. Each program writes into the ledger that it ran. */
export function workOf(round: number, stateFolder: string): ContainerSpec[] {
  const job = (index: number, script: string): ContainerSpec => ({
    podUid: `round-${round}`,
    name: `job-${index}`,
    attempt: 0,
    command: ['/bin/sh', '-c', `echo ${round}/${index} >>${join(stateFolder, 'ledger')}; ${script}`],
    env: {},
    mounts: [],
  });
  const ending = Array.from({ length: jobsPerRound }, (_, index) =>
    job(index, `sleep 0.0${index}; exit ${codeOf(round, index)}`),
  );
  return [...ending, job(jobsPerRound, 'setsid sleep 1000 & sleep 1000')];
}

/** The exit code by which a job is told from others. */
export function codeOf(round: number, index: number): number {
  return index === jobsPerRound ? 137 : 1 + ((round * jobsPerRound + index) % 100);
}
