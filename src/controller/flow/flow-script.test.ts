import { describe, expect, it } from 'vitest';
import { apiVersion } from '../../api/group.ts';
import type { JsonObject } from '../../base/json.ts';
import { faultIn, flowScript, lastAwaits, type ScriptAct } from './flow-script.ts';

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
    [
      'that applies a phase: it may be there with another target state',
      { action: 'apply', manifest: manifest('spec: { targetState: deployed }') },
      [expect.objectContaining({ does: 'make' }), { does: 'set', ...name, targetState: 'deployed' }],
    ],
    [
      'that says of a phase what is so anyway: it stops when that one fails',
      { ...awaits, failureCondition: 'status.actualState == failed' },
      [{ does: 'await', ...name, state: 'deployed' }],
    ],
  ])('%s', (_, resource, want) => {
    expect(flowScript(workflow(resource))).toEqual([want]);
  });

  it('that says beside its steps only what becomes of their pods', () => {
    const more = { serviceAccountName: 'a', ttlStrategy: { secondsAfterCompletion: 5 }, podGC: {} };
    expect(flowScript(withSpec(more))).toHaveLength(1);
  });
});

function withSpec(more: JsonObject): JsonObject {
  const { spec, ...rest } = workflow(patch) as { spec: JsonObject };
  return { ...rest, spec: { ...spec, ...more } };
}

function inOrder(...resources: readonly JsonObject[]): JsonObject {
  const templates = resources.map((resource, index) => ({ name: `${index}`, resource }));
  const steps = templates.map(one => [{ name: one.name, template: one.name }]);
  return { kind: 'Workflow', spec: { entrypoint: 'all', templates: [{ name: 'all', steps }, ...templates] } };
}

const uninstall = { ...patch, manifest: manifest('spec: { targetState: uninstalled }') };
const awaitsGone = { ...awaits, successCondition: 'status.actualState == uninstalled' };

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
    ['that gives a phase two target states', inOrder(patch, awaits, uninstall)],
    ['that waits for a phase in two states', inOrder(awaits, awaitsGone)],
    ['that waits for a state that is not the one it set', inOrder(patch, awaitsGone)],
    ['that fails for another reason', workflow({ ...awaits, failureCondition: 'status.x > 1' })],
    ...[
      'onExit',
      'hooks',
      'suspend',
      'activeDeadlineSeconds',
      'arguments',
      'parallelism',
      'synchronization',
    ].map((field): [string, JsonObject] => [`that has ${field}`, withSpec({ [field]: 'x' })]),
    ['without steps', { kind: 'Workflow', spec: { entrypoint: 'a', templates: [{ name: 'a' }] } }],
  ])('%s', (_, given) => {
    expect(flowScript(given)).toBeUndefined();
  });
});

const made = (spec: JsonObject, kind = 'TestPhase'): ScriptAct => ({
  ...{ does: 'make', phase: { apiVersion, kind, metadata: { name: 'a' }, spec } },
});

describe('what a flow does to its phases', () => {
  it.each<[string, ScriptAct[], string | undefined]>([
    [
      'may be said twice',
      [made({ a: 1, targetState: 'uninitialized' }), made({ targetState: '' })],
      undefined,
    ],
    ['may not be two things', [made({ a: 1 }), made({ a: 2 })], 'TestPhase a is in it twice'],
    [
      'may not be two states',
      [
        { does: 'set', ...name, targetState: 'deployed' },
        { does: 'await', ...name, state: 'uninstalled' },
      ],
      'TestPhase a in different states',
    ],
    [
      'keeps no other service',
      [made({ openstackServiceName: 'other' }, 'OperationalPhase')],
      'OperationalPhase a is not of the service hello',
    ],
    ['keeps its own', [made({ openstackServiceName: 'hello' }, 'OperationalPhase')], undefined],
  ])('%s', (_, acts, want) => {
    const fault = faultIn(acts, 'hello');
    if (want === undefined) expect(fault).toBeUndefined();
    else expect(fault).toContain(want);
  });

  it.each<[string, ScriptAct[], string | undefined]>([
    ['what it asks for itself', [made({})], 'deployed'],
    [
      'what it was set to',
      [made({ targetState: 'uninitialized' }), { does: 'set', ...name, targetState: 'uninstalled' }],
      'uninstalled',
    ],
    ['nothing where it is only laid out', [made({ targetState: 'uninitialized' })], undefined],
    [
      'nothing where a step waited for it',
      [made({}), { does: 'await', ...name, state: 'deployed' }],
      undefined,
    ],
  ])('is over when a phase came to %s', (_, acts, state) => {
    expect(lastAwaits(acts)).toEqual(state === undefined ? [] : [{ does: 'await', ...name, state }]);
  });
});
