import { expect } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { ClusterObject, StoredObject } from '../cluster.ts';
import { type CaseWorld, refOf, refusal } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

function patch(world: CaseWorld, object: ClusterObject, value: JsonObject): Promise<StoredObject> {
  return world.cluster.patch(refOf(object), { type: 'strategic', value });
}

const containers = [
  { name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }], ports: [{ containerPort: 80 }] },
  { name: 'b', image: 'b:1' },
  { name: 'c', image: 'c:1' },
];

/** A Deployment of three containers and a volume, of which nothing ever runs. */
function made(world: CaseWorld): Promise<StoredObject> {
  const labels = { app: world.id };
  return world.create({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `strategic-${world.id}`, namespace: world.namespace, labels: { case: world.id } },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers, volumes: [{ name: 'v', configMap: { name: 'm' } }] },
      },
    },
  });
}

interface PodPart {
  readonly containers: readonly {
    readonly name: string;
    readonly image: string;
    readonly [field: string]: unknown;
  }[];
  readonly volumes?: readonly unknown[];
}

function podOf(object: StoredObject): PodPart {
  const { template } = object['spec'] as { template: { spec: PodPart } };
  return template.spec;
}

const inPod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });
const namesIn = (object: StoredObject) => podOf(object).containers.map(({ name }) => name);

export const strategicPatchCases: ContractTopic = {
  topic: 'strategic merge patch',
  cases: {
    'items of a list are merged by their key, in the order of the patch': async world => {
      const one = await made(world);
      const patched = await patch(
        world,
        one,
        inPod({
          containers: [
            { name: 'b', image: 'b:2' },
            { name: 'd', image: 'd:1' },
          ],
        }),
      );
      expect(podOf(patched).containers.map(({ name, image }) => `${name} ${image}`)).toEqual([
        'a a:1',
        'b b:2',
        'd d:1',
        'c c:1',
      ]);
    },
    'lists in items are merged too': async world => {
      const one = await made(world);
      const env = [{ name: 'Y', value: '2' }];
      const patched = await patch(world, one, inPod({ containers: [{ name: 'a', env }] }));
      expect(podOf(patched).containers[0]?.['env']).toEqual([...env, { name: 'X', value: '1' }]);
    },
    'an item is taken away by its key': async world => {
      const one = await made(world);
      const patched = await patch(world, one, inPod({ containers: [{ name: 'b', $patch: 'delete' }] }));
      expect(namesIn(patched)).toEqual(['a', 'c']);
    },
    'a list is replaced where the patch says so': async world => {
      const one = await made(world);
      const list = [{ name: 'z', image: 'z:1' }, { $patch: 'replace' }];
      const patched = await patch(world, one, inPod({ containers: list }));
      expect(namesIn(patched)).toEqual(['z']);
    },
    'a map is replaced where the patch says so': async world => {
      const one = await world.create(world.configMap('one', { a: '1', b: '2' }));
      const patched = await patch(world, one, { data: { $patch: 'replace', c: '3' } });
      expect(patched['data']).toEqual({ c: '3' });
    },
    'null takes away': async world => {
      const one = await made(world);
      const patched = await patch(world, one, inPod({ volumes: null }));
      expect(podOf(patched).volumes).toBeUndefined();
    },
    'of a volume only the keys stay that the patch leaves': async world => {
      const one = await made(world);
      const volume = { name: 'v', $retainKeys: ['name', 'emptyDir'], emptyDir: {} };
      const patched = await patch(world, one, inPod({ volumes: [volume] }));
      expect(podOf(patched).volumes).toEqual([{ name: 'v', emptyDir: {} }]);
    },
    'the order of a list is that of the patch, and items it does not know stay among them': async world => {
      const one = await made(world);
      const order = [{ name: 'c' }, { name: 'd' }, { name: 'a' }];
      const list = { '$setElementOrder/containers': order, containers: [{ name: 'd', image: 'd:1' }] };
      expect(namesIn(await patch(world, one, inPod(list)))).toEqual(['b', 'c', 'd', 'a']);
    },
    'an order alone moves items': async world => {
      const one = await made(world);
      const order = [{ name: 'c' }, { name: 'b' }, { name: 'a' }];
      const patched = await patch(world, one, inPod({ '$setElementOrder/containers': order }));
      expect(namesIn(patched)).toEqual(['c', 'b', 'a']);
    },
    'values of a set are added once, and taken away by name': async world => {
      const one = await world.create(world.configMap('one', {}, { finalizers: ['test.afloat/a'] }));
      const two = await patch(world, one, { metadata: { finalizers: ['test.afloat/a', 'test.afloat/b'] } });
      expect(two.metadata.finalizers).toEqual(['test.afloat/a', 'test.afloat/b']);
      const gone = ['test.afloat/a', 'test.afloat/b'];
      const three = await patch(world, two, { metadata: { '$deleteFromPrimitiveList/finalizers': gone } });
      expect(three.metadata.finalizers).toBeUndefined();
    },
    'lists without keys are replaced': async world => {
      const one = await made(world);
      const patched = await patch(world, one, inPod({ containers: [{ name: 'a', args: ['1', '2'] }] }));
      const again = await patch(world, patched, inPod({ containers: [{ name: 'a', args: ['3'] }] }));
      expect(podOf(again).containers[0]?.['args']).toEqual(['3']);
    },
    'an item without its key is refused': async world => {
      const one = await made(world);
      const asked = patch(world, one, inPod({ containers: [{ image: 'x' }] }));
      await refusal(['BadRequest', 'InternalError'], asked);
    },
    'custom kinds have no such patch': async world => {
      const one = await world.create(world.record());
      await refusal('BadRequest', patch(world, one, { spec: { approval: 'manual' } }));
    },
    'what is patched is owned by who patched it': async world => {
      const one = await made(world);
      const value = inPod({ containers: [{ name: 'b', image: 'b:2' }] });
      const patched = await world.cluster.patch(
        refOf(one),
        { type: 'strategic', value },
        { fieldManager: 'painter' },
      );
      const owned = patched.metadata.managedFields?.find(({ manager }) => manager === 'painter');
      expect(JSON.stringify(owned?.['fieldsV1'])).toContain('f:image');
    },
  },
};
