import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { FieldCause } from '../../cluster-error.ts';
import { nameProblem } from '../objects/names.ts';
import { badRequest, duplicate, missing, wrong } from '../objects/refusals.ts';
import type { Unversioned } from '../store/transaction.ts';

/** What is wrong with a Pod, as far as the rest of Afloat leans on it. */
export function checkPod(pod: Unversioned): FieldCause[] {
  return isObject(pod['spec']) ? podCauses(pod['spec'], 'spec') : [];
}

/** The same for the Pods that something makes; `at` is the path of their spec. */
export function podCauses(spec: JsonObject, at: string): FieldCause[] {
  const causes: FieldCause[] = [];
  const names = new Set<Json>();
  for (const list of ['initContainers', 'containers'] as const) {
    const containers: unknown = spec[list];
    if (!Array.isArray(containers)) continue;
    for (const [index, container] of containers.entries()) {
      if (isObject(container)) causes.push(...containerCauses(container, `${at}.${list}[${index}]`, names));
    }
  }
  return causes;
}

function containerCauses(container: JsonObject, at: string, names: Set<Json>): FieldCause[] {
  const { name, image, resources } = container;
  const causes: FieldCause[] = [];
  if (!name) causes.push(missing(`${at}.name`));
  else {
    const problem = nameProblem('label', String(name));
    if (problem) causes.push(wrong(`${at}.name`, name, problem));
    if (names.has(name)) causes.push(duplicate(`${at}.name`, name));
    names.add(name);
  }
  if (!image) causes.push(missing(`${at}.image`));
  refuseBadQuantities(resources);
  return causes;
}

const quantity = /^[+-]?(\d+\.?\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/;

/** A server reads quantities into numbers of its own; what is none is not an object at all. */
export function refuseBadQuantities(resources: Json | undefined): void {
  if (!isObject(resources)) return;
  for (const map of [resources['limits'], resources['requests']]) {
    for (const value of Object.values(isObject(map) ? map : {})) {
      if (typeof value === 'number' || (typeof value === 'string' && quantity.test(value))) continue;
      throw badRequest(
        `quantities must be a number with a unit, such as 500m or 1Gi, and not ${JSON.stringify(value)}`,
      );
    }
  }
}
