import { group } from '../../api/group.ts';
import { besideLabel, componentLabel, foundSlice, serviceLabel, sliceLabel } from '../../api/labels.ts';
import { digestJson } from '../../base/digest.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import type { PartBundle } from '../phase-run.ts';
import { isController, isSliced, shareOf, sliceMark } from './slices.ts';

/** The digest of an object as it was written: tells what we wrote last from what somebody else made of it. */
export const digestAnnotation = `${group}/digest`;

/** Says that a workload was stopped by us, and how many replicas it had. */
export const stoppedAnnotation = `${group}/stopped`;

export interface ObjectPlace {
  readonly slice: string;
  /** Which of how many slices, where replicas are shared out among them. */
  readonly index: number;
  readonly slices: number;
  /** The other slices, where there are so many that a selector cannot name those it wants. */
  readonly beside?: readonly string[];
}

/** A rendered object as it is written: for one slice, with labels on its pods, and its digest. The same input gives the same bytes. */
export function prepareObject(part: PartBundle, rendered: JsonObject, place: ObjectPlace): ClusterObject {
  const filled = fillSlice(rendered, place.slice) as JsonObject;
  const labels = {
    [serviceLabel]: part.service,
    [componentLabel]: part.component,
    [sliceLabel]: place.slice,
  };
  const own = isSliced(rendered) ? withLabels(filled, { [sliceLabel]: place.slice }) : filled;
  const shared = isSliced(rendered) ? withShare(own, place) : own;
  const beside = (place.beside ?? []).map(slice => [besideLabel(slice), 'true']);
  // A label on the template of pods that were found would start them anew.
  const dressed =
    place.slice === foundSlice ? shared : withPodLabels(shared, { ...labels, ...Object.fromEntries(beside) });
  const metadata = isObject(dressed['metadata']) ? dressed['metadata'] : {};
  const annotations = isObject(metadata['annotations']) ? metadata['annotations'] : {};
  const digest = digestJson(dressed);
  return {
    ...dressed,
    metadata: { ...metadata, annotations: { ...annotations, [digestAnnotation]: digest } },
  } as unknown as ClusterObject;
}

/** Puts the slice in place of its mark, in keys and values. */
export function fillSlice(value: Json, slice: string): Json {
  if (typeof value === 'string') return value.replaceAll(sliceMark, slice);
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key.replaceAll(sliceMark, slice), fillSlice(item, slice)]),
    );
  return Array.isArray(value) ? value.map((item: Json) => fillSlice(item, slice)) : value;
}

/** A Deployment that is there once a slice has its share of the replicas. */
function withShare(object: JsonObject, { index, slices }: ObjectPlace): JsonObject {
  const { spec } = object;
  if (slices < 2 || object['kind'] !== 'Deployment' || !isObject(spec)) return object;
  const replicas = typeof spec['replicas'] === 'number' ? spec['replicas'] : 1;
  return { ...object, spec: { ...spec, replicas: shareOf(replicas, index, slices) } };
}

function withPodLabels(object: JsonObject, labels: Readonly<Record<string, string>>): JsonObject {
  const { spec } = object;
  if (!isObject(spec)) return object;
  if (object['kind'] === 'Pod') return withLabels(object, labels);
  if (isController(object) || object['kind'] === 'Job')
    return { ...object, spec: withTemplateLabels(spec, labels) };
  if (object['kind'] !== 'CronJob' || !isObject(spec['jobTemplate'])) return object;
  const job = spec['jobTemplate'];
  const inner = isObject(job['spec']) ? withTemplateLabels(job['spec'], labels) : {};
  return { ...object, spec: { ...spec, jobTemplate: { ...job, spec: inner } } };
}

function withTemplateLabels(spec: JsonObject, labels: Readonly<Record<string, string>>): JsonObject {
  const template = isObject(spec['template']) ? spec['template'] : {};
  return { ...spec, template: withLabels(template, labels) };
}

/** The object with these labels over its own. */
export function withLabels(object: JsonObject, labels: Readonly<Record<string, string>>): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const own = isObject(metadata['labels']) ? metadata['labels'] : {};
  return { ...object, metadata: { ...metadata, labels: { ...own, ...labels } } };
}
