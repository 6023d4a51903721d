import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Unversioned } from '../store/transaction.ts';
import { preparePodTemplate } from './prepare-pod.ts';

/** How a rollout goes on where it is said only in part: what is left out is filled in, as where nothing is said. */
export function prepareDeployment(deployment: Unversioned): Unversioned {
  return withStrategy(preparePodTemplate(deployment), 'strategy', { maxSurge: '25%', maxUnavailable: '25%' });
}

export function prepareDaemonSet(daemonSet: Unversioned): Unversioned {
  return withStrategy(preparePodTemplate(daemonSet), 'updateStrategy', { maxSurge: 0, maxUnavailable: 1 });
}

export function prepareStatefulSet(set: Unversioned): Unversioned {
  return withStrategy(preparePodTemplate(set), 'updateStrategy', { partition: 0 });
}

function withStrategy(object: Unversioned, field: string, defaults: JsonObject): Unversioned {
  const spec = object['spec'];
  if (!isObject(spec)) return object;
  const strategy: JsonObject = isObject(spec[field]) ? spec[field] : {};
  const type: Json = strategy['type'] ?? 'RollingUpdate';
  const rolling = isObject(strategy['rollingUpdate']) ? strategy['rollingUpdate'] : {};
  const filled =
    type === 'RollingUpdate'
      ? { ...strategy, type, rollingUpdate: { ...defaults, ...rolling } }
      : { ...strategy, type };
  return { ...object, spec: { ...spec, [field]: filled } };
}
