import { sliceLabel } from '../../api/labels.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { containersOf, isSelected, listOf, podLabelsOf, podSpecOf, textMap } from './pod-template.ts';

/** What stands for the slice in manifests until they are written for one. */
export const slicePlaceholder = '${slice}';

/**
 * Why two versions of a Deployment cannot stand side by side, for people: what comes after "it". Undefined where they can. `claims` are the
 * volume claims of the chart.
 */
export function whyNotTwice(deployment: JsonObject, claims: readonly JsonObject[]): string | undefined {
  const spec = podSpecOf(deployment) ?? {};
  if (spec['hostNetwork'] === true) return 'uses the network of its host';
  const ports = containersOf(spec).flatMap(({ ports: own }) => listOf(own ?? null).filter(isObject));
  if (ports.some(({ hostPort }) => typeof hostPort === 'number' && hostPort > 0))
    return 'takes a port of its host';
  for (const volume of listOf(spec['volumes']).filter(isObject)) {
    const { name, hostPath, persistentVolumeClaim: claim } = volume;
    if (isObject(claim) && !isForMany(claim, claims)) return `keeps data in the volume ${claim['claimName']}`;
    if (isObject(hostPath) && isWritten(spec, name)) return `writes to ${hostPath['path']} of its host`;
  }
  return undefined;
}

/** A claim that several nodes may have at once is made for several pods; one that is not of the chart is not known. */
function isForMany({ claimName, readOnly }: JsonObject, claims: readonly JsonObject[]): boolean {
  const claim = claims.find(({ metadata }) => isObject(metadata) && metadata['name'] === claimName);
  const spec = claim && isObject(claim['spec']) ? claim['spec'] : {};
  return readOnly === true || listOf(spec['accessModes']).some(mode => `${mode}`.endsWith('Many'));
}

function isWritten(spec: JsonObject, volume: Json | undefined): boolean {
  const mounts = containersOf(spec).flatMap(({ volumeMounts }) =>
    listOf(volumeMounts ?? null).filter(isObject),
  );
  return mounts.some(({ name, readOnly }) => name === volume && readOnly !== true);
}

/** A Deployment that is there once a slice: its selector, its pods and where they want to run say which. Its name is not changed here. */
export function withSliceLabels(deployment: JsonObject): JsonObject {
  const spec = isObject(deployment['spec']) ? deployment['spec'] : {};
  const template = isObject(spec['template']) ? spec['template'] : {};
  const metadata = isObject(template['metadata']) ? template['metadata'] : {};
  const labels = podLabelsOf(deployment);
  const pods = isObject(template['spec']) ? withOwnPlaces(template['spec'], labels) : {};
  const own = isObject(metadata['labels']) ? metadata['labels'] : {};
  return {
    ...deployment,
    spec: {
      ...spec,
      selector: withSlice(isObject(spec['selector']) ? spec['selector'] : {}),
      template: {
        ...template,
        metadata: { ...metadata, labels: { ...own, [sliceLabel]: slicePlaceholder } },
        spec: pods,
      },
    },
  };
}

/** A selector that takes the pods of one slice only. */
export function withSlice(selector: JsonObject): JsonObject {
  const own = isObject(selector['matchLabels']) ? selector['matchLabels'] : {};
  return { ...selector, matchLabels: { ...own, [sliceLabel]: slicePlaceholder } };
}

const affinities = ['podAffinity', 'podAntiAffinity'];

/** Pods that keep away from their like keep away from those of their slice: the other version may stand on the same host. */
function withOwnPlaces(spec: JsonObject, labels: Readonly<Record<string, string>>): JsonObject {
  const term = (at: Json): Json => {
    if (!isObject(at)) return at;
    const inner = at['podAffinityTerm'];
    if (isObject(inner)) return { ...at, podAffinityTerm: term(inner) };
    const { labelSelector } = at;
    return isObject(labelSelector) && takes(labelSelector, labels)
      ? { ...at, labelSelector: withSlice(labelSelector) }
      : at;
  };
  const terms = (at: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(at).map(([key, item]) => [key, Array.isArray(item) ? item.map(term) : item]),
    );
  const { affinity, topologySpreadConstraints: spread } = spec;
  const changed = isObject(affinity)
    ? Object.entries(affinity).map(([key, item]) => [
        key,
        affinities.includes(key) && isObject(item) ? terms(item) : item,
      ])
    : [];
  return {
    ...spec,
    ...(isObject(affinity) ? { affinity: Object.fromEntries(changed) } : {}),
    ...(Array.isArray(spread) ? { topologySpreadConstraints: spread.map(term) } : {}),
  };
}

/** Whether a selector takes pods with these labels. */
export function takes(selector: JsonObject, labels: Readonly<Record<string, string>>): boolean {
  const wanted = textMap(selector['matchLabels']);
  const expressions = listOf(selector['matchExpressions']).filter(isObject);
  if (Object.keys(wanted).length + expressions.length === 0) return false;
  const fits = expressions.every(({ key, operator, values }) => {
    const label = Object.hasOwn(labels, `${key}`) ? labels[`${key}`] : undefined;
    const isIn = label !== undefined && listOf(values ?? null).includes(label);
    if (operator === 'In') return isIn;
    if (operator === 'NotIn') return !isIn;
    return (operator === 'Exists') === (label !== undefined);
  });
  return fits && (Object.keys(wanted).length === 0 || isSelected(wanted, labels));
}
