import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { ClusterError } from '../cluster-error.ts';
import {
  configMapType,
  eventually,
  glance,
  phaseType,
  recordType,
  refOf,
  versionOf,
} from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

export const watchCases: ContractTopic = {
  topic: 'watching',
  cases: {
    'a watch from a moment has what happened after it, in order': async world => {
      const made = await world.create(world.record());
      const watch = world.watch(recordType, made.metadata.resourceVersion);
      const changed = await world.cluster.update({ ...made, spec: { services: [glance] } });
      await world.create(world.record('two'));
      await world.cluster.delete(refOf(made));
      await watch.expectSteps(['MODIFIED one', 'ADDED two', 'DELETED one']);
      expect(watch.changes[0]?.object).toEqual(changed);
    },
    'a watch begun late has what happened since its moment': async world => {
      const from = await world.moment(recordType);
      const made = await world.create(world.record());
      await world.cluster.update({ ...made, spec: { services: [glance] } });
      await world.cluster.delete(refOf(made));
      await world.watch(recordType, from).expectSteps(['ADDED one', 'MODIFIED one', 'DELETED one']);
    },
    'a watch from a moment that is still to come does not have what happens before it': async world => {
      const later = Number(await world.moment(configMapType)) + 1_000_000;
      const watch = world.watch(configMapType, `${later}`);
      await world.create(world.configMap());
      await sleep(300);
      expect(watch.steps).toEqual([]);
    },
    'a watch without a moment begins with what is there': async world => {
      const made = await world.create(world.record());
      const watch = world.watch(recordType);
      await watch.expectSteps(['ADDED one']);
      expect(watch.changes[0]?.object).toEqual(made);
      await world.create(world.record('two'));
      await watch.expectSteps(['ADDED one', 'ADDED two']);
    },
    'a watch from the moment of a list misses nothing and repeats nothing': async world => {
      await world.create(world.record('before'));
      const list = await world.cluster.list(recordType, world.mine);
      await world.create(world.record('after'));
      await world.watch(recordType, list.resourceVersion).expectSteps(['ADDED after']);
    },
    'a deletion shows the last state, with a version of its own': async world => {
      const made = await world.create(world.configMap('one', { a: 'last' }));
      const watch = world.watch(configMapType, made.metadata.resourceVersion);
      await world.cluster.delete(refOf(made));
      await watch.expectSteps(['DELETED one']);
      const [event] = watch.changes;
      expect(event?.object).toMatchObject({ data: { a: 'last' }, metadata: { uid: made.metadata.uid } });
      if (event) expect(versionOf(event.object)).toBeGreaterThan(versionOf(made));
    },
    'events have the version that the object got by the change': async world => {
      const from = await world.moment(configMapType);
      const made = await world.create(world.configMap());
      const changed = await world.cluster.update({ ...made, data: { a: '2' } });
      const watch = world.watch(configMapType, from);
      await watch.expectSteps(['ADDED one', 'MODIFIED one']);
      expect(watch.changes.map(event => versionOf(event.object))).toEqual([made, changed].map(versionOf));
    },
    'a changed status is a change': async world => {
      const made = await world.create(world.phase());
      const watch = world.watch(phaseType, made.metadata.resourceVersion);
      await world.cluster.updateStatus({ ...made, status: { satisfied: true } });
      await watch.expectSteps(['MODIFIED one']);
      expect(watch.changes[0]?.object).toMatchObject({ status: { satisfied: true } });
    },
    'a write that changes nothing is no event': async world => {
      const made = await world.create(world.configMap());
      const watch = world.watch(configMapType, made.metadata.resourceVersion);
      await world.cluster.update(made);
      await world.cluster.patch(refOf(made), { type: 'merge', value: { data: { a: '1' } } });
      await world.create(world.configMap('last'));
      await watch.expectSteps(['ADDED last']);
    },
    'a dry run is no event': async world => {
      const made = await world.create(world.configMap());
      const watch = world.watch(configMapType, made.metadata.resourceVersion);
      await world.cluster.update({ ...made, data: { a: '2' } }, { dryRun: true });
      await world.cluster.delete(refOf(made), { dryRun: true });
      await world.create(world.configMap('last'));
      await watch.expectSteps(['ADDED last']);
    },
    'watches side by side see the same': async world => {
      const from = await world.moment(configMapType);
      const watches = [1, 2, 3].map(() => world.watch(configMapType, from));
      for (const suffix of ['a', 'b', 'c']) await world.create(world.configMap(suffix));
      for (const watch of watches) await watch.expectSteps(['ADDED a', 'ADDED b', 'ADDED c']);
    },
    'a watch that is told to end ends, without an error': async world => {
      const watch = world.watch(recordType);
      await world.create(world.record());
      await watch.expectSteps(['ADDED one']);
      watch.stop();
      expect(await watch.ended).toBeUndefined();
    },
    'a watch that is not wanted any more before it began ends at once': async world => {
      const signal = AbortSignal.abort();
      const seen: unknown[] = [];
      for await (const event of world.cluster.watch(recordType, { ...world.mine, signal })) seen.push(event);
      expect(seen).toEqual([]);
    },
    'a bookmark says how far the watch has come, and nothing else': async world => {
      await world.create(world.record());
      const watch = world.watch(recordType);
      const bookmarks = () => watch.all.filter(event => event.type === 'BOOKMARK');
      await eventually('a bookmark', async () => bookmarks().length > 0);
      const [bookmark] = bookmarks();
      expect(bookmark?.object).toMatchObject({ kind: recordType.kind, apiVersion: recordType.apiVersion });
      expect(bookmark?.object.metadata.name).toBeUndefined();
      expect(bookmark && versionOf(bookmark.object)).toBeGreaterThan(0n);
      await world.create(world.record('after'));
      const steps = ['ADDED after'];
      await world.watch(recordType, bookmark?.object.metadata.resourceVersion).expectSteps(steps);
    },
    'a watch from a moment that is too long ago is expired': async world => {
      const watch = world.watch(recordType, await world.given.makeTooOld(recordType));
      const error = await watch.ended;
      expect(error).toBeInstanceOf(ClusterError);
      expect(error).toMatchObject({ reason: 'Expired' });
      expect(watch.changes).toEqual([]);
    },
    'a watch from a moment that is none is refused': async world => {
      const error = await world.watch(recordType, 'yesterday').ended;
      expect(error).toBeInstanceOf(ClusterError);
      expect(error).not.toMatchObject({ reason: 'Expired' });
    },
    'a watch of a kind that nobody serves is not found': async world => {
      const error = await world.watch({ apiVersion: recordType.apiVersion, kind: 'Nonsense' }).ended;
      expect(error).toMatchObject({ reason: 'NotFound' });
    },
  },
};
