import { type Strategy, strategies } from '../../api/fields.ts';
import type { JsonObject } from '../../base/json.ts';
import { identityOf } from '../object-kinds.ts';
import type { PlacedObject } from './placed-object.ts';
import { workloadsBehind } from './traffic-service.ts';

/** What is known of a chart when its strategies are asked for. */
export interface StrategyFacts {
  readonly placed: readonly PlacedObject[];
  /** What can stand twice. */
  readonly twice: ReadonlySet<PlacedObject>;
  /** The Service whose slices are switched. */
  readonly traffic: JsonObject | undefined;
  /** Why something is there once. */
  readonly whyNot: ReadonlyMap<PlacedObject, { readonly sliceBecause: string }>;
}

const controllers: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/** The strategies that are left, the gentlest first, with a note for each reason why another is out. */
export function remainingStrategies(facts: StrategyFacts): {
  readonly strategies: readonly Strategy[];
  readonly notes: readonly string[];
} {
  const { placed, twice, whyNot } = facts;
  const running = placed.filter(
    ({ role, chartObject: { object } }) => role === 'workload' && controllers.has(identityOf(object).kind),
  );
  const once = running.filter(one => !twice.has(one));
  const ways = secondWays(facts);
  const isOrdered = (one: PlacedObject) => identityOf(one.chartObject.object).kind !== 'Deployment';
  const out = new Set<Strategy>();
  const notes: string[] = [];
  for (const one of once) {
    out.add('bluegreen');
    if (!isOrdered(one)) out.add('rolling');
    const without = isOrdered(one) ? 'bluegreen is' : 'bluegreen and rolling are';
    notes.push(`${say(one.chartObject.object)}: ${whyNot.get(one)?.sliceBecause ?? ''}; ${without} out`);
  }
  for (const { service, workload } of ways) {
    out.add('bluegreen').add('rolling');
    const why =
      'also before they are tested; bluegreen and rolling are out unless a lifecycle.yaml gives it a component';
    notes.push(`${say(service)} leads to pods of ${say(workload)} whatever slice they are of, ${why}`);
  }
  const gentlest: readonly Strategy[] = ['bluegreen', 'rolling', 'recreate'];
  return { strategies: gentlest.filter(one => strategies.includes(one) && !out.has(one)), notes };
}

/** Services other than the one that is switched, which would lead to slices that nobody tested. */
function secondWays({
  placed,
  twice,
  traffic,
}: StrategyFacts): { service: JsonObject; workload: JsonObject }[] {
  const sliced = [...twice].map(({ chartObject }) => chartObject.object);
  return placed.flatMap(({ chartObject: { object } }) => {
    const [workload] = object === traffic ? [] : workloadsBehind(object, sliced);
    return workload ? [{ service: object, workload }] : [];
  });
}

function say(object: JsonObject): string {
  const { kind, name } = identityOf(object);
  return `${kind} ${name}`;
}
