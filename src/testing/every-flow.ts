import { strategies } from '../api/fields.ts';
import type { DataAction } from '../api/flow-kinds.ts';
import type { DataStep, PlanStep } from '../api/lifecycle-plan.ts';
import { type Flow, makeFlow } from '../flow/flow.ts';
import { aPlanStep, dataStep } from './a-plan-step.ts';

const softwarePolicies = ['auto', 'ask', 'hold'] as const;
const dataPolicies = ['auto', 'ask', 'never'] as const;
const outside = ['none', 'reconcile', 'unrecoverable'] as const;

/** What keeps clients from data that is about to change: a route; none; none while its backup is taken either. */
const kept = {
  '': () => ({}),
  ' unrouted': () => ({ unrouted: true }),
  ' served here': (data: readonly DataStep[]) => ({
    data: data.map(entry => ({ ...entry, servedHere: true })),
  }),
} as const;

/** What each kind of flow may do to a database, by strategy: what planning would let through. */
function dataFor(flow: PlanStep['flow'], strategy: PlanStep['strategy']): (DataAction | undefined)[] {
  switch (flow) {
    case 'install':
      return [undefined, 'create', 'keep', 'expand', 'migrate'];
    case 'upgrade':
      return strategy === 'recreate'
        ? [undefined, 'create', 'keep', 'expand', 'migrate']
        : [undefined, 'create', 'keep', 'expand'];
    case 'rollback':
      return strategy === 'recreate' ? [undefined, 'keep', 'restore'] : [undefined, 'keep'];
    case 'uninstall':
      return [undefined, 'keep', 'purge'];
    case 'contract':
      return ['contract'];
    default:
      return [undefined];
  }
}

/** Every flow that a plan can ask for: kind by strategy by data by policy. */
export function everyFlow(): { readonly name: string; readonly flow: Flow }[] {
  const kinds = ['install', 'upgrade', 'reconfigure', 'rollback', 'uninstall', 'contract'] as const;
  return kinds.flatMap(kind => {
    const ways =
      kind === 'upgrade' || kind === 'reconfigure' || kind === 'rollback'
        ? [...strategies, 'inplace' as const]
        : (['inplace'] as const);
    return ways.flatMap(strategy =>
      dataFor(kind, strategy).flatMap(action =>
        softwarePolicies.flatMap(software =>
          dataPolicies.flatMap(data =>
            outside.flatMap(stateOutside =>
              Object.entries(kept)
                .filter(([how]) => how === '' || (kind === 'upgrade' && action === 'migrate'))
                .map(([how, more]) => ({
                  name: `${kind} ${strategy} ${action ?? 'no data'} ${software}/${data} ${stateOutside}${how}`,
                  flow: makeFlow(
                    aPlanStep(kind, {
                      ...{ strategy, slices: 3, data: action ? [dataStep(action)] : [] },
                      ...{ rollback: { software, data }, stateOutside },
                      ...more(action ? [dataStep(action)] : []),
                    }),
                  ),
                })),
            ),
          ),
        ),
      ),
    );
  });
}
