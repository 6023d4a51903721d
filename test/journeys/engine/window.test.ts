import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FlowObject, flowType } from '../../../src/controller/our-objects.ts';
import { type JourneyWorld, openJourneyWorld, storyMs } from './journey-world.ts';

/** A yes that comes when no maintenance window is open. Told on this machine alone: who writes flows in a cluster is the operator. */
let world: JourneyWorld;
beforeAll(async () => {
  world = await openJourneyWorld();
}, storyMs);
afterAll(() => world.close(), storyMs);

const services = [{ name: 'patient', version: '2.0.0' }];

/** A contract that nobody agreed to when its plan was approved, as an older Afloat started it: when it asks. */
async function contractThatAsks(): Promise<FlowObject> {
  const plan = await world.ask({ contract: 'patient' });
  const [step] = plan.spec.plan.steps;
  const { name } = plan.metadata;
  await world.cluster.create({
    ...flowType,
    metadata: { name: `flow-of-${name}`, namespace: world.namespace },
    spec: {
      ...{ serviceName: 'patient', source: { type: 'plan', location: name }, flowKind: 'contract' },
      planned: { deployment: plan.spec.deployment, plan: name, step },
    },
  } as Parameters<typeof world.cluster.create>[0]);
  return world.until('the question', async () => {
    const flow = await world.flowOf('patient');
    return flow?.status?.question?.question === 'contract' && flow;
  });
}

/** The same flow, when its yes was heard and waits. */
async function afterYes(asking: FlowObject): Promise<FlowObject> {
  await world.answer(asking, 'yes');
  return world.until('the wait for a window', async () => {
    const flow = await world.flowOf('patient');
    return flow?.status?.heard && flow;
  });
}

test(
  'a schema is expanded, and contracts only when a window opens, days from now',
  async () => {
    world.aPackage('patient', '1.0.0');
    world.aPackage('patient', '2.0.0', { data: 'expand' });
    await world.apply({ services: [{ name: 'patient', version: '1.0.0' }] });
    await world.untilFlowEnds('patient', 'operational');
    await world.apply({ services });
    await world.untilFlowEnds('patient', 'operational');
    const opens = new Date(Date.now() + 3 * 86_400_000);
    const day = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][opens.getUTCDay()] ?? '';
    const start = opens.toISOString().slice(11, 16);
    const maintenanceWindows = [{ days: [day], start, durationMinutes: 60, timeZone: 'UTC' }];
    await world.apply({ services, maintenanceWindows });
    const waiting = await afterYes(await contractThatAsks());
    expect(waiting.status?.question).toBeUndefined();
    expect(waiting.status?.heard).toEqual({
      question: 'contract',
      until: `${opens.toISOString().slice(0, 16)}:00.000Z`,
    });
  },
  storyMs,
);

test(
  'until then the yes can be taken back, and nothing was changed',
  async () => {
    const waiting = await world.flowOf('patient');
    if (!waiting) throw new TypeError('there is no flow');
    await world.patchSpec(waiting, { answers: { contract: 'no' } });
    const ended = await world.untilFlowEnds('patient', 'undone');
    expect(ended.status?.heard).toBeUndefined();
    expect(world.data.schema('patient')).toEqual({ expandedTo: '2', contractedTo: '1' });
  },
  storyMs,
);

test(
  'broken off while it waits, or while it asks, it ends as if it had never begun',
  async () => {
    const waiting = await afterYes(await contractThatAsks());
    await world.patchSpec(waiting, { aborted: true });
    await world.untilFlowEnds('patient', 'undone');
    await world.patchSpec(await contractThatAsks(), { aborted: true });
    await world.untilFlowEnds('patient', 'undone');
    expect(world.data.schema('patient')).toEqual({ expandedTo: '2', contractedTo: '1' });
    expect(await world.serving('patient')).toMatchObject({ version: '2.0.0' });
  },
  storyMs,
);
