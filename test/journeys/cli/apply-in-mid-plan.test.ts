/** `apply --wait` with the engine at work: whose end it tells, and what it says of what is held. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operate } from '../../../src/app/operate.ts';
import type { OperatorApp } from '../../../src/app/operator-verbs.ts';
import { observeCurrent, plansBeside } from '../../../src/app/plan-current.ts';
import { exitCodes } from '../../../src/cli/exit-codes.ts';
import { type Ran, runAfloat } from '../../cli/run-afloat.ts';
import { scriptedApp } from '../../cli/scripted-app.ts';
import { type JourneyWorld, openJourneyWorld } from '../engine/journey-world.ts';

const timeout = 240_000;
let world: JourneyWorld;
beforeAll(async () => {
  world = await openJourneyWorld();
});
afterAll(() => world.close(), 120_000);

/** The commands on the world of the journey. */
function app(): OperatorApp {
  const { cluster } = world;
  const verbs = operate(cluster, {
    namespace: world.namespace,
    podLogs: async function* () {},
    plans: plansBeside(cluster),
    observe: record => observeCurrent(cluster, record),
    user: async () => 'mara',
  });
  return { ...scriptedApp([]), connect: async () => ({ verbs, close: async () => {} }) };
}

/** Applies the record that is there with another version of the shop, as a person does. */
async function apply(version: string): Promise<Ran & { readonly told: Record<string, unknown> }> {
  const { apiVersion, kind, metadata, spec } = await world.record();
  const file = join(world.folder, 'cloud.yaml');
  const { name, namespace } = metadata;
  const changed = { ...spec, services: [{ name: 'shop', version }] };
  writeFileSync(file, JSON.stringify({ apiVersion, kind, metadata: { name, namespace }, spec: changed }));
  const ran = await runAfloat(['apply', file, '--wait', '-o', 'json'], { app: app(), folder: world.folder });
  return { ...ran, told: JSON.parse(ran.out) };
}

/** Applies a version and returns while its flow is at work. */
async function begin(version: string): Promise<void> {
  await world.apply({ services: [{ name: 'shop', version }] });
  await world.until('a flow to that version', async () =>
    (await world.flows('shop')).some(
      ({ spec, status }) => spec.planned?.step.to?.version === version && (status?.moves ?? []).length > 0,
    ),
  );
}

async function planFor(generation: unknown): Promise<string | undefined> {
  return (await world.plans()).findLast(({ spec }) => spec.recordGeneration === generation)?.metadata.name;
}

test('what is applied while another change fails is told by its own end', { timeout }, async () => {
  for (const version of ['1.0.0', '1.2.0', '1.3.0']) world.aPackage('shop', version, { head: '1' });
  for (const version of ['1.1.0', '1.4.0']) world.aPackage('shop', version, { head: '1', faults: ['test'] });
  await world.apply({ services: [{ name: 'shop', version: '1.0.0' }] });
  await world.untilFlowEnds('shop', 'operational');
  await begin('1.1.0');
  const { code, told } = await apply('1.2.0');
  expect({ code, told }).toMatchObject({ code: exitCodes.ok.code, told: { outcome: 'done', changed: true } });
  expect(told['plan']).toBe(await planFor(told['generation']));
  expect(await world.serving('shop')).toMatchObject({ version: '1.2.0' });
});

test('what fails after another change went well is told by its own end', { timeout }, async () => {
  await begin('1.3.0');
  const { code, told } = await apply('1.4.0');
  expect({ code, told }).toMatchObject({ code: exitCodes.undone.code, told: { outcome: 'undone' } });
  expect(told['plan']).toBe(await planFor(told['generation']));
  expect(await world.serving('shop')).toMatchObject({ version: '1.3.0' });
});

test('what is held is not tried again, and whoever applies it is told so', { timeout }, async () => {
  const flows = (await world.flows('shop')).length;
  const { code, told } = await apply('1.4.0');
  expect({ code, told }).toMatchObject({
    code: exitCodes.waiting.code,
    told: {
      changed: false,
      outcome: 'waiting',
      waiting: [{ service: 'shop', advice: expect.stringContaining('afloat retry shop') }],
    },
  });
  expect(told['plan']).toBeUndefined();
  expect((await world.flows('shop')).length).toBe(flows);
});
