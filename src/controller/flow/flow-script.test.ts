import { describe, expect, it } from 'vitest';
import { apiVersion } from '../../api/group.ts';
import type { JsonObject } from '../../base/json.ts';
import { flowScript } from './flow-script.ts';

const manifest = (spec = '') => `apiVersion: ${apiVersion}\nkind: TestPhase\nmetadata: { name: a }\n${spec}`;
const workflow = (resource: JsonObject, more: JsonObject = {}, step: JsonObject = {}): JsonObject => ({
  kind: 'Workflow',
  spec: {
    entrypoint: 'all',
    templates: [
      { name: 'all', steps: [[{ name: 'one', template: 'one', ...step }]] },
      { name: 'one', resource, ...more },
    ],
  },
});
const patch = {
  action: 'patch',
  mergeStrategy: 'merge',
  manifest: manifest('spec: { targetState: deployed }'),
};
const awaits = { action: 'get', successCondition: 'status.actualState == deployed', manifest: manifest() };
const name = { kind: 'TestPhase', name: 'a' };

describe('a Workflow is followed', () => {
  it.each([
    ['that sets a target state', patch, [{ does: 'set', ...name, targetState: 'deployed' }]],
    ['that waits for a state', awaits, [{ does: 'await', ...name, state: 'deployed' }]],
    [
      'that does both at once',
      { ...patch, successCondition: 'status.actualState == deployed' },
      [
        { does: 'set', ...name, targetState: 'deployed' },
        { does: 'await', ...name, state: 'deployed' },
      ],
    ],
    [
      'that makes a phase',
      { action: 'create', manifest: manifest('spec: { openstackServiceName: x }') },
      [expect.objectContaining({ does: 'make' })],
    ],
  ])('%s', (_, resource, want) => {
    expect(flowScript(workflow(resource))).toEqual([want]);
  });
});

describe('a Workflow needs Argo', () => {
  it.each<[string, JsonObject]>([
    ['that runs a container', workflow(patch, { container: { image: 'x' } })],
    ['with a step under a condition', workflow(patch, {}, { when: 'x' })],
    ['that changes more than a target state', workflow({ ...patch, manifest: manifest('spec: { a: b }') })],
    ['that deletes', workflow({ ...patch, action: 'delete' })],
    ['that waits for something else', workflow({ ...awaits, successCondition: 'status.x > 1' })],
    [
      'about something that is no phase',
      workflow({ ...patch, manifest: 'apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n' }),
    ],
    [
      'about another namespace',
      workflow({ ...patch, manifest: manifest().replace('name: a', 'name: a, namespace: b') }),
    ],
    ['without steps', { kind: 'Workflow', spec: { entrypoint: 'a', templates: [{ name: 'a' }] } }],
  ])('%s', (_, given) => {
    expect(flowScript(given)).toBeUndefined();
  });
});
