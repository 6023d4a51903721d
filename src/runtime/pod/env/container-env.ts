import type { StoredObject } from '../../../cluster/cluster.ts';
import type { Container, EnvVar, Pod } from '../pod-shape.ts';
import { type Capacity, fieldValue, resourceValue, type Whereabouts } from './downward-field.ts';
import { expand } from './expand.ts';
import { type Service, serviceLinks } from './service-links.ts';

/** What a container's variables may be made of. */
export interface EnvSources {
  readonly pod: Pod;
  readonly where: Whereabouts;
  readonly capacity: Capacity;
  readonly services: readonly Service[];
  configMap(name: string): StoredObject | undefined;
  secret(name: string): StoredObject | undefined;
}

/** The variables, or why they cannot be had, in a kubelet's words. */
export type EnvResult = { readonly env: Readonly<Record<string, string>> } | { readonly problem: string };

/** Says why the container cannot be made; caught here and nowhere else. */
class Missing {
  readonly problem: string;

  constructor(problem: string) {
    this.problem = problem;
  }
}

/**
 * The environment that the manifest asks for. What is written beats what is taken over from a ConfigMap or Secret, and both beat what
 * is told of Services; a reference sees what stands before it.
 */
export function containerEnv(container: Container, sources: EnvSources): EnvResult {
  try {
    const { pod, services } = sources;
    const namespace = pod.metadata.namespace ?? '';
    const links = serviceLinks(services, namespace, pod.spec.enableServiceLinks ?? true);
    const own: Record<string, string> = { ...takenOver(container, sources) };
    for (const variable of container.env ?? []) {
      const value = resolve(variable, container, sources, name => own[name] ?? links[name]);
      if (value !== undefined) own[variable.name] = value;
    }
    return { env: { ...links, ...own } };
  } catch (thrown) {
    if (thrown instanceof Missing) return { problem: thrown.problem };
    throw thrown;
  }
}

function takenOver({ envFrom = [] }: Container, sources: EnvSources): Readonly<Record<string, string>> {
  const own: Record<string, string> = {};
  for (const { prefix = '', configMapRef, secretRef } of envFrom) {
    const [ref, kind] = configMapRef ? [configMapRef, 'ConfigMap' as const] : [secretRef, 'Secret' as const];
    const data = ref ? dataOf(kind, ref, sources) : undefined;
    for (const [key, value] of Object.entries(data ?? {})) own[prefix + key] = value;
  }
  return own;
}

function resolve(
  { value, valueFrom }: EnvVar,
  container: Container,
  sources: EnvSources,
  known: (name: string) => string | undefined,
): string | undefined {
  if (value) return expand(value, known);
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom ?? {};
  if (fieldRef) {
    const field = fieldValue(fieldRef, sources.pod, sources.where);
    if (field !== undefined) return field;
    throw new Missing(`unsupported fieldPath: ${fieldRef.fieldPath}`);
  }
  if (resourceFieldRef) return resourceValue(resourceFieldRef, container, sources.pod, sources.capacity);
  if (configMapKeyRef) return keyOf('ConfigMap', configMapKeyRef, sources);
  if (secretKeyRef) return keyOf('Secret', secretKeyRef, sources);
  return '';
}

interface Ref {
  readonly name?: string;
  readonly optional?: boolean;
}

/** The value of one key; undefined where it may be missing and is. */
function keyOf(kind: 'ConfigMap' | 'Secret', ref: Ref & { readonly key: string }, sources: EnvSources) {
  const data = dataOf(kind, ref, sources);
  if (!data) return undefined;
  const value = Object.hasOwn(data, ref.key) ? data[ref.key] : undefined;
  if (value !== undefined || ref.optional) return value;
  const namespace = sources.pod.metadata.namespace ?? '';
  throw new Missing(`couldn't find key ${ref.key} in ${kind} ${namespace}/${ref.name ?? ''}`);
}

function dataOf(kind: 'ConfigMap' | 'Secret', { name = '', optional }: Ref, sources: EnvSources) {
  const object = kind === 'ConfigMap' ? sources.configMap(name) : sources.secret(name);
  if (object) return textsOf(object);
  if (optional) return undefined;
  throw new Missing(`${kind.toLowerCase()} "${name}" not found`);
}

/** The texts of a ConfigMap or Secret, decoded. */
function textsOf(object: StoredObject): Readonly<Record<string, string>> {
  const data = (object['data'] ?? {}) as Readonly<Record<string, string>>;
  if (object.kind !== 'Secret') return data;
  const decoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]);
  return Object.fromEntries(decoded);
}
