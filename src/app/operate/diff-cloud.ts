import type { InventoryItem } from '../../api/service-revision.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { newestPlan, planIsOver, revisionsOf } from '../../status/cloud-objects.ts';
import type { ObjectDifference } from '../../status/compare-inventories.ts';
import type { CloudDifference } from '../operator-verbs.ts';
import type { Desk } from './write-spec.ts';

/** What the record says against what runs: versions, what the plan would change, and objects that ought to be there and are not. */
export async function diffCloud(desk: Desk): Promise<CloudDifference> {
  const { objects, view } = desk.snapshot;
  const plan = newestPlan(objects);
  const services = await Promise.all(
    view.services.map(async ({ name, wanted, serves, flow }) => {
      const steps = plan?.spec.plan.steps.filter(step => step.service === name && isAhead(step.id)) ?? [];
      // While a flow runs, what is missing is its business.
      const missing = flow !== undefined && flow.state !== 'ended' ? [] : await missingObjects(desk, name);
      return {
        service: name,
        ...(wanted === undefined ? {} : { wanted }),
        ...(serves === undefined ? {} : { serves }),
        objects: [...steps.flatMap(({ changes }) => changes), ...missing],
      };
    }),
  );
  return { services };

  function isAhead(id: string): boolean {
    if (!plan || planIsOver(plan)) return false;
    return plan.status?.steps?.find(step => step.id === id)?.end === undefined;
  }
}

async function missingObjects(
  { cluster, namespace, snapshot }: Desk,
  service: string,
): Promise<ObjectDifference[]> {
  const newest = revisionsOf(snapshot.objects, service).at(-1);
  if (!newest || newest.spec.flow === 'uninstall') return [];
  const wanted = newest.spec.parts.flatMap(({ inventory, slices, hostGroup }) =>
    inventory
      .filter(({ role }) => role === 'workload' || role === 'support')
      .flatMap(item => namesOf(item, slices, hostGroup).map(name => ({ ...item, name }))),
  );
  const found = await Promise.all(
    wanted.map(async item => ((await isThere(cluster, namespace, item)) ? [] : [item])),
  );
  return found.flat().map(({ kind, name }) => ({ object: `${kind}/${name}`, change: 'missing' }));
}

/** The names an object has in the slices it runs in. What stays unknown is not looked for. */
function namesOf(
  { name }: InventoryItem,
  slices: readonly string[],
  hostGroup: string | undefined,
): string[] {
  const ofGroup = hostGroup === undefined ? name : name.replaceAll('${hostGroup}', hostGroup);
  const names = ofGroup.includes('${slice}')
    ? slices.map(slice => ofGroup.replaceAll('${slice}', slice))
    : [ofGroup];
  return names.filter(one => !one.includes('${'));
}

async function isThere(cluster: Cluster, home: string, item: InventoryItem): Promise<boolean> {
  const { apiVersion, kind, name, namespace = home } = item;
  try {
    await cluster.get({ apiVersion, kind, name, namespace });
    return true;
  } catch (error) {
    // A kind without namespaces is not to be asked for with one; whether it is there cannot be told then.
    if (isReason(error, 'NotFound')) return false;
    if (isReason(error, 'BadRequest', 'Forbidden')) return true;
    throw error;
  }
}
