import { describe, expect, test } from 'vitest';
import type { PodSpec } from '../pod-shape.ts';
import { aContainer, aPod, ended, observed, running } from './a-pod.contract.ts';
import { nextSteps } from './next-steps.ts';
import { kubeletBackOff } from './restart.ts';

type Given = Parameters<typeof observed>[1];
type Probes = Parameters<typeof observed>[2];

/** What is done, in short. */
function steps(spec: Partial<PodSpec>, runs: Given = {}, probes: Probes = {}) {
  const { start, stop, waiting, isOver } = nextSteps(observed(aPod(spec), runs, probes), kubeletBackOff);
  return {
    start: start.map(({ name }) => name),
    stop: stop.map(({ container, graceSeconds }) => `${container.name} ${graceSeconds}`),
    waiting: [...waiting].map(([name, { reason }]) => `${name} ${reason}`),
    isOver,
  };
}

const none = { start: [], stop: [], waiting: [], isOver: false };
const [a, b] = [aContainer('a'), aContainer('b')];
const beside = aContainer('beside', { restartPolicy: 'Always' });
const never = { restartPolicy: 'Never' } as const;
const onFailure = { restartPolicy: 'OnFailure' } as const;
const two = { containers: [a, b] };
const init = { initContainers: [a, b] };

describe('what is started', () => {
  test.each<[string, Partial<PodSpec>, Given, object]>([
    ['a new Pod: all main containers', two, {}, { ...none, start: ['a', 'b'] }],
    ['what runs is left alone', two, { a: running(), b: { is: 'starting' } }, none],
    ['one that ended well runs again, at once', {}, { main: ended(0) }, { ...none, start: ['main'] }],
    [
      'one that ended twice waits',
      {},
      { main: [ended(1, 20), ended(1, 1)] },
      { ...none, waiting: ['main CrashLoopBackOff'] },
    ],
    ['and runs after its wait', {}, { main: [ended(1, 17), ended(1, 11)] }, { ...none, start: ['main'] }],
    ['OnFailure: one that ended well is done', onFailure, { main: ended(0) }, { ...none, isOver: true }],
    ['OnFailure: one that failed runs again', onFailure, { main: ended(1) }, { ...none, start: ['main'] }],
    ['Never: one that failed is done', never, { main: ended(1) }, { ...none, isOver: true }],
    [
      'Never: the Pod goes on while one of two runs',
      { ...two, ...never },
      { a: ended(1), b: running() },
      none,
    ],
    [
      'Never: a rule has one exit code run again',
      {
        ...never,
        containers: [
          aContainer('main', {
            restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
          }),
        ],
      },
      { main: ended(42) },
      { ...none, start: ['main'] },
    ],
  ])('%s', (_, spec, runs, want) => {
    expect(steps(spec, runs)).toEqual(want);
  });
});

describe('init containers', () => {
  test.each<[string, Partial<PodSpec>, Given, object]>([
    ['only the first is started', init, {}, { ...none, start: ['a'] }],
    ['the second waits for the first', init, { a: running() }, none],
    ['the second follows when the first ended well', init, { a: ended(0) }, { ...none, start: ['b'] }],
    ['then the main ones', init, { a: ended(0), b: ended(0) }, { ...none, start: ['main'] }],
    ['once these ran, init containers are never run again', init, { a: ended(0), main: running() }, none],
    ['one that failed runs again', init, { a: ended(1) }, { ...none, start: ['a'] }],
    [
      'Never: one that failed ends the Pod',
      { ...init, ...never },
      { a: ended(1) },
      { ...none, isOver: true },
    ],
  ])('%s', (_, spec, runs, want) => {
    expect(steps(spec, runs)).toEqual(want);
  });
});

describe('sidecars', () => {
  const spec = { initContainers: [beside, a], ...never };
  const slow = { initContainers: [{ ...beside, startupProbe: {} }, a] };
  test.each<[string, Partial<PodSpec>, Given, Probes, object]>([
    ['the next one starts when it runs', spec, { beside: running() }, {}, { ...none, start: ['a'] }],
    ['with a startup probe: when that succeeded', slow, { beside: running() }, {}, none],
    ['and not before', slow, { beside: running() }, { beside: { startup: true } }, { ...none, start: ['a'] }],
    [
      'one that ends is started again beside the main ones, whatever the policy',
      spec,
      { beside: ended(0), a: ended(0), main: running() },
      {},
      { ...none, start: ['beside'] },
    ],
    [
      'they do not keep the Pod from its end',
      spec,
      { beside: running(), a: ended(0), main: ended(0) },
      {},
      { ...none, isOver: true },
    ],
  ])('%s', (_, given, runs, probes, want) => {
    expect(steps(given, runs, probes)).toEqual(want);
  });
});

describe('what its probes gave up is stopped', () => {
  const probed = (more: object) => ({
    containers: [aContainer('main', { livenessProbe: {}, startupProbe: {}, ...more })],
    terminationGracePeriodSeconds: 30,
  });
  test.each<[string, object, Probes, object]>([
    ['liveness', {}, { main: { startup: true, liveness: false } }, { ...none, stop: ['main 30'] }],
    ['startup', {}, { main: { startup: false } }, { ...none, stop: ['main 30'] }],
    [
      'with the time that the probe gives',
      { livenessProbe: { terminationGracePeriodSeconds: 3 } },
      { main: { liveness: false } },
      { ...none, stop: ['main 3'] },
    ],
    ['readiness is no reason', {}, { main: { startup: true, readiness: false } }, none],
  ])('%s', (_, more, probes, want) => {
    expect(steps(probed(more), { main: running() }, probes)).toEqual(want);
  });
});

test('a container whose image was changed is stopped, to run again from the new one', () => {
  const spec = { containers: [aContainer('main', { image: 'new' })], terminationGracePeriodSeconds: 5 };
  const told = {
    name: 'main',
    image: 'old',
    imageID: 'old',
    containerID: 'afloat://u1/main/0',
    ready: true,
    restartCount: 0,
    state: { running: {} },
    lastState: {},
  };
  const pod = aPod(spec, { phase: 'Running', containerStatuses: [told] });
  const { stop } = nextSteps(observed(pod, { main: running() }), kubeletBackOff);
  expect(stop.map(({ container, graceSeconds }) => `${container.name} ${graceSeconds}`)).toEqual(['main 5']);
});
