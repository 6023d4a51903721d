import type { ObjectType } from '../../../cluster/cluster.ts';

/** The kinds that the controllers of workloads know. */
export const podType: ObjectType = { apiVersion: 'v1', kind: 'Pod' };
export const nodeType: ObjectType = { apiVersion: 'v1', kind: 'Node' };
export const claimType: ObjectType = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
export const replicaSetType: ObjectType = { apiVersion: 'apps/v1', kind: 'ReplicaSet' };
export const deploymentType: ObjectType = { apiVersion: 'apps/v1', kind: 'Deployment' };
export const statefulSetType: ObjectType = { apiVersion: 'apps/v1', kind: 'StatefulSet' };
export const daemonSetType: ObjectType = { apiVersion: 'apps/v1', kind: 'DaemonSet' };
export const revisionType: ObjectType = { apiVersion: 'apps/v1', kind: 'ControllerRevision' };
export const jobType: ObjectType = { apiVersion: 'batch/v1', kind: 'Job' };
export const cronJobType: ObjectType = { apiVersion: 'batch/v1', kind: 'CronJob' };
