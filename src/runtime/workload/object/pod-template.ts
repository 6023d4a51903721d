import { canonicalJson, type JsonObject } from '../../../base/json.ts';
import type { ClusterObject, Metadata, StoredObject } from '../../../cluster/cluster.ts';
import { ownerReference } from './owner.ts';
import type { PodSpec } from './pod.ts';
import { podType } from './workload-kinds.ts';

/** What Pods are made of. */
export interface PodTemplate {
  readonly metadata?: Metadata;
  readonly spec: PodSpec;
}

/** A Pod of this template that is controlled by the owner; `metadata` says how it is called and what else it carries. */
export function podOf(owner: StoredObject, template: PodTemplate, metadata: Metadata = {}): ClusterObject {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    ...podType,
    metadata: {
      generateName: `${owner.metadata.name}-`,
      ...namespaceOf(owner),
      ...metadata,
      ...(labels || metadata.labels ? { labels: { ...labels, ...metadata.labels } } : {}),
      ...(annotations || metadata.annotations
        ? { annotations: { ...annotations, ...metadata.annotations } }
        : {}),
      ...(finalizers || metadata.finalizers
        ? { finalizers: [...new Set([...(finalizers ?? []), ...(metadata.finalizers ?? [])])] }
        : {}),
      ownerReferences: [ownerReference(owner)],
    },
    spec: template.spec,
  };
}

/** The namespace of an object, to be laid into the metadata of another. */
export function namespaceOf({ metadata }: StoredObject): { readonly namespace?: string } {
  return metadata.namespace === undefined ? {} : { namespace: metadata.namespace };
}

/** The characters of a generated name: no words come out of it. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A short name for a template, from what it says and how often another one had that name already. */
export function templateHash(content: unknown, collisionCount: number | undefined): string {
  const text = canonicalJson(content) + (collisionCount ? `#${collisionCount}` : '');
  let hash = 0x811c9dc5; // FNV-1a, 32 bits
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return [...String(hash)].map(digit => alphabet[digit.charCodeAt(0) % alphabet.length]).join('');
}

/** The template as it is in a controller that put this label into it, without the label. */
export function withoutLabel(template: PodTemplate, label: string): JsonObject {
  const { [label]: _, ...labels } = template.metadata?.labels ?? {};
  const { labels: __, ...metadata } = template.metadata ?? {};
  return {
    ...template,
    metadata: { ...metadata, ...(Object.keys(labels).length > 0 ? { labels } : {}) },
  } as unknown as JsonObject;
}
