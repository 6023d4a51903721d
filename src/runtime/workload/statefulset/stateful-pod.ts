import type { JsonObject } from '../../../base/json.ts';
import type { ClusterObject } from '../../../cluster/cluster.ts';
import type { Pod } from '../object/pod.ts';
import { type PodTemplate, podOf } from '../object/pod-template.ts';
import { normal, type Write, warning } from '../run/decision.ts';
import { claimName } from './claims.ts';
import { podIndexLabel, podNameLabel, revisionLabel, type StatefulSet } from './stateful-set.ts';

/** Makes the Pod of that number from the template of a revision: always the same name, host name and volumes. */
export function createStatefulPod(
  set: StatefulSet,
  ordinal: number,
  from: { readonly template: PodTemplate; readonly revision: string },
): Write {
  return { verb: 'create', object: statefulPod(set, ordinal, from), ...telling(set, 'create') };
}

export function deleteStatefulPod(set: StatefulSet, pod: Pod): Write {
  return { verb: 'delete', object: pod, ...telling(set, 'delete') };
}

/** Gives a Pod that was taken in the labels of its number. */
export function identify(set: StatefulSet, pod: Pod, ordinal: number): readonly Write[] {
  if (pod.metadata.labels?.[podNameLabel] === pod.metadata.name) return [];
  const patch = { metadata: { labels: identityOf(pod.metadata.name, ordinal) } };
  return [{ verb: 'patch', object: pod, patch, ...telling(set, 'update') }];
}

function statefulPod(
  set: StatefulSet,
  ordinal: number,
  { template, revision }: { readonly template: PodTemplate; readonly revision: string },
): ClusterObject {
  const name = `${set.metadata.name}-${ordinal}`;
  const { serviceName } = set.spec;
  const volumes = volumesOf(set, ordinal, (template.spec['volumes'] ?? []) as readonly JsonObject[]);
  const spec = {
    ...template.spec,
    hostname: name,
    ...(serviceName ? { subdomain: serviceName } : {}),
    ...(volumes.length > 0 ? { volumes } : {}),
  };
  const labels = { ...identityOf(name, ordinal), [revisionLabel]: revision };
  const pod = podOf(set, { ...template, spec }, { name, labels });
  const { generateName: _, ...metadata } = pod.metadata;
  return { ...pod, metadata };
}

function identityOf(name: string, ordinal: number): Record<string, string> {
  return { [podNameLabel]: name, [podIndexLabel]: String(ordinal) };
}

/** The claims of this number take the place of volumes with their names. */
function volumesOf(set: StatefulSet, ordinal: number, others: readonly JsonObject[]): readonly JsonObject[] {
  const claims = (set.spec.volumeClaimTemplates ?? []).map(template => ({
    name: template.metadata.name,
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }));
  const names = new Set<unknown>(claims.map(({ name }) => name));
  return [...claims, ...others.filter(({ name }) => !names.has(name))];
}

function telling({ metadata }: StatefulSet, verb: 'create' | 'delete' | 'update') {
  const reason = `${verb[0]?.toUpperCase()}${verb.slice(1)}`;
  const said = (name: string) => `${reason} Pod ${name} in StatefulSet ${metadata.name}`;
  return {
    tell: (name: string) => normal(`Successful${reason}`, `${said(name)} successful`),
    tellFailure: (name: string, why: string) =>
      warning(`Failed${reason}`, `${said(name)} failed error: ${why}`),
  };
}
