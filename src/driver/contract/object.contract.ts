import { expect } from 'vitest';
import { failedWhenAnnotation, readyWhenAnnotation } from '../../api/labels.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { type DriverCase, type DriverCases, ours } from './driver-case.contract.ts';

const group = 'driver.afloat.test';

/** A kind without a controller: the cases write its status. One per case, for a definition is everybody's. */
function definition(kind: string): ClusterObject {
  const plural = `${kind.toLowerCase()}s`;
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels: ours },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
}

/** Runs a case with a kind of its own, and takes the kind away. */
async function withKind(
  run: DriverCase,
  kind: string,
  check: (make: (annotations?: Record<string, string>, spec?: JsonObject) => ClusterObject) => Promise<void>,
): Promise<void> {
  await run.becomes(definition(kind), 'done');
  try {
    await check((annotations = {}, spec = {}) =>
      run.object(kind, 'one', { apiVersion: `${group}/v1`, spec }, annotations),
    );
  } finally {
    await run.removed(definition(kind));
  }
}

/** Writes a status as a controller would. */
async function say(run: DriverCase, object: ClusterObject, status: JsonObject): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const ref = { apiVersion, kind, name: metadata.name ?? '', namespace: run.namespace };
  await run.cluster.patch(ref, { type: 'merge', value: { status } }, { subresource: 'status' });
}

function condition(type: string, status: string, reason: string): Json {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  return { type, status, reason, message: `it is ${reason}`, lastTransitionTime };
}

export const objectCases: DriverCases = {
  'a ConfigMap, a Secret, a Service and a Role are done when they are there, and go': async run => {
    const objects = [
      run.object('ConfigMap', 'config', { data: { key: 'value' } }),
      run.object('Secret', 'keys', { stringData: { key: 'value' } }),
      run.object('Service', 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 8080 }] } }),
      run.object('Role', 'reader', {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      }),
    ];
    for (const object of objects) {
      expect(await run.observe(object)).toMatchObject({ state: 'absent' });
      await run.apply(object);
      await run.apply(object);
      expect(await run.observe(object)).toMatchObject({ state: 'done', reason: 'Exists' });
      await run.removed(object);
      expect(await run.driver(object).remove(object)).toBe('gone');
    }
  },
  'what was ours and is no longer in the manifest goes; what others wrote stays': async run => {
    const config = (data: JsonObject) => run.object('ConfigMap', 'config', { data });
    await run.apply(config({ one: '1', two: '2' }));
    const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'config', namespace: run.namespace };
    await run.cluster.patch(ref, { type: 'merge', value: { data: { theirs: 'x' } } });
    await run.apply(config({ one: '1' }));
    expect((await run.cluster.get(ref))['data']).toEqual({ one: '1', theirs: 'x' });
  },
  'an object that Afloat did not write is not removed': async run => {
    const config = run.object('ConfigMap', 'config', { data: {} });
    await run.cluster.create({ ...config, metadata: { ...config.metadata, labels: {} } });
    const refusal = expect.objectContaining({ code: 'ObjectNotOurs' });
    await expect(run.driver(config).remove(config)).rejects.toEqual(refusal);
    expect(await run.observe(config)).toMatchObject({ state: 'done' });
  },
  'a custom resource is judged by its conditions': async run => {
    await withKind(run, 'Gadget', async make => {
      await run.apply(make());
      expect(await run.observe(make())).toMatchObject({ state: 'done', reason: 'Exists' });
      await say(run, make(), { conditions: [condition('Ready', 'False', 'Starting')] });
      expect(await run.observe(make())).toMatchObject({ state: 'progressing', reason: 'Starting' });
      await say(run, make(), { observedGeneration: 1, conditions: [condition('Ready', 'True', 'Up')] });
      expect(await run.observe(make())).toMatchObject({ state: 'done', reason: 'Up' });
      await run.apply(make({}, { size: 2 }));
      expect(await run.observe(make())).toMatchObject({ state: 'progressing', reason: 'NotObserved' });
      await say(run, make(), {
        observedGeneration: 2,
        conditions: [condition('Stalled', 'True', 'BadSize')],
      });
      expect(await run.observe(make())).toMatchObject({ state: 'failed', reason: 'BadSize' });
      await run.removed(make());
    });
  },
  'a custom resource is judged by what its package says': async run => {
    await withKind(run, 'Engine', async make => {
      const annotations = {
        [readyWhenAnnotation]: 'jsonpath={.status.phase}=Succeeded',
        [failedWhenAnnotation]: 'condition=Broken',
      };
      const engine = make(annotations);
      await run.apply(engine);
      expect(await run.observe(engine)).toMatchObject({ state: 'progressing', reason: 'NotReady' });
      await say(run, engine, { phase: 'Succeeded' });
      expect(await run.observe(engine)).toMatchObject({ state: 'done' });
      await say(run, engine, { conditions: [condition('Broken', 'True', 'NoFuel')] });
      expect(await run.observe(engine)).toMatchObject({ state: 'failed', reason: 'NoFuel' });
      const bad = make({ [readyWhenAnnotation]: 'when it is good' });
      const refusal = expect.objectContaining({ code: 'PackageInvalid' });
      await expect(run.apply(bad)).rejects.toEqual(refusal);
      await expect(run.observe(bad)).rejects.toEqual(refusal);
    });
  },
};
