import { jobType } from '../object/workload-kinds.ts';
import { templateFor, type WorkloadWorld } from './workload-world.contract.ts';

/** A Job that runs Pods of the story; one Pod once, unless the spec says otherwise. */
export function makeJob(world: WorkloadWorld, spec: object = {}, pod: object = {}) {
  const template = templateFor(world.labels, { restartPolicy: 'Never', ...pod });
  return world.create(jobType, { template, ...spec });
}

/** The Pods that are still at it, once there are so many. */
export function atWork(world: WorkloadWorld, number: number) {
  return world.until(`${number} Pods at work`, async () => {
    const pods = (await world.livePods()).filter(pod => !/Succeeded|Failed/.test(pod.status?.phase ?? ''));
    return pods.length === number ? pods : undefined;
  });
}

/** All that are at it end with that exit code. */
export async function finishAll(world: WorkloadWorld, number: number, exitCode = 0) {
  for (const pod of await atWork(world, number)) await world.finish(pod, exitCode);
}
