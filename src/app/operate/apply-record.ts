import { apiVersion, group } from '../../api/group.ts';
import type { LifecyclePlan, Waiting } from '../../api/lifecycle-plan.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Cluster, ClusterObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { findObject } from '../../cluster/find-object.ts';
import { listAll } from '../../cluster/follow/list-all.ts';
import { pushPackages } from '../../controller/store/push-packages.ts';
import type { ObservedState } from '../../plan/observed-state.ts';
import { makePlan } from '../../plan/plan.ts';
import type { Manifest } from '../../record/parse-yaml.ts';
import type { ResolvedRecord } from '../../record/record.ts';
import { planIsOver } from '../../status/cloud-objects.ts';
import type { NamespaceWish } from '../in-namespace.ts';
import { pushedPackages } from '../open-packages.ts';
import type { Applied, ApplyRequest } from '../operator-verbs.ts';
import { openNamespace } from './push-record.ts';
import { type ReadRecord, readRecord } from './read-record.ts';

/** Who the fields of a record belong to that was applied from the command line. */
export const fieldManager = 'afloat-cli';

/** What a person said about a change, kept with the record. */
export const messageAnnotation = `${group}/message`;

/** What applying needs beside the cluster. */
export interface ApplyPorts {
  readonly namespace: NamespaceWish;
  /** What runs of the cloud of a record. Without it nothing is said of what waits. */
  readonly observe?: (record: ResolvedRecord) => Promise<ObservedState>;
}

/**
 * Checks record and packages as `plan` does, brings the packages into the cluster, then applies the record: an operator never
 * sees a record whose packages are not there. Where anything is wrong nothing is written.
 */
export async function applyRecord(
  cluster: Cluster,
  request: ApplyRequest,
  ports: ApplyPorts,
): Promise<Applied> {
  const read = await readRecord(request, ports.namespace, namespace => pushedPackages(cluster, namespace));
  if ('findings' in read) return read;
  const { record, manifest, packages } = read;
  await openNamespace(cluster, record.namespace);
  await refuseSecond(cluster, record);
  const waiting = await whatWaits(read, ports.observe);
  const formerPlans = await plansThatAreOver(cluster, record.namespace);
  await pushPackages(cluster, record.namespace, packages);
  const written = await writeRecord(cluster, record, manifest, request.message);
  return { ...written, packages: packages.length, waiting, formerPlans };
}

/** What a plan for the record would leave out now, and why; the operator comes to the same by the same means. */
async function whatWaits(
  { record, targets }: ReadRecord,
  observe: ApplyPorts['observe'],
): Promise<readonly Waiting[]> {
  if (!observe) return [];
  try {
    const result = makePlan({ record, targets, observed: await observe(record) });
    return 'findings' in result ? [] : result.plan.waiting;
  } catch (error) {
    // Who may write a record need not be allowed to read everything a plan is made from.
    if (isReason(error, 'Forbidden')) return [];
    throw error;
  }
}

async function plansThatAreOver(cluster: Cluster, namespace: string): Promise<string[]> {
  const { items } = await listAll(cluster, { apiVersion, kind: 'LifecyclePlan' }, { namespace });
  const plans = items as unknown as readonly LifecyclePlan[];
  return plans.filter(planIsOver).map(({ metadata }) => metadata.name);
}

/** One record per namespace: two would fight over it. */
async function refuseSecond(cluster: Cluster, { name, namespace }: ResolvedRecord): Promise<void> {
  const { items } = await cluster.list({ apiVersion, kind: 'OpenstackDeployment' }, { namespace });
  const other = items.find(({ metadata }) => metadata.name !== name);
  if (other)
    throw new CodedError(
      'NotNow',
      `namespace ${namespace} already has the record ${other.metadata.name}; a second one is not taken`,
    );
}

async function writeRecord(
  cluster: Cluster,
  record: ResolvedRecord,
  { object }: Manifest,
  message: string | undefined,
): Promise<{ cloud: string; namespace: string; generation: number; changed: boolean }> {
  const { name, namespace } = record;
  const ref = { apiVersion: String(object['apiVersion']), kind: 'OpenstackDeployment', name, namespace };
  const before = (await findObject(cluster, ref))?.metadata.generation;
  const written = (object['metadata'] ?? {}) as JsonObject;
  const annotations = {
    ...(written['annotations'] as JsonObject),
    ...(message === undefined ? {} : { [messageAnnotation]: message }),
  };
  const value = {
    ...object,
    metadata: {
      ...written,
      name,
      namespace,
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
  } as unknown as ClusterObject;
  const stored = await cluster.patch(ref, { type: 'apply', value, fieldManager, force: true });
  const generation = stored.metadata.generation ?? 1;
  return { cloud: name, namespace, generation, changed: generation !== before };
}
