import { expect, it } from 'vitest';
import { inputFor, runsAfter } from '../testing/plan-story.ts';
import type { ObservedService } from './observed-state.ts';
import { makePlan } from './plan.ts';

it('a plan of a thousand services, each with a migration, fits into one object of a cluster', async () => {
  const pattern = {
    service: 's0',
    strategy: 'bluegreen' as const,
    data: [{ name: 'database', backup: 'job/s0-backup', migrate: { expand: 'job/s0-expand' } }],
  };
  const packages = ['1.0.0', '2.0.0'].map(version => ({ ...pattern, version }));
  const spec = (version: string) => `services: [{ name: s0, version: "${version}" }]`;
  const { record, targets, observed } = await inputFor(
    spec('2.0.0'),
    packages,
    await runsAfter([spec('1.0.0')], packages),
  );
  const names = Array.from({ length: 1000 }, (_, index) => `openstack-service-${index}`);
  // One service, read from its package once, stands for all: what counts here is size, not reading.
  const [service] = record.services;
  const [target] = targets;
  const [running] = observed.services;
  if (!service || !target || !running) throw new TypeError('the story has one service');
  const as = <T>(value: T, name: string): T => JSON.parse(JSON.stringify(value).replaceAll('s0', name));
  const result = makePlan({
    record: { ...record, services: names.map(name => ({ ...service, name })) },
    targets: names.map(name => as(target, name)),
    observed: { ...observed, services: names.map((name): ObservedService => as(running, name)) },
  });
  const plan = 'plan' in result ? result.plan : undefined;
  expect(plan?.steps).toHaveLength(1000);
  // A server's limit is 1.5 MB; status and field ownership must fit in as well.
  expect(JSON.stringify(plan).length).toBeLessThan(1_150_000);
});
