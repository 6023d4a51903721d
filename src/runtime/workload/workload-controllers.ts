/**
 * Workloads: what the controller manager of a cluster does for Deployments, Jobs and the like.
 *
 * In: the objects of a cluster, as informers know them. Out: Pods and what stands between, statuses, Events. Never: looks at a
 * process, sleeps, or remembers anything that the objects do not say.
 */
import type { Clock } from '../../cluster/clock.ts';
import type { Controller, Reconciling } from '../../reconcile/reconcile.ts';
import { cronJobs } from './cronjob/cron-job-controller.ts';
import { daemonSets } from './daemonset/daemon-set-controller.ts';
import { deployments } from './deployment/deployment-controller.ts';
import { jobs } from './job/job-controller.ts';
import { replicaSets } from './replicaset/replica-set-controller.ts';
import { runWorkload } from './run/run-workload.ts';
import { statefulSets } from './statefulset/stateful-set-controller.ts';

/**
 * One controller for each kind of workload. Asks for the informers that they need, so call it before `reconciling.start()`, and
 * hand the controllers to `reconciling.run` after it.
 */
export function workloadControllers(reconciling: Reconciling, clock: Clock): readonly Controller[] {
  return [
    runWorkload(replicaSets, reconciling, clock),
    runWorkload(deployments, reconciling, clock),
    runWorkload(statefulSets, reconciling, clock),
    runWorkload(daemonSets, reconciling, clock),
    runWorkload(jobs, reconciling, clock),
    runWorkload(cronJobs, reconciling, clock),
  ];
}
