import { expect, it } from 'vitest';
import { finding } from '../api/finding.ts';
import type { PackageWords } from '../testing/memory-packages.ts';
import { inputFor, runsAfter } from '../testing/plan-story.ts';
import { makePlan, type PlanInput } from './plan.ts';
import { planTheRest } from './plan-the-rest.ts';

const versions = ['1.0.0', '1.1.0'];
const packages: PackageWords[] = versions.flatMap(version => [
  { service: 'ground', version },
  { service: 'upper', version, requires: [{ service: 'ground', version: `>=${version}` }] },
  { service: 'apart', version },
]);
const record = (...services: string[]) =>
  ['services:', ...services.map(one => `  - { name: ${one.replace(' ', ', version: "')}" }`)].join('\n');
const all = (version: string) => record(`ground ${version}`, `upper ${version}`, `apart ${version}`);
const unread = (service: string) => ({
  service,
  finding: finding('PackageNotFound', `there is no package of ${service}`),
});

/** From 1.0.0 to 1.1.0, without what was read of one service. */
async function without(service: string): Promise<PlanInput> {
  const input = await inputFor(all('1.1.0'), packages, await runsAfter([all('1.0.0')], packages));
  return { ...input, targets: input.targets.filter(target => target.service !== service) };
}

const told = (result: ReturnType<typeof planTheRest>) =>
  'plan' in result
    ? {
        steps: result.plan.steps.map(({ id }) => id),
        waiting: result.plan.waiting.map(({ service, reason }) => `${service} ${reason}`),
      }
    : { codes: result.findings.map(({ code }) => code) };

it('what stands on a service that cannot be read waits with it, and the rest goes on', async () => {
  expect(told(planTheRest(await without('ground'), [unread('ground')]))).toEqual({
    steps: ['apart/upgrade'],
    waiting: ['ground Refused', 'upper RequirementWaits'],
  });
});

it('what a service stands on goes on, where the version that stays can live with it', async () => {
  expect(told(planTheRest(await without('upper'), [unread('upper')]))).toEqual({
    steps: ['apart/upgrade', 'ground/upgrade'],
    waiting: ['upper Refused'],
  });
});

it('where nothing else is to be done, what is wrong is the answer', async () => {
  const now = record('ground 1.0.0', 'upper 1.1.0', 'apart 1.0.0');
  const input = await inputFor(now, packages, await runsAfter([all('1.0.0')], packages));
  expect(told(planTheRest(input, []))).toEqual({ codes: ['VersionLimitBroken'] });
  expect(told(makePlan(input))).toEqual({ codes: ['VersionLimitBroken'] });
});

it('a plan without anything wrong is the plan of the whole record', async () => {
  const input = await inputFor(all('1.1.0'), packages, await runsAfter([all('1.0.0')], packages));
  expect(planTheRest(input, [])).toEqual(makePlan(input));
});
