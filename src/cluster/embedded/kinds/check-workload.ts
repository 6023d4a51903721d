import { parseSchedule } from '../../../base/cron-schedule.ts';
import { isObject, type JsonObject, sameJson } from '../../../base/json.ts';
import type { FieldCause } from '../../cluster-error.ts';
import { missing, notAllowed, unsupported, wrong } from '../objects/refusals.ts';
import { matchLabels } from '../select/match-labels.ts';
import type { Unversioned } from '../store/transaction.ts';
import { podCauses } from './check-pod.ts';

/** What is wrong with something that keeps Pods running: Deployment, ReplicaSet, StatefulSet, DaemonSet. */
export function checkWorkload(object: Unversioned): FieldCause[] {
  const spec = object['spec'];
  if (!isObject(spec)) return [];
  const template = isObject(spec['template']) ? spec['template'] : undefined;
  return [
    ...atLeastZero(spec, 'spec', ['replicas', 'minReadySeconds', 'revisionHistoryLimit']),
    ...selectorCauses(spec['selector'], template),
    ...templateCauses(template, 'spec.template', ['Always']),
    ...strategyCauses(spec['strategy'], 'spec.strategy', ['RollingUpdate', 'Recreate']),
    ...strategyCauses(spec['updateStrategy'], 'spec.updateStrategy', ['RollingUpdate', 'OnDelete']),
  ];
}

const jobNumbers = [
  'parallelism',
  'completions',
  'backoffLimit',
  'activeDeadlineSeconds',
  'ttlSecondsAfterFinished',
];

/** What is wrong with a Job. What it makes Pods of stays as it is, but for one that is not to run yet. */
export function checkJob(job: Unversioned, before: Unversioned | undefined): FieldCause[] {
  const [spec, old] = [job['spec'], before?.['spec']];
  if (!isObject(spec)) return [];
  const causes = jobCauses(spec, 'spec');
  if (!isObject(old) || old['suspend'] === true || sameJson(spec['template'], old['template'])) return causes;
  return [...causes, wrong('spec.template', undefined, 'field is immutable')];
}

export function checkCronJob(cronJob: Unversioned): FieldCause[] {
  const spec = cronJob['spec'];
  if (!isObject(spec)) return [];
  const { schedule, jobTemplate } = spec;
  const isUnreadable = typeof schedule === 'string' && schedule !== '' && !parseSchedule(schedule);
  return [
    ...(isUnreadable ? [wrong('spec.schedule', schedule, 'is not a schedule in the format of cron')] : []),
    ...atLeastZero(spec, 'spec', [
      'startingDeadlineSeconds',
      'successfulJobsHistoryLimit',
      'failedJobsHistoryLimit',
    ]),
    ...(isObject(jobTemplate) && isObject(jobTemplate['spec'])
      ? jobCauses(jobTemplate['spec'], 'spec.jobTemplate.spec')
      : []),
  ];
}

function jobCauses(spec: JsonObject, at: string): FieldCause[] {
  const template = isObject(spec['template']) ? spec['template'] : undefined;
  return [
    ...atLeastZero(spec, at, jobNumbers),
    ...templateCauses(template, `${at}.template`, ['OnFailure', 'Never']),
  ];
}

function atLeastZero(spec: JsonObject, at: string, fields: readonly string[]): FieldCause[] {
  return fields
    .filter(field => Number(spec[field] ?? 0) < 0)
    .map(field => wrong(`${at}.${field}`, spec[field], 'must be greater than or equal to 0'));
}

function selectorCauses(selector: unknown, template: JsonObject | undefined): FieldCause[] {
  if (!isObject(selector)) return []; // said already where it is required
  if (!selector['matchLabels'] && !selector['matchExpressions']) {
    return [wrong('spec.selector', selector, 'empty selector is invalid')];
  }
  const labels = isObject(template?.['metadata']) ? (template['metadata']['labels'] ?? {}) : {};
  if (!template || matchLabels(selector, labels)) return [];
  return [wrong('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')];
}

/** What Pods are made of, which must be restarted by the kubelet or by nobody, as the maker wants it. */
function templateCauses(
  template: JsonObject | undefined,
  at: string,
  restartPolicies: readonly string[],
): FieldCause[] {
  const spec = template?.['spec'];
  if (!isObject(spec)) return [];
  const { restartPolicy = 'Always', containers } = spec;
  const causes = podCauses(spec, `${at}.spec`);
  if (!Array.isArray(containers) || containers.length === 0) causes.unshift(missing(`${at}.spec.containers`));
  if (restartPolicies.includes(String(restartPolicy))) return causes;
  const place = `${at}.spec.restartPolicy`;
  const words = restartPolicies.map(one => `"${one}"`).join(', ');
  const isDefault = restartPolicy === 'Always' && restartPolicies.length > 1;
  causes.push(
    isDefault ? missing(place, `valid values: ${words}`) : unsupported(place, restartPolicy, restartPolicies),
  );
  return causes;
}

function strategyCauses(strategy: unknown, at: string, types: readonly string[]): FieldCause[] {
  if (!isObject(strategy)) return [];
  const { type, rollingUpdate } = strategy;
  if (!types.includes(String(type))) return [unsupported(at, type, types)];
  if (type === 'Recreate' && rollingUpdate !== undefined) {
    const why = "may not be specified when strategy `type` is 'Recreate'";
    return [notAllowed(`${at}.rollingUpdate`, why)];
  }
  const { maxSurge, maxUnavailable } = isObject(rollingUpdate) ? rollingUpdate : {};
  const isNothing = (value: unknown) => value === 0 || value === '0%' || value === '0';
  if (type !== 'RollingUpdate' || !isNothing(maxSurge) || !isNothing(maxUnavailable)) return [];
  return [wrong(`${at}.rollingUpdate.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')];
}
