/** What a person with kubectl sees and may do, on a real node: nothing of it takes a serving Pod along. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kinds } from '../../src/api/kinds.ts';
import type { PhaseObject } from '../../src/controller/our-objects.ts';
import { type JourneyWorld, storyMs } from '../journeys/engine/journey-world.ts';
import { openNodeWorld, theNode } from './node-world.ts';
import { rollOutPlainly } from './plain-rollout.ts';
import { type Kubectl, kubectlOf } from './run-kubectl.ts';

let world: JourneyWorld;
let kubectl: Kubectl;
beforeAll(async () => {
  world = await openNodeWorld();
  kubectl = kubectlOf(await theNode(), world.namespace);
  for (const version of ['1.0.0', '1.1.0']) world.aPackage('shop', version, { replicas: 2, head: '1' });
}, storyMs);
afterAll(() => world.close(), storyMs);

const apply = (version: string) => world.apply({ services: [{ name: 'shop', version }], soakSeconds: 5 });

test(
  'kubectl waits for a record to be ready',
  async () => {
    await apply('1.0.0');
    const said = await kubectl('wait', '--for=condition=Ready', 'osdpl/cloud', '--timeout=240s');
    expect(said).toContain('condition met');
    expect(await world.serving('shop')).toMatchObject({ version: '1.0.0' });
  },
  storyMs,
);

test.each(kinds.map(kind => [kind.kind, kind] as const))(
  '%s has its columns, and kubectl explains it',
  async (_, { plural, columns }) => {
    const table = await kubectl('get', plural, '--output=wide', '--ignore-not-found');
    const [head = ''] = table.split('\n');
    if (table !== '') for (const { name } of columns) expect(head).toContain(name.toUpperCase());
    expect(await kubectl('explain', `${plural}.spec`)).toContain('FIELDS:');
  },
);

test('what happened is told as events of the flow and of its phases', async () => {
  const told = await kubectl(
    'get',
    'events',
    '--output=jsonpath={range .items[*]}{.involvedObject.kind} {end}',
  );
  expect(told.split(' ')).toEqual(expect.arrayContaining(['Oslc', 'TestPhase', 'TrafficRolloutPhase']));
});

test(
  'phases that are deleted and replaced in mid-flow take no serving Pod along, and the upgrade comes to its end',
  async () => {
    const before = (await world.pods('shop')).map(({ metadata }) => metadata.uid);
    const load = await world.load('shop');
    await apply('1.1.0');
    const seen = new Set<string>();
    /** Deletes every phase once, as soon as it is there; every second one is made again as it was. */
    const meddle = async () => {
      const flow = (await world.flows('shop')).find(({ spec }) => spec.flowKind === 'upgrade');
      if (!flow) return undefined;
      for (const phase of await world.phases(flow.metadata.name)) {
        if (seen.has(phase.metadata.name)) continue;
        seen.add(phase.metadata.name);
        await (seen.size % 2 === 0 ? replace(phase) : remove(phase));
      }
      return flow.status?.end;
    };
    await world.until('the end of the upgrade', meddle, 90);
    await load.stop();
    expect(load.lastFailure).toBeUndefined();
    expect(seen.size).toBeGreaterThan(5);
    expect(await world.serving('shop')).toMatchObject({ version: '1.1.0' });
    expect(before.length).toBe(2);
  },
  storyMs,
);

const refOf = ({ kind, metadata }: PhaseObject) => [kind, metadata.name];
const remove = (phase: PhaseObject) =>
  kubectl('delete', ...refOf(phase), '--wait=false', '--ignore-not-found');

/** What `kubectl replace --force` does. */
async function replace(phase: PhaseObject): Promise<void> {
  await remove(phase);
  const { apiVersion, kind, metadata, spec } = phase;
  const { name, labels = {}, annotations = {}, ownerReferences = [] } = metadata;
  const again = {
    apiVersion,
    kind,
    spec,
    metadata: { name, namespace: world.namespace, labels, annotations, ownerReferences },
  };
  await world.cluster.create(again as never).catch((error: { reason?: string }) => {
    // Whoever is at work has made it again already.
    if (error.reason !== 'AlreadyExists') throw error;
  });
}

test(
  'flows and phases that are over are deleted, and nothing that serves goes',
  async () => {
    const before = (await world.pods('shop')).map(({ metadata }) => metadata.uid).sort();
    const load = await world.load('shop');
    await kubectl('delete', 'oslc', '--all', '--cascade=foreground', '--timeout=60s');
    await kubectl('delete', 'lcplan', '--all', '--cascade=foreground', '--timeout=60s');
    await world.until('requests meanwhile', async () => load.counts().requests > 150);
    await load.stop();
    expect(load.lastFailure).toBeUndefined();
    expect((await world.pods('shop')).map(({ metadata }) => metadata.uid).sort()).toEqual(before);
  },
  storyMs,
);

test(
  'a plain rollout beside ours, for comparison, is told with what it lost',
  async () => {
    const { counts, seconds } = await rollOutPlainly(world, kubectl, {
      ...{ name: 'plain', from: 'journey/shop:1.0.0', to: 'journey/shop:1.1.0', replicas: 2 },
      pace: { clients: 4, perSecond: 30 },
    });
    process.stdout.write(
      `a plain rollout: ${counts.failed} of ${counts.requests} requests failed, ${seconds.toFixed(1)} s; ours: 0\n`,
    );
    expect(counts.requests).toBeGreaterThan(30);
  },
  storyMs,
);
