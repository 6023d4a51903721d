import { expect } from 'vitest';
import type { StoredObject } from '../cluster.ts';
import { ClusterError } from '../cluster-error.ts';
import { type CaseWorld, eventually, refOf } from './case-world.contract.ts';
import type { ContractCluster } from './contract-cluster.ts';
import { crdType, makeRuleBreaker } from './foreign-kind.contract.ts';
import { makePod } from './make-pod.contract.ts';
import { runTopics } from './run-topics.contract.ts';

/** Where the embedded cluster answers otherwise than an API server, on purpose; why is on the page that lists them. */
interface KnownDifference {
  readonly ask: (world: CaseWorld) => Promise<unknown>;
  readonly server: unknown;
  readonly embedded: unknown;
}

const labels = { app: 'one' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'one', image: 'one:1' }] } };
const deploymentType = { apiVersion: 'apps/v1', kind: 'Deployment' };
const deploymentSpec = { replicas: 0, selector: { matchLabels: labels }, template };

/** What was answered, or why it was refused. */
async function outcome(asked: Promise<StoredObject>): Promise<string> {
  return asked.then(
    () => 'taken',
    error => {
      if (error instanceof ClusterError) return error.reason;
      throw error;
    },
  );
}

/** By the sentence under which the page has it. */
export const knownDifferences: Readonly<Record<string, KnownDifference>> = {
  'zero values are kept': {
    ask: async world => {
      const spec = { ...deploymentSpec, paused: false, minReadySeconds: 0 };
      const made = await world.create(world.object(deploymentType, 'one', { spec }));
      const { paused, minReadySeconds } = made['spec'] as Record<string, unknown>;
      return [paused, minReadySeconds];
    },
    server: [undefined, undefined],
    embedded: [false, 0],
  },
  'a write of the status changes nothing else': {
    ask: async world => {
      const made = await world.create(world.object(deploymentType, 'one', { spec: deploymentSpec }));
      const annotations = { note: 'yes' };
      const value = { metadata: { annotations }, status: { observedGeneration: 1 } };
      const options = { subresource: 'status' } as const;
      const changed = await world.cluster.patch(refOf(made), { type: 'merge', value }, options);
      return changed.metadata.annotations?.['note'];
    },
    server: 'yes',
    embedded: undefined,
  },
  'managed fields in a request are not read': {
    ask: async world => {
      const made = await world.create(world.configMap());
      const forgotten = { ...made.metadata, managedFields: [{}] };
      const changed = await world.cluster.update({ ...made, metadata: forgotten });
      return changed.metadata.managedFields === undefined;
    },
    server: true,
    embedded: false,
  },
  'an Event is of the API group it was written to': {
    ask: async world => {
      const { metadata, ...event } = world.object({ apiVersion: 'v1', kind: 'Event' }, 'one', {
        involvedObject: { kind: 'ConfigMap', name: 'one', namespace: world.namespace },
      });
      const made = await world.create({ ...event, metadata });
      return outcome(world.cluster.get({ ...refOf(made), apiVersion: 'events.k8s.io/v1' }));
    },
    server: 'taken',
    embedded: 'NotFound',
  },
  'a Service gets no address': {
    ask: async world => {
      const spec = { ports: [{ port: 80 }] };
      const made = await world.create(world.object({ apiVersion: 'v1', kind: 'Service' }, 'one', { spec }));
      return typeof (made['spec'] as Record<string, unknown>)['clusterIP'];
    },
    server: 'string',
    embedded: 'undefined',
  },
  'a Pod gets no account, token, priority or tolerations': {
    ask: async world => {
      const { spec } = await makePod(world, {});
      const names = ['serviceAccountName', 'volumes', 'priority', 'tolerations'];
      return names.filter(name => name in (spec as object));
    },
    server: ['serviceAccountName', 'volumes', 'priority', 'tolerations'],
    embedded: [],
  },
  'the content of built-in kinds is checked for types and little more': {
    ask: async world => {
      const type = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' };
      const spec = { podSelector: {}, policyTypes: ['Sideways'] };
      return outcome(world.create(world.object(type, 'one', { spec })));
    },
    server: 'Invalid',
    embedded: 'taken',
  },
  'what an apply empties in the map of another manager goes': {
    ask: async world => {
      const apply = async (fieldManager: string, spec: object) => {
        const { metadata, ...value } = world.record('one', { services: [], ...spec });
        const { labels: _, ...named } = metadata;
        const applied = { ...value, metadata: named };
        return world.cluster.patch(refOf(applied), { type: 'apply', value: applied, fieldManager });
      };
      await apply('one', { shared: { deep: { a: 1 } } });
      await apply('two', { shared: { deep: {} } });
      return ((await apply('one', {}))['spec'] as Record<string, unknown>)['shared'];
    },
    server: { deep: null },
    embedded: {},
  },
  'rules of foreign kinds are not evaluated': {
    ask: world => outcome(makeRuleBreaker(world)),
    server: 'Invalid',
    embedded: 'taken',
  },
};

/** Asks one world for every known difference: each must still be one, or the page is wrong. */
export function differencesContract(
  name: string,
  side: 'server' | 'embedded',
  start: () => Promise<ContractCluster>,
): void {
  const cases = Object.fromEntries(
    Object.entries(knownDifferences).map(([sentence, difference]) => [
      sentence,
      async (world: CaseWorld) => {
        expect(await difference.ask(world)).toEqual(difference[side]);
      },
    ]),
  );
  // The definitions the cases made are of the whole cluster, not of their namespace. No case is left out here.
  const startAndTidy = async (): Promise<ContractCluster> => {
    const given = await start();
    const close = () => removeDefinitions(given).then(() => given.close());
    return { ...given, differences: [], close };
  };
  runTopics(name, [{ topic: 'where the embedded cluster differs', cases }], startAndTidy);
}

async function removeDefinitions({ cluster }: ContractCluster): Promise<void> {
  const { items } = await cluster.list(crdType, { labelSelector: 'made-by=differences' });
  for (const item of items) await cluster.delete(refOf(item));
  await eventually('the definitions are gone', async () => {
    return (await cluster.list(crdType, { labelSelector: 'made-by=differences' })).items.length === 0;
  });
}
