import type { PhaseName } from '../../api/phase-names.ts';
import { isObject, type JsonObject, mergeJson } from '../../base/json.ts';
import { setValue } from '../../base/set-value.ts';
import { parseTargetPath } from '../../record/check-values-from.ts';

/** What goes over the values of a chart. */
export interface ChartWish {
  /** Helm's name for what comes of it; without it, the name of the service. */
  readonly release?: string;
  readonly namespace: string;
  /** What the record says, and for the cluster what Secrets and ConfigMaps hold. Null takes a value of the chart away. */
  readonly values: JsonObject;
  /** What the record gives to every service: Helm's `global`. */
  readonly shared: JsonObject;
  /** Paths of values that are not known yet, or must not enter a digest: their own names stand for them. */
  readonly standIns: readonly string[];
  readonly use: 'planned' | 'real';
}

/** The values that Helm lays over those of the chart; with a stage, for a chart that asks for the phase. */
export function chartValues({ values, shared, standIns }: ChartWish, stage?: PhaseName): JsonObject {
  const filled = standIns.reduce(
    (all, path) => setValue(all, parseTargetPath(path) ?? [path], `\${values.${path}}`),
    withGlobal(values, shared),
  );
  if (stage === undefined) return filled;
  const oslc = isObject(filled['oslc']) ? filled['oslc'] : {};
  return { ...filled, lifecycle: stage, oslc: { ...oslc, stage } };
}

/** The same for a chart that brings a flow of its own: what it is asked for. */
export function flowValues(
  values: JsonObject,
  { flowKind, serviceName }: { readonly flowKind: string; readonly serviceName: string },
): JsonObject {
  const oslc = isObject(values['oslc']) ? values['oslc'] : {};
  return { ...values, serviceName, oslc: { ...oslc, flow_kind: flowKind } };
}

/** What one service says goes over what is said to all. */
function withGlobal(values: JsonObject, shared: JsonObject): JsonObject {
  if (Object.keys(shared).length === 0) return values;
  const own = isObject(values['global']) ? values['global'] : {};
  return { ...values, global: mergeJson(shared, own) };
}
