import type { ObjectType } from '../cluster/cluster.ts';
import { containersOf, type Pod } from '../runtime/pod/pod-shape.ts';
import type { NodeObjects } from './node-objects.ts';

const secretType: ObjectType = { apiVersion: 'v1', kind: 'Secret' };
const configMapType: ObjectType = { apiVersion: 'v1', kind: 'ConfigMap' };
const claimType: ObjectType = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };

/** What a Pod needs before it can begin and is not there; a kubelet waits for it without end. */
export function missingPart({ spec, metadata }: Pod, objects: NodeObjects): string | undefined {
  const isThere = (type: ObjectType, name: string) =>
    objects.find(type, metadata.namespace, name) !== undefined;
  const volumes = (spec.volumes ?? []).flatMap(({ configMap, secret, persistentVolumeClaim: claim }) => [
    ...(configMap?.name && !configMap.optional ? [[configMapType, configMap.name] as const] : []),
    ...(secret?.secretName && !secret.optional ? [[secretType, secret.secretName] as const] : []),
    ...(claim ? [[claimType, claim.claimName] as const] : []),
  ]);
  const variables = containersOf(spec).flatMap(({ env = [], envFrom = [] }) => [
    ...env.flatMap(({ valueFrom }) => [
      ...refOf(configMapType, valueFrom?.configMapKeyRef),
      ...refOf(secretType, valueFrom?.secretKeyRef),
    ]),
    ...envFrom.flatMap(from => [
      ...refOf(configMapType, from.configMapRef),
      ...refOf(secretType, from.secretRef),
    ]),
  ]);
  const missing = [...volumes, ...variables].find(([type, name]) => !isThere(type, name));
  return missing && `${missing[0].kind} ${missing[1]}`;
}

function refOf(
  type: ObjectType,
  ref: { readonly name?: string; readonly optional?: boolean } | undefined,
): (readonly [ObjectType, string])[] {
  return ref?.name && !ref.optional ? [[type, ref.name]] : [];
}
