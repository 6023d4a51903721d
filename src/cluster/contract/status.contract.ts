import { expect } from 'vitest';
import { fieldsOf, managersOf, refOf, refusal, versionOf } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

const ready = { type: 'Ready', status: 'True' };

export const statusCases: ContractTopic = {
  topic: 'status',
  cases: {
    'a status is written, with a new version and the same generation': async world => {
      const made = await world.create(world.phase());
      const changed = await world.cluster.updateStatus({ ...made, status: { satisfied: true } });
      expect(changed).toMatchObject({ status: { satisfied: true }, metadata: { generation: 1 } });
      expect(versionOf(changed)).toBeGreaterThan(versionOf(made));
      expect(await world.now(made)).toEqual(changed);
    },
    'a status write changes nothing but the status': async world => {
      const made = await world.create(world.phase());
      const metadata = { ...made.metadata, labels: { color: 'red' }, annotations: { a: 'b' } };
      const spec = { ...(made['spec'] as object), openstackServiceName: 'other' };
      const status = { satisfied: true };
      const changed = await world.cluster.updateStatus({ ...made, metadata, spec, status });
      expect(changed['spec']).toEqual(made['spec']);
      expect(changed.metadata.labels).toEqual(made.metadata.labels);
      expect(changed.metadata.annotations).toBeUndefined();
    },
    'a status of an old version is a conflict': async world => {
      const made = await world.create(world.phase());
      await world.cluster.updateStatus({ ...made, status: { satisfied: true } });
      await refusal('Conflict', world.cluster.updateStatus({ ...made, status: { satisfied: false } }));
    },
    'a status that says the same keeps the version': async world => {
      const made = await world.create(world.phase());
      const first = await world.cluster.updateStatus({ ...made, status: { satisfied: true } });
      const again = await world.cluster.updateStatus({ ...first, status: { satisfied: true } });
      expect(again.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    },
    'a status that is wrong is refused with its fields': async world => {
      const made = await world.create(world.phase());
      const status = { satisfied: 'yes', conditions: [{ type: 'Ready', status: 'Maybe' }] };
      const error = await refusal('Invalid', world.cluster.updateStatus({ ...made, status }));
      expect(fieldsOf(error)).toEqual(['status.conditions[0].status', 'status.satisfied']);
    },
    'unknown fields of a status are dropped': async world => {
      const made = await world.create(world.phase());
      const changed = await world.cluster.updateStatus({
        ...made,
        status: { satisfied: true, mood: 'good' },
      });
      expect(changed['status']).toEqual({ satisfied: true });
    },
    'a merge patch of the status changes the status only': async world => {
      const made = await world.create(world.phase());
      const value = { status: { satisfied: true }, spec: { openstackServiceName: 'other' } };
      const options = { subresource: 'status' } as const;
      const patched = await world.cluster.patch(refOf(made), { type: 'merge', value }, options);
      expect(patched['status']).toEqual({ satisfied: true });
      expect(patched['spec']).toEqual(made['spec']);
    },
    'a JSON patch of the status changes the status': async world => {
      const made = await world.create(world.phase());
      const value = [{ op: 'add', path: '/status', value: { satisfied: true } }];
      const options = { subresource: 'status' } as const;
      const patched = await world.cluster.patch(refOf(made), { type: 'json', value }, options);
      expect(patched['status']).toEqual({ satisfied: true });
    },
    'conditions of two managers stand side by side, by type': async world => {
      const made = await world.create(world.phase());
      const apply = (fieldManager: string, conditions: readonly object[]) => {
        const { apiVersion, kind, metadata } = made;
        const { name, namespace = '' } = metadata;
        const value = { apiVersion, kind, metadata: { name, namespace }, status: { conditions } };
        const patch = { type: 'apply', value, fieldManager } as const;
        return world.cluster.patch(refOf(made), patch, { subresource: 'status' });
      };
      await apply('one', [ready]);
      const both = await apply('two', [{ type: 'Backed', status: 'True' }]);
      expect(both['status']).toEqual({ conditions: [ready, { type: 'Backed', status: 'True' }] });
      expect(managersOf(both)).toEqual(['apply one status', 'apply two status', 'update afloat']);
      const asked = apply('two', [{ type: 'Ready', status: 'False' }]);
      const field = '.status.conditions[type="Ready"].status';
      expect(fieldsOf(await refusal('Conflict', asked))).toEqual([field]);
      const less = await apply('one', []);
      expect(less['status']).toEqual({ conditions: [{ type: 'Backed', status: 'True' }] });
    },
    'a status cannot be applied to what is not there': async world => {
      const value = { ...world.phase(), status: { satisfied: true } };
      const patch = { type: 'apply', value, fieldManager: 'one' } as const;
      const asked = world.cluster.patch(refOf(value), patch, { subresource: 'status' });
      await refusal('NotFound', asked);
    },
    'a kind without a status has nothing there to write': async world => {
      const made = await world.create(world.configMap());
      await refusal('NotFound', world.cluster.updateStatus({ ...made, status: {} }));
    },
    'a status of what is not there is refused': async world => {
      const lost = world.phase('one', {}, { resourceVersion: '5' });
      await refusal('NotFound', world.cluster.updateStatus({ ...lost, status: {} }));
    },
  },
};
