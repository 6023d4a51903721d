import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Unversioned } from '../store/transaction.ts';

/** A new Pod waits for its node; an image without a version is looked for each time. */
export function preparePod(pod: Unversioned, before: Unversioned | undefined): Unversioned {
  const spec = isObject(pod['spec']) ? withPullPolicies(pod['spec']) : pod['spec'];
  if (before || !isObject(spec)) return { ...pod, spec };
  return { ...pod, spec: { enableServiceLinks: true, ...spec }, status: { phase: 'Pending' } };
}

/** The same for what a controller makes Pods of, also one level further down, in a CronJob. */
export function preparePodTemplate(object: Unversioned): Unversioned {
  const spec = object['spec'];
  if (!isObject(spec)) return object;
  const jobTemplate = spec['jobTemplate'];
  if (isObject(jobTemplate) && isObject(jobTemplate['spec'])) {
    const inner = withTemplate(jobTemplate['spec']);
    return { ...object, spec: { ...spec, jobTemplate: { ...jobTemplate, spec: inner } } };
  }
  return { ...object, spec: withTemplate(spec) };
}

function withTemplate(spec: JsonObject): JsonObject {
  const template = spec['template'];
  if (!isObject(template) || !isObject(template['spec'])) return spec;
  return { ...spec, template: { ...template, spec: withPullPolicies(template['spec']) } };
}

function withPullPolicies(spec: JsonObject): JsonObject {
  const filled: Record<string, Json> = { ...spec };
  for (const list of ['containers', 'initContainers']) {
    const containers = spec[list];
    if (Array.isArray(containers)) filled[list] = containers.map(withPullPolicy);
  }
  // The older name of the field is kept the same.
  const account = spec['serviceAccountName'] ?? spec['serviceAccount'];
  if (account !== undefined) Object.assign(filled, { serviceAccountName: account, serviceAccount: account });
  return filled;
}

function withPullPolicy(container: Json): Json {
  if (!isObject(container) || container['imagePullPolicy'] !== undefined) return container;
  const image = String(container['image'] ?? '');
  const name = image.slice(image.lastIndexOf('/') + 1);
  const isMoving = !image.includes('@') && (!name.includes(':') || name.endsWith(':latest'));
  return { ...container, imagePullPolicy: isMoving ? 'Always' : 'IfNotPresent' };
}
