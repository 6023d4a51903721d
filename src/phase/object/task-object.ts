import { group } from '../../api/group.ts';
import { flowLabel, phaseLabel, taskLabel } from '../../api/labels.ts';
import { digestJson } from '../../base/digest.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import type { PhaseRun } from '../phase-run.ts';
import { withLabels } from './prepare-object.ts';

/** How long a task may take, in seconds, where its manifest has this annotation; and how often it is tried again after a failure. */
export const deadlineAnnotation = `${group}/deadline-seconds`;
export const retriesAnnotation = `${group}/retries`;

/** Which of the runs of a phase that repeats its tasks one belongs to, by the moment it was due. */
export const runAnnotation = `${group}/run`;

export const defaultDeadlineSeconds = 600;

/** What a task gets beside what its manifest says. */
export interface TaskExtras {
  readonly env: Readonly<Record<string, string>>;
  /** Tells runs of one task in one phase apart, where it is run once a slice. */
  readonly key?: string;
  readonly hostAliases?: readonly { readonly ip: string; readonly hostnames: readonly string[] }[];
}

/**
 * A task of a phase as it is written: owned by the phase, under a name that derives from the phase and the task, so that a repeated act
 * finds its own object; with a deadline and a bound on retries of its own.
 */
export function taskObject(run: PhaseRun, manifest: ClusterObject, extras: TaskExtras): ClusterObject {
  const task = manifest.metadata.name ?? '';
  const labels = { [phaseLabel]: run.name, [flowLabel]: run.oslc, [taskLabel]: cut(task, 63) };
  const labelled = withPodTemplate(withLabels(manifest as unknown as JsonObject, labels), template =>
    withLabels(withExtras(template, extras), labels),
  );
  const bounded = withBounds(labelled, manifest);
  const { name: _name, ...metadata } = bounded['metadata'] as JsonObject;
  const { taskKey } = run;
  const annotations = { ...manifest.metadata.annotations, ...(taskKey ? { [runAnnotation]: taskKey } : {}) };
  return {
    ...bounded,
    metadata: {
      ...metadata,
      ...(taskKey === undefined ? {} : { annotations }),
      name: taskName(run.name, task, extras.key ?? run.taskKey),
      ownerReferences: [{ ...run.owner }],
    },
  } as unknown as ClusterObject;
}

/** The name of a task's object: the same for the same task of the same phase. Short enough for a label, as Jobs need it. */
export function taskName(phase: string, task: string, key = ''): string {
  return `${cut(task, 46)}-${digestJson([phase, task, key]).slice(7, 17)}`;
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[^a-z0-9]+$/i, '');
}

/** How long a task may take. */
export function deadlineOf({ metadata }: ClusterObject, fallback = defaultDeadlineSeconds): number {
  const said = Number(metadata.annotations?.[deadlineAnnotation]);
  return Number.isInteger(said) && said > 0 ? said : fallback;
}

/** A Job or Pod ends by itself at its deadline, whatever becomes of us, and is tried again no more often than was said. */
function withBounds(object: JsonObject, manifest: ClusterObject): JsonObject {
  const { kind, spec } = object;
  if (!isObject(spec)) return object;
  const activeDeadlineSeconds = spec['activeDeadlineSeconds'] ?? deadlineOf(manifest);
  if (kind === 'Pod') return { ...object, spec: { ...spec, activeDeadlineSeconds } };
  if (kind === 'Command') return { ...object, spec: { deadlineSeconds: deadlineOf(manifest), ...spec } };
  if (kind !== 'Job') return object;
  const retries = Number(manifest.metadata.annotations?.[retriesAnnotation] ?? 0);
  const backoffLimit = spec['backoffLimit'] ?? (Number.isInteger(retries) && retries > 0 ? retries : 0);
  return { ...object, spec: { ...spec, backoffLimit, activeDeadlineSeconds } };
}

function withPodTemplate(object: JsonObject, change: (template: JsonObject) => JsonObject): JsonObject {
  const { kind, spec } = object;
  if (kind === 'Pod' || kind === 'Command') return change(object);
  if (!isObject(spec) || !isObject(spec['template'])) return object;
  return { ...object, spec: { ...spec, template: change(spec['template']) } };
}

/** What the engine says goes over what the manifest says: a test must not choose whom it tests. */
function withExtras(template: JsonObject, { env, hostAliases = [] }: TaskExtras): JsonObject {
  const spec = isObject(template['spec']) ? template['spec'] : {};
  const withEnv = (container: Json): Json => {
    if (!isObject(container)) return container;
    const own = listOf(container['env']).filter(
      entry => !(isObject(entry) && Object.hasOwn(env, `${entry['name']}`)),
    );
    const added = Object.entries(env).map(([name, value]) => ({ name, value }));
    return { ...container, env: [...own, ...added] };
  };
  // The first line of a hosts file that has a name counts.
  const aliases = [...hostAliases.map(alias => ({ ...alias })), ...listOf(spec['hostAliases'])];
  const named = aliases.length === 0 ? {} : { hostAliases: aliases as Json };
  if (template['kind'] === 'Command')
    return { ...template, spec: { ...(withEnv(spec) as JsonObject), ...named } };
  return {
    ...template,
    spec: {
      ...spec,
      containers: listOf(spec['containers']).map(withEnv),
      ...(spec['initContainers'] === undefined
        ? {}
        : { initContainers: listOf(spec['initContainers']).map(withEnv) }),
      ...named,
    } as JsonObject,
  };
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
