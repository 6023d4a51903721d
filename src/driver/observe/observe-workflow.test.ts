import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { aPod, aStored, endedWith, waiting } from './a-stored-object.contract.ts';
import { observeWorkflow } from './observe-workflow.ts';

const node = (
  displayName: string,
  type: string,
  phase: string,
  message = '',
  templateName = displayName,
) => ({
  [displayName]: { displayName, type, phase, templateName, ...(message === '' ? {} : { message }) },
});
const flow = (status: JsonObject, spec: JsonObject = {}) => aStored('Workflow', { spec, status });
const said = (status: JsonObject, spec: JsonObject = {}) => {
  const { state, reason, message } = observeWorkflow(flow(status, spec), []);
  return `${state} ${reason}: ${message}`;
};

describe('a Workflow', () => {
  it.each<[string, JsonObject, string]>([
    [
      'that nobody has seen yet',
      {},
      'progressing NotObserved: Workflow one: its controller has not seen it yet',
    ],
    ['that waits for its turn', { phase: 'Pending' }, 'progressing Pending: Workflow one runs'],
    [
      'in one of its steps',
      { phase: 'Running', nodes: { ...node('one', 'Steps', 'Running'), ...node('sync', 'Pod', 'Running') } },
      'progressing Running: Workflow one runs, at sync',
    ],
    ['that has succeeded', { phase: 'Succeeded' }, 'done Succeeded: Workflow one has succeeded'],
    [
      'that failed says which step, and why',
      {
        phase: 'Failed',
        message: "child 'one-1' failed",
        nodes: {
          ...node('one', 'Steps', 'Failed', "child 'one-1' failed"),
          ...node('sync', 'Pod', 'Failed', 'Error (exit code 3)'),
        },
      },
      "failed Failed: Workflow one failed: child 'one-1' failed: step sync: Error (exit code 3)",
    ],
    [
      'that is not valid',
      { phase: 'Error', message: 'invalid spec: templates.main: no such template' },
      'failed Error: Workflow one could not be run: invalid spec: templates.main: no such template',
    ],
    [
      'whose step has no image',
      {
        phase: 'Running',
        nodes: node('sync', 'Pod', 'Pending', 'ErrImagePull: pull access denied for keystone'),
      },
      'stuck ImagePullBackOff: Workflow one: step sync can never run: ErrImagePull: pull access denied for keystone',
    ],
    [
      'whose step no node takes',
      { phase: 'Running', nodes: node('sync', 'Pod', 'Pending', 'Unschedulable: 0/1 nodes are available') },
      'stuck Unschedulable: Workflow one: step sync can never run: Unschedulable: 0/1 nodes are available',
    ],
    [
      'whose step is being made is not stuck',
      { phase: 'Running', nodes: node('sync', 'Pod', 'Pending', 'ContainerCreating') },
      'progressing Running: Workflow one runs',
    ],
    [
      'at a step that waits for a person',
      { phase: 'Running', nodes: node('approve', 'Suspend', 'Running') },
      'progressing Suspended: Workflow one waits at approve until a person resumes it',
    ],
  ])('%s', (_, status, want) => {
    expect(said(status)).toBe(want);
  });

  it('at a step that waits for a while runs', () => {
    const templates = [{ name: 'rest', suspend: { duration: '10s' } }];
    const status = { phase: 'Running', nodes: node('rest', 'Suspend', 'Running') };
    expect(said(status, { templates })).toBe('progressing Running: Workflow one runs, at rest');
  });

  it('that is suspended as a whole waits for a person', () => {
    expect(said({ phase: 'Running' }, { suspend: true })).toMatch(/^progressing Suspended/);
  });

  it('whose Pod has no image is stuck by the word of the Pod, and one that failed names whose log tells more', () => {
    const running = flow({ phase: 'Running' });
    const pulls = observeWorkflow(running, [aPod(waiting('ImagePullBackOff', 'no such image'))]);
    expect(pulls).toMatchObject({ state: 'stuck', reason: 'ImagePullBackOff' });
    const failed = observeWorkflow(flow({ phase: 'Failed' }), [aPod(endedWith(3))]);
    expect(failed).toMatchObject({ state: 'failed', culprit: { pod: 'one-x', container: 'main' } });
  });

  it('that is being deleted is neither done nor failed', () => {
    const going = aStored(
      'Workflow',
      { status: { phase: 'Succeeded' } },
      { deletionTimestamp: '2026-01-01T00:00:00Z' },
    );
    expect(observeWorkflow(going, [])).toMatchObject({ state: 'progressing', reason: 'Terminating' });
  });
});
