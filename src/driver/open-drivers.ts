import { group } from '../api/group.ts';
import { claimDriver } from './claim-driver.ts';
import { commandDriver } from './command-driver.ts';
import { conditionDriver } from './condition-driver.ts';
import { cronJobDriver } from './cron-job-driver.ts';
import { daemonSetDriver } from './daemon-set-driver.ts';
import { definitionDriver } from './definition-driver.ts';
import { deploymentDriver } from './deployment-driver.ts';
import type { Driver, Drivers } from './driver.ts';
import type { DriverParts } from './driver-parts.ts';
import { jobDriver } from './job-driver.ts';
import { podDriver } from './pod-driver.ts';
import { statefulSetDriver } from './stateful-set-driver.ts';
import { workflowDriver } from './workflow-driver.ts';

/** The kinds that have a driver of their own. */
export const drivenKinds = [
  ...(['Job', 'Pod', 'Deployment', 'StatefulSet', 'DaemonSet', 'CronJob'] as const),
  ...(['PersistentVolumeClaim', 'CustomResourceDefinition', 'Command', 'Workflow'] as const),
] as const;
type DrivenKind = (typeof drivenKinds)[number];

/** A kind of the same name in another group is another kind. */
const groups: Readonly<Record<DrivenKind, string>> = {
  Job: 'batch',
  Pod: '',
  Deployment: 'apps',
  StatefulSet: 'apps',
  DaemonSet: 'apps',
  CronJob: 'batch',
  PersistentVolumeClaim: '',
  CustomResourceDefinition: 'apiextensions.k8s.io',
  Command: group,
  Workflow: 'argoproj.io',
};

/** A driver for every kind: those of the table, and one for all others, which goes by annotations and conditions. */
export function openDrivers(parts: DriverParts): Drivers {
  const jobs = jobDriver(parts);
  const table: Readonly<Record<DrivenKind, Driver>> = {
    Job: jobs,
    Pod: podDriver(parts),
    Deployment: deploymentDriver(parts),
    StatefulSet: statefulSetDriver(parts),
    DaemonSet: daemonSetDriver(parts),
    CronJob: cronJobDriver(parts),
    PersistentVolumeClaim: claimDriver(parts),
    CustomResourceDefinition: definitionDriver(parts),
    Command: commandDriver(jobs),
    Workflow: workflowDriver(parts),
  };
  const others = conditionDriver(parts);
  return {
    for({ apiVersion, kind }) {
      const of = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
      const driven = drivenKinds.find(one => one === kind && groups[one] === of);
      return driven === undefined ? others : table[driven];
    },
  };
}
