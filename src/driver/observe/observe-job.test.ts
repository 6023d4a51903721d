import { expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { anEvent, aPod, aStored, containerEnded, endedWith, waiting } from './a-stored-object.contract.ts';
import { jobIsShortOfPods, observeJob } from './observe-job.ts';
import type { Pod } from './pod.ts';
import { refusedPods } from './stuck-by-events.ts';

function aJob(status: JsonObject, metadata: JsonObject = {}) {
  return aStored('Job', { spec: { backoffLimit: 0 }, status }, metadata);
}

function condition(type: string, reason: string, message = '') {
  return { conditions: [{ type, status: 'True', reason, message }] };
}

const failed = aJob(
  condition('Failed', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit'),
);
const running = aJob({ active: 1 });
const begun = 'Job one failed: BackoffLimitExceeded: Job has reached the specified backoff limit';

const rows: readonly [sentence: string, job: ReturnType<typeof aJob>, pods: readonly Pod[], want: object][] =
  [
    ['nothing is known yet', aJob({}), [], { state: 'progressing', reason: 'Pending' }],
    ['a Pod runs', running, [aPod({ phase: 'Running' })], { state: 'progressing', reason: 'Running' }],
    [
      'it is about to fail, and its Pods are still ending',
      aJob({ ...condition('FailureTarget', 'DeadlineExceeded') }),
      [aPod({ phase: 'Running' }, { deletionTimestamp: '2026-01-01T00:01:00Z' })],
      { state: 'progressing' },
    ],
    [
      'it is complete, with the words of the last container that succeeded',
      aJob(condition('Complete', 'CompletionsReached')),
      [
        aPod(endedWith(0, { message: 'first' }), { name: 'one-a' }),
        aPod(endedWith(0, { message: 'last', finishedAt: '2026-01-01T00:00:09Z' }), { name: 'one-b' }),
        aPod(endedWith(1, { message: 'failed', finishedAt: '2026-01-01T00:00:10Z' }), { name: 'one-c' }),
      ],
      { state: 'done', reason: 'Complete', message: 'Job one is complete', result: 'last' },
    ],
    [
      'the program has ended well, and its node and the Job have not said so yet',
      running,
      [aPod({ ...endedWith(0, { message: 'left' }), phase: 'Running' }, {}, { restartPolicy: 'Never' })],
      { state: 'done', reason: 'Complete', message: 'Job one is complete', result: 'left' },
    ],
    [
      'one of two programs has ended well',
      running,
      [
        aPod(
          {
            phase: 'Running',
            containerStatuses: [
              containerEnded('main', 0, '2026-01-01T00:00:05Z'),
              { name: 'other', state: { running: {} } },
            ],
          },
          {},
          { restartPolicy: 'Never', containers: [{ name: 'main' }, { name: 'other' }] },
        ),
      ],
      { state: 'progressing', reason: 'Running' },
    ],
    [
      'the first of two Pods has ended well',
      aStored('Job', { spec: { completions: 2 }, status: { active: 1 } }),
      [aPod(endedWith(0))],
      { state: 'progressing', reason: 'Pending' },
    ],
    [
      'a Pod has ended well when its time was over',
      aJob({ ...condition('FailureTarget', 'DeadlineExceeded') }),
      [aPod(endedWith(0))],
      { state: 'progressing' },
    ],
    [
      'its Pods are gone',
      aJob(condition('Failed', 'DeadlineExceeded', 'Job was active longer than specified deadline')),
      [],
      {
        state: 'failed',
        reason: 'DeadlineExceeded',
        message: 'Job one failed: DeadlineExceeded: Job was active longer than specified deadline',
      },
    ],
    [
      'a container used too much memory',
      failed,
      [aPod(endedWith(137, { reason: 'OOMKilled' }))],
      {
        state: 'failed',
        reason: 'BackoffLimitExceeded',
        message: `${begun}; container main of Pod one-x was killed because it used more memory than it may (OOMKilled)`,
        culprit: { pod: 'one-x', container: 'main' },
      },
    ],
    [
      'a container ended by a signal',
      failed,
      [aPod(endedWith(139, { reason: 'Error' }))],
      { message: `${begun}; container main of Pod one-x ended with exit code 139 (SIGSEGV)` },
    ],
    [
      'a container could not be started, so it has no log',
      failed,
      [aPod(endedWith(128, { reason: 'StartError', message: 'exec: no such file' }))],
      {
        state: 'failed',
        reason: 'BackoffLimitExceeded',
        message: `${begun}; container main of Pod one-x could not be started: exec: no such file`,
      },
    ],
    [
      'the node evicted the Pod',
      failed,
      [aPod({ phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' })],
      { message: `${begun}; Pod one-x failed: Evicted: The node was low on resource: memory.` },
    ],
    [
      'of two containers the one that failed first is named',
      failed,
      [
        aPod({
          phase: 'Failed',
          containerStatuses: [
            containerEnded('sidecar', 143, '2026-01-01T00:00:09Z'),
            containerEnded('main', 2, '2026-01-01T00:00:05Z'),
          ],
        }),
      ],
      { culprit: { pod: 'one-x', container: 'main' } },
    ],
    [
      'an init container failed',
      failed,
      [
        aPod({
          phase: 'Failed',
          initContainerStatuses: [containerEnded('prepare', 5, '2026-01-01T00:00:05Z')],
          ...{ containerStatuses: [{ name: 'main', state: { waiting: { reason: 'PodInitializing' } } }] },
        }),
      ],
      { message: `${begun}; container prepare of Pod one-x ended with exit code 5` },
    ],
    [
      'the image cannot be pulled',
      running,
      [aPod(waiting('ImagePullBackOff', 'Back-off pulling image "registry/keystone:27"'))],
      {
        state: 'stuck',
        reason: 'ImagePullBackOff',
        message: 'container main of Pod one-x has no image "registry/keystone:27"',
      },
    ],
    [
      'a crash loop is counted by the Job itself',
      running,
      [aPod(waiting('CrashLoopBackOff', 'back-off 20s restarting failed container'))],
      { state: 'progressing', reason: 'Running' },
    ],
    [
      'it is suspended',
      aJob(condition('Suspended', 'JobSuspended')),
      [],
      { state: 'progressing', reason: 'JobSuspended' },
    ],
    [
      'it is complete, and being deleted',
      aJob(condition('Complete', 'CompletionsReached'), { deletionTimestamp: '2026-01-01T00:01:00Z' }),
      [],
      { state: 'progressing', reason: 'Terminating' },
    ],
  ];

test.each(rows)('a Job of which %s', (_, job, pods, want) => {
  const report = observeJob(job, pods);
  expect(report).toMatchObject(want);
  if ('message' in want && !('culprit' in want) && 'state' in want) expect(report).toEqual(want);
});

test('a Job whose Pods a quota refuses gets none, and the random name of the Pod is not said', () => {
  const message =
    'Error creating: pods "one-k2x7q" is forbidden: exceeded quota: small, requested: pods=1, used: pods=2, limited: pods=2';
  expect(jobIsShortOfPods(running, [])).toBe(true);
  expect(refusedPods(running, [], [anEvent('FailedCreate', message)])).toEqual({
    state: 'stuck',
    reason: 'FailedCreate',
    message:
      'Job one gets no Pod: its Pod is forbidden: exceeded quota: small, requested: pods=1, used: pods=2, limited: pods=2',
  });
});

test('a refusal that is older than the newest Pod was overcome', () => {
  const pod = aPod({ phase: 'Failed' }, { creationTimestamp: '2026-01-01T00:00:20Z' });
  expect(refusedPods(running, [pod], [anEvent('FailedCreate', 'no')])).toBeUndefined();
  expect(refusedPods(running, [pod], [anEvent('FailedCreate', 'no', '2026-01-01T00:00:21Z')])).toBeDefined();
});

test('a Job that has a Pod, or is suspended, is not short of Pods', () => {
  expect(jobIsShortOfPods(running, [aPod({ phase: 'Pending' })])).toBe(false);
  expect(jobIsShortOfPods(aStored('Job', { spec: { suspend: true } }), [])).toBe(false);
});
