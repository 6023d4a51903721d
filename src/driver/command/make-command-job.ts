import {
  attemptLabel,
  flowLabel,
  managedByLabel,
  packageLabel,
  phaseLabel,
  taskLabel,
} from '../../api/labels.ts';
import { CodedError } from '../../base/coded-error.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';

/** Fields of a Command that are those of its container. */
const containerFields = [
  ...['image', 'command', 'args', 'env', 'envFrom', 'volumeMounts', 'terminationMessagePath'],
] as const;

/** Fields of a Command that are those of its Pod. */
const podFields = ['volumes', 'serviceAccountName', 'hostAliases'] as const;

const numberFields = ['retries', 'deadlineSeconds'] as const;
const listFields = ['command', 'args', 'env', 'envFrom', 'volumeMounts', 'volumes', 'hostAliases'] as const;

/**
 * Labels that the Pod has too. Not those of service, component and slice: a Service selects by them, and a task is never to get the requests of
 * clients.
 */
const podLabels: readonly string[] = [
  ...[managedByLabel, packageLabel, phaseLabel, flowLabel, taskLabel, attemptLabel],
];

/**
 * The Job that a Command stands for: same name, labels, annotations and owners, one container called `command`, as many tries as `retries`
 * says and one more. Throws `FieldMissing`, `FieldUnknown` or `FieldType`, naming the field.
 */
export function makeCommandJob(command: ClusterObject): ClusterObject {
  const spec = checkedSpec(command);
  const { labels = {} } = command.metadata;
  const kept = Object.entries(labels).filter(([name]) => podLabels.includes(name));
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: command.metadata,
    spec: {
      backoffLimit: spec['retries'] ?? 0,
      ...(spec['deadlineSeconds'] === undefined ? {} : { activeDeadlineSeconds: spec['deadlineSeconds'] }),
      template: {
        metadata: { labels: Object.fromEntries(kept) },
        spec: {
          restartPolicy: 'Never',
          ...picked(spec, podFields),
          containers: [{ name: 'command', ...picked(spec, containerFields) }],
        },
      },
    },
  };
}

function checkedSpec(command: ClusterObject): JsonObject {
  const fail = (code: string, field: string, why: string): never => {
    const { name = '' } = command.metadata;
    throw new CodedError(code, `Command ${name}: ${field} ${why}`, { details: { field } });
  };
  const spec = command['spec'];
  if (!isObject(spec)) return fail('FieldMissing', 'spec', 'is missing');
  const known: readonly string[] = [...containerFields, ...podFields, ...numberFields];
  const unknown = Object.keys(spec).find(field => !known.includes(field));
  if (unknown !== undefined) fail('FieldUnknown', `spec.${unknown}`, 'is not a field of a Command');
  if (spec['image'] === undefined) fail('FieldMissing', 'spec.image', 'is missing');
  for (const field of ['image', 'serviceAccountName', 'terminationMessagePath']) {
    const value = spec[field];
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      fail('FieldType', `spec.${field}`, 'must be text');
  }
  for (const field of numberFields) {
    const value = spec[field];
    const least = field === 'retries' ? 0 : 1;
    if (value !== undefined && !(Number.isInteger(value) && Number(value) >= least))
      fail('FieldType', `spec.${field}`, `must be a whole number from ${least} on`);
  }
  for (const field of listFields) {
    if (spec[field] !== undefined && !Array.isArray(spec[field]))
      fail('FieldType', `spec.${field}`, 'must be a list');
  }
  return spec;
}

function picked(spec: JsonObject, fields: readonly string[]): JsonObject {
  const there = fields.flatMap((field): [string, Json][] => {
    const value = spec[field];
    return value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(there);
}
