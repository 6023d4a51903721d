import { expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { podCells } from './pod-cells.ts';

const now = Date.parse('2026-01-01T00:01:00Z');
const running = { name: 'main', ready: true, restartCount: 0, state: { running: {} } };
const ended = (exitCode: number, reason = '') => ({
  name: 'main',
  ready: false,
  restartCount: 0,
  state: { terminated: { exitCode, ...(reason === '' ? {} : { reason }) } },
});

function pod(status: JsonObject, more: JsonObject = {}): JsonObject {
  return { metadata: {}, spec: { containers: [{ name: 'main' }] }, status, ...more };
}

const cases: readonly (readonly [string, JsonObject, string])[] = [
  ['one that runs', pod({ phase: 'Running', containerStatuses: [running] }), '1/1 Running 0'],
  ['one that has not begun', pod({ phase: 'Pending' }), '0/1 Pending 0'],
  [
    'one that is done',
    pod({ phase: 'Succeeded', containerStatuses: [ended(0, 'Completed')] }),
    '0/1 Completed 0',
  ],
  [
    'one that failed without a word',
    pod({ phase: 'Failed', containerStatuses: [ended(3)] }),
    '0/1 ExitCode:3 0',
  ],
  [
    'one whose container waits',
    pod({
      phase: 'Running',
      containerStatuses: [
        {
          ...running,
          ready: false,
          restartCount: 4,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { finishedAt: '2026-01-01T00:00:30Z' } },
        },
      ],
    }),
    '0/1 CrashLoopBackOff 4 (30s ago)',
  ],
  [
    'one that is being deleted',
    pod({ phase: 'Running', containerStatuses: [running] }, { metadata: { deletionTimestamp: 'now' } }),
    '1/1 Terminating 0',
  ],
  [
    'one whose second init container runs',
    pod(
      {
        phase: 'Pending',
        initContainerStatuses: [ended(0, 'Completed'), { ...running, ready: false }],
        containerStatuses: [{ ...running, ready: false, state: { waiting: { reason: 'PodInitializing' } } }],
      },
      { spec: { containers: [{ name: 'main' }], initContainers: [{ name: 'a' }, { name: 'b' }] } },
    ),
    '0/1 Init:1/2 0',
  ],
];

test.each(cases)('%s', (_, object, cells) => {
  const { ready, status, restarts } = podCells(object, now);
  expect(`${ready} ${status} ${restarts}`).toBe(cells);
});
