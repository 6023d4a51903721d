import { isObject } from '../../base/json.ts';
import type { PhaseObject } from '../our-objects.ts';

/** The fields in which each phase kind says how long it may take. */
const strategies = [
  ...(['testStrategy', 'trafficRolloutStrategy', 'trafficDrainStrategy'] as const),
  ...(['inServicePolicy', 'backupPolicy'] as const),
];

/** The deadline that a phase which a person wrote by hand sets itself; none, or 0, is ours for each object. */
export function aloneDeadline(spec: PhaseObject['spec']): number | undefined {
  const said = strategies.flatMap(field => {
    const strategy = (spec as Readonly<Record<string, unknown>>)[field];
    const seconds = isObject(strategy) ? strategy['timeoutInSecond'] : undefined;
    return typeof seconds === 'number' && seconds > 0 ? [seconds] : [];
  });
  return said[0];
}
