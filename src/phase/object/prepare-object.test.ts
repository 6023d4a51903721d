import { describe, expect, it } from 'vitest';
import { componentLabel, serviceLabel, sliceLabel } from '../../api/labels.ts';
import { aPart, aService, aTask, aWorkload, someSupport } from '../../testing/scripted-ports.ts';
import { digestAnnotation, fillSlice, prepareObject } from './prepare-object.ts';
import { keyOf, sideObjects } from './side-objects.ts';
import { sliceMark } from './slices.ts';

const part = aPart([]);
const blue = { slice: 'blue', index: 0, slices: 1 };
const labels = { [serviceLabel]: 'identity', [componentLabel]: 'identity', [sliceLabel]: 'blue' };
const prepared = (kind: string, name: string, more: object = {}, place = blue) =>
  prepareObject(part, aWorkload(kind, name, more).object, place) as never as {
    metadata: { name: string; labels: Record<string, string>; annotations: Record<string, string> };
    spec: { replicas?: number; template: { metadata: { labels: Record<string, string> } } };
  };

describe('an object as it is written', () => {
  it('has the slice wherever its mark was: in names, values and keys', () => {
    const marked = { [`a-${sliceMark}`]: [`${sliceMark}-${sliceMark}`, 7, null, { deep: sliceMark }] };
    expect(fillSlice(marked, 'blue')).toEqual({ 'a-blue': ['blue-blue', 7, null, { deep: 'blue' }] });
  });

  it.each(['Deployment', 'StatefulSet', 'DaemonSet'])('says on the pods of a %s whose they are', kind => {
    const { spec, metadata } = prepared(kind, `api-${sliceMark}`);
    expect(metadata.name).toBe('api-blue');
    expect(metadata.labels[sliceLabel]).toBe('blue');
    expect(spec.template.metadata.labels).toEqual({ app: 'api-blue', ...labels });
  });

  it('says it on the pods of a CronJob too', () => {
    const template = aTask('clean', 'operational').object['spec'];
    const cron = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'clean' } };
    const object = { ...cron, spec: { schedule: '* * * * *', jobTemplate: { spec: template } } };
    const { spec } = prepareObject(part, object as never, blue) as never as {
      spec: { jobTemplate: { spec: { template: { metadata: { labels: object } } } } };
    };
    expect(spec.jobTemplate.spec.template.metadata.labels).toEqual(labels);
  });

  it('has no slice on itself where there is one of it for all slices', () => {
    expect(prepared('Deployment', 'api').metadata.labels).not.toHaveProperty([sliceLabel]);
  });

  it('has the same digest for the same content, and another for another', () => {
    const digest = (more: object, place = blue) =>
      prepared('Deployment', `api-${sliceMark}`, more, place).metadata.annotations[digestAnnotation];
    expect(digest({ replicas: 2 })).toBe(digest({ replicas: 2 }));
    expect(digest({ replicas: 2 })).not.toBe(digest({ replicas: 3 }));
    expect(digest({})).not.toBe(digest({}, { ...blue, slice: 'green' }));
  });

  it.each([
    ['a Deployment has its share', 'Deployment', { replicas: 5 }, [3, 2]],
    ['one without a number is one', 'Deployment', {}, [1, 0]],
    ['others count by themselves', 'StatefulSet', { replicas: 5 }, [5, 5]],
  ])('of several slices: %s', (_, kind, more, want) => {
    const shares = [0, 1].map(index => {
      const place = { slice: `${index + 1}`, index, slices: 2 };
      return prepared(kind, `api-${sliceMark}`, more, place).spec.replicas;
    });
    expect(shares).toEqual(want);
  });
});

describe('the objects of a side', () => {
  const api = aPart([
    someSupport('config', 'a'),
    aWorkload('Deployment', `api-${sliceMark}`, { replicas: 2 }),
    aService('api'),
    aTask('check', 'test'),
  ]);
  const side = { parts: [api], slices: ['1', '2'] };
  const names = (only?: readonly string[]) =>
    sideObjects(side, only).map(({ object, slice }) => `${object.metadata.name}@${slice}`);

  it('are there once a slice where they have it in their names, and once where not', () => {
    expect(names()).toEqual(['config@main', 'api-1@1', 'api-2@2', 'api@main', 'check@1']);
  });

  it('of some slices leave the others out; what has none stays, and a task is run for the slice that is asked', () => {
    expect(names(['2'])).toEqual(['config@main', 'api-2@2', 'api@main', 'check@2']);
  });

  it('of a part that is in slices of its own are in those', () => {
    const own = { parts: [{ ...api, slices: ['green'] }], slices: ['blue', 'green'] };
    const made = sideObjects(own).map(({ object }) => object.metadata.name);
    expect(made).toEqual(['config', 'api-green', 'api', 'check']);
  });

  it('have one key, whatever the version of their API', () => {
    const at = (apiVersion: string) =>
      keyOf({ object: { apiVersion, kind: 'CronJob', metadata: { name: 'a', namespace: 'n' } } });
    expect(at('batch/v1')).toBe(at('batch/v1beta1'));
    expect(at('batch/v1')).not.toBe(at('other/v1'));
  });
});
