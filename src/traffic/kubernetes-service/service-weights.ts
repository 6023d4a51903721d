import { group } from '../../api/group.ts';
import { besideLabel, foundSlice, sliceLabel } from '../../api/labels.ts';
import { compareText, type JsonObject, sameJson } from '../../base/json.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { isSliceKey, type RouteService } from '../route-objects.ts';
import type { Weights } from '../traffic.ts';

/** The annotation of a Service that says the shares: `blue=90,green=10`. A slice that is not named gets nothing. */
export const weightsAnnotation = `${group}/weights`;

/** The slice that a Service selects which serves nobody: no Pod is of it. */
export const noSlice = 'none';

/** What the router takes, and what a share is where the Service does not say one. */
const whole = 100;

/**
 * The shares that a Service has now, above zero only. `present` are the slices of the Pods that the package's selector matches: a
 * Service that was there before us says nothing of slices, and serves all of them alike.
 */
export function readWeights(service: RouteService, present: readonly string[]): Weights {
  const selected = service.spec.selector?.[sliceLabel];
  const annotated = annotatedWeights(service);
  if (selected === noSlice) return {};
  if (selected !== undefined) return { [selected]: annotated?.[selected] || whole };
  if (!annotated) return Object.fromEntries(present.map(slice => [slice, whole]));
  return Object.fromEntries(Object.entries(annotated).filter(([, weight]) => weight > 0));
}

/** Whether the selector of a Service matches the Pods of a slice, whatever share it has. */
export function isCovered(service: RouteService, slice: string): boolean {
  const selector = service.spec.selector ?? {};
  const selected = selector[sliceLabel];
  return (selected === undefined || selected === slice) && selector[besideLabel(slice)] === undefined;
}

/** Whether Pods of a slice that has no share would be served as soon as they are ready: a selector takes them, and no forwarder heeds the shares. */
export function wouldServe(
  service: RouteService,
  slice: string,
  { present, canWeigh }: Pick<WeightsContext, 'present' | 'canWeigh'>,
): boolean {
  const hasShare = (readWeights(service, present)[slice] ?? 0) > 0;
  const isHeeded = canWeigh && annotatedWeights(service) !== undefined;
  return isCovered(service, slice) && !hasShare && !isHeeded;
}

/** What is known beside the Service when shares are set. */
export interface WeightsContext {
  /** The slices of the Pods that the package's selector matches and that stay. */
  readonly present: readonly string[];
  /** Those that end, too: they may be the last to answer. */
  readonly known: readonly string[];
  /** Whether the router heeds the annotation. */
  readonly canWeigh: boolean;
  /** Whether every Pod of the first slice says that it stands beside the second. */
  readonly isBeside: (slice: string, other: string) => boolean;
}

/**
 * The change to a Service that gives these shares, as one merge patch; undefined where nothing is to be written. Throws `Invalid` for
 * shares that the router cannot keep.
 *
 * Selector and annotation come into force at different moments. A forwarder that weighs goes by the annotation as soon as it sees the
 * Service, and by the selector only when the EndpointSlices were made anew. An annotation that names nobody but the newcomer would
 * therefore leave clients without an answer in between: the newcomer has no endpoint yet, and the one that has gets nothing. So:
 *
 * - One slice: the selector alone decides. The annotation keeps the former share of those that leave, and they go on as before until their
 *   endpoints are replaced, all at once. What is in flight is not touched by that: a forwarder lets an endpoint that left its table finish
 *   what it has, counts it meanwhile, and says that slice and Pod are out only afterwards; kube-proxy keeps connections that are there.
 * - Several: the selector matches all, the annotation decides at once. One of weight 0 is still matched and finishes what it has. One of
 *   them must have been served before, for the same reason: decisions go from one to several others by way of all of them.
 *   Where nobody weighs, the selector leaves out the others by the labels that say whom a Pod stands beside.
 * - None: the selector matches nobody, and there is no annotation, for one without a share above zero is not heeded.
 */
export function weightsPatch(
  service: RouteService,
  weights: Weights,
  context: WeightsContext,
): JsonObject | undefined {
  const wanted = wholeWeights(weights);
  const served = Object.keys(wanted).filter(slice => (wanted[slice] ?? 0) > 0);
  const [only] = served;
  // What is named with 0 may come only later, and shall find no way in then.
  const others = [...new Set([...context.present, ...Object.keys(wanted)])].filter(
    one => !served.includes(one),
  );
  // What was found is served as it was as soon as nothing stands beside it: pods that come later say nothing of slices.
  const isAsFound = only === foundSlice && others.every(one => one === '');
  const selected = served.length > 1 || only === '' || isAsFound ? undefined : (only ?? noSlice);
  if (isAsFound) return asFound(service);
  const left = selected === undefined && !context.canWeigh ? leftOut(served, others, context) : [];
  if (selected === undefined)
    refuseUnselectable(
      served,
      others.filter(one => !left.includes(one)),
      context,
    );
  refuseNames(served);
  const annotation = served.includes('')
    ? undefined // the router knows no name for it, and takes turns
    : annotationFor(service, wanted, { ...context, selected, served });
  const now = service.spec.selector ?? {};
  const wantedKeys = {
    ...Object.fromEntries(left.map(slice => [besideLabel(slice), 'true'])),
    ...(selected === undefined ? {} : { [sliceLabel]: selected }),
  };
  const isSelected = sameJson(wantedKeys, sliceKeys(now));
  if (isSelected && annotation === service.metadata.annotations?.[weightsAnnotation]) return undefined;
  const gone = Object.keys(sliceKeys(now)).map(key => [key, null]);
  return {
    metadata: {
      // Who was served before is part of the answer: another write in between makes it a wrong one.
      resourceVersion: service.metadata.resourceVersion,
      annotations: { [weightsAnnotation]: annotation ?? null },
    },
    spec: { selector: { [sliceLabel]: null, ...Object.fromEntries(gone), ...wantedKeys } },
  };
}

/** Takes away what says whom of several slices the Service serves. */
function asFound({ metadata, spec }: RouteService): JsonObject | undefined {
  const gone = Object.keys(sliceKeys(spec.selector ?? {})).map(key => [key, null]);
  if (gone.length === 0 && metadata.annotations?.[weightsAnnotation] === undefined) return undefined;
  return {
    metadata: { resourceVersion: metadata.resourceVersion, annotations: { [weightsAnnotation]: null } },
    spec: { selector: { [sliceLabel]: null, ...Object.fromEntries(gone) } },
  };
}

/** What of a selector says whom the Service serves. */
function sliceKeys(selector: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(selector).filter(([key]) => isSliceKey(key)));
}

/** What a Service that is written anew must say, so that nobody's share changes. */
export function keptSlices(service: RouteService | undefined): {
  readonly selector: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
} {
  if (!service) return { selector: { [sliceLabel]: noSlice }, annotations: {} };
  const weights = service.metadata.annotations?.[weightsAnnotation];
  return {
    selector: sliceKeys(service.spec.selector ?? {}),
    annotations: weights === undefined ? {} : { [weightsAnnotation]: weights },
  };
}

function annotationFor(
  service: RouteService,
  wanted: Weights,
  to: WeightsContext & { readonly selected: string | undefined; readonly served: readonly string[] },
): string | undefined {
  const { selected, served, present, known } = to;
  if (served.length === 0) return undefined;
  if (selected === undefined) return textOf(wanted);
  const share = { [selected]: wanted[selected] ?? whole };
  const now = service.spec.selector?.[sliceLabel];
  // What leaves may not be out yet, also where the selector already says so: it keeps its share until its Pods are gone.
  const before = now === undefined ? readWeights(service, present) : formerWeights(service, now);
  const leaving = Object.entries(before).filter(([slice]) => slice !== selected && known.includes(slice));
  if (leaving.some(([slice]) => slice === '')) return undefined;
  return textOf({ ...Object.fromEntries(leaving), ...share });
}

function formerWeights(service: RouteService, selected: string): Weights {
  const annotated = annotatedWeights(service) ?? {};
  const positive = Object.entries(annotated).filter(([, weight]) => weight > 0);
  return { ...Object.fromEntries(positive), ...(selected === noSlice ? {} : readWeights(service, [])) };
}

function refuseNames(served: readonly string[]): void {
  const isName = /^([A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/;
  const bad = served.find(slice => slice === noSlice || !isName.test(slice));
  if (bad !== undefined) throw new ClusterError('Invalid', `"${bad}" cannot be the name of a slice`);
}

/** Those of the slices that shall not be served of which every Pod that shall says that it stands beside them. */
function leftOut(
  served: readonly string[],
  others: readonly string[],
  { isBeside }: WeightsContext,
): readonly string[] {
  return others.filter(other => served.every(slice => isBeside(slice, other)));
}

/** One slice, all of them, or all but those that Pods stand beside: a selector can say nothing else. The annotation can, for slices that have a name. */
function refuseUnselectable(
  served: readonly string[],
  others: readonly string[],
  { canWeigh }: WeightsContext,
): void {
  if (others.length === 0 || (canWeigh && !served.includes(''))) return;
  const say = (slices: readonly string[]) => slices.map(one => one || 'Pods without a slice').join(', ');
  const message = `a Service that nobody weighs cannot serve ${say(served)} and leave out ${say(others)}`;
  throw new ClusterError('Invalid', message);
}

/** Whole numbers from 0 to 100, as the router wants them; what is above zero stays above zero. */
function wholeWeights(weights: Weights): Weights {
  const values = Object.values(weights);
  const bad = values.find(weight => !Number.isFinite(weight) || weight < 0);
  if (bad !== undefined) throw new ClusterError('Invalid', `${bad} is no share`);
  const fits = values.every(weight => Number.isInteger(weight) && weight <= whole);
  if (fits) return weights;
  const factor = whole / Math.max(...values);
  const scaled = (weight: number) => (weight > 0 ? Math.max(1, Math.round(weight * factor)) : 0);
  return Object.fromEntries(Object.entries(weights).map(([slice, weight]) => [slice, scaled(weight)]));
}

/** The shares in the annotation; undefined where there is none that can be read. */
function annotatedWeights({ metadata }: RouteService): Weights | undefined {
  const text = metadata.annotations?.[weightsAnnotation];
  const parts = text?.split(',').map(part => /^\s*([\w.-]+)\s*=\s*(\d{1,3})\s*$/.exec(part));
  if (!parts?.every(part => part !== null)) return undefined;
  return Object.fromEntries(parts.map(([, slice = '', weight]) => [slice, Number(weight)]));
}

function textOf(weights: Weights): string {
  return Object.entries(weights)
    .sort(([a], [b]) => compareText(a, b))
    .map(([slice, weight]) => `${slice}=${weight}`)
    .join(',');
}
