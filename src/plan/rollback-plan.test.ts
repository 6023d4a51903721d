import { describe, expect, it } from 'vitest';
import { inputFor, runsAfter, tellStory } from '../testing/plan-story.ts';
import { storyPackages } from '../testing/story-packages.ts';
import type { ObservedService, ObservedState } from './observed-state.ts';
import { makeRollbackPlan } from './rollback-plan.ts';

const cloud = (version: string) =>
  `services: [{ name: mariadb, version: "10.6.0" }, { name: keystone, version: "${version}" }]`;
const images = (version: string) =>
  `shared: { region: north }\nservices: [{ name: mariadb, version: "10.6.0" }, { name: keystone, version: "22.0.0" }, { name: glance, version: "${version}" }]`;

function change(name: string, make: (service: ObservedService) => Partial<ObservedService>) {
  return ({ services, ...state }: ObservedState): ObservedState => ({
    ...state,
    services: services.map(one => (one.name === name ? { ...one, ...make(one) } : one)),
  });
}

/** The way back of keystone after these versions ran one after the other. */
async function back(versions: readonly string[], to?: number, since = (state: ObservedState) => state) {
  const observed = since(await runsAfter(versions.map(cloud), storyPackages));
  const input = await inputFor(cloud(versions.at(-1) ?? ''), storyPackages, observed);
  return makeRollbackPlan(input, 'keystone', to);
}
const steps = (result: Awaited<ReturnType<typeof back>>) =>
  'plan' in result ? result.plan.steps.map(({ flow, to }) => `${flow} ${to?.version} r${to?.revision}`) : [];
const codes = (result: Awaited<ReturnType<typeof back>>) =>
  'findings' in result ? result.findings.map(({ code }) => code) : [];

describe('a person asks for the way back', () => {
  it.each([
    ['the revision before what runs', ['22.0.0', '22.0.1'], undefined, ['rollback 22.0.0 r1']],
    ['the one before, of several', ['22.0.0', '22.0.1', '23.0.0'], undefined, ['rollback 22.0.1 r2']],
    ['the one that is named', ['22.0.0', '22.0.1', '23.0.0'], 1, ['rollback 22.0.0 r1']],
  ])('to %s', async (_, versions, to, want) => {
    expect(steps(await back(versions, to))).toEqual(want);
  });

  it.each([
    ['a revision that is not known', 7],
    ['the one that runs', 2],
  ])('not to %s', async (_, to) => {
    const result = await back(['22.0.0', '22.0.1'], to);
    expect(codes(result)).toEqual(['RevisionUnknown']);
  });

  it('not where nothing ran before, and says what is kept', async () => {
    const result = await back(['22.0.0']);
    expect(codes(result)).toEqual(['RevisionUnknown']);
    expect(result).toHaveProperty('findings.0.advice', expect.stringContaining('1 (22.0.0)'));
  });

  it('not while a flow runs', async () => {
    const inFlow = change('keystone', () => ({ state: 'InFlow' as const }));
    expect(codes(await back(['22.0.0', '22.0.1'], undefined, inFlow))).toEqual(['StateInvalid']);
  });

  it('not of what does not run here', async () => {
    const input = await inputFor(cloud('22.0.0'), storyPackages, await runsAfter([], storyPackages));
    expect(codes(makeRollbackPlan(input, 'keystone'))).toEqual(['StateInvalid']);
  });

  it('and nothing else is done, whatever the record asks for', async () => {
    const observed = await runsAfter(['22.0.0', '22.0.1'].map(cloud), storyPackages);
    const input = await inputFor(cloud('23.0.0').replace('10.6.0', '10.11.0'), storyPackages, observed);
    expect(steps(makeRollbackPlan(input, 'keystone'))).toEqual(['rollback 22.0.0 r1']);
  });

  it('before the contract: software only, and no consent is needed', async () => {
    const result = await back(['22.0.0', '23.0.0']);
    expect(result).toHaveProperty('plan.steps.0.consents', []);
    expect(result).toHaveProperty('plan.steps.0.data.0.action', 'keep');
  });

  it('after a whole migration: data is restored, and a person must agree to what that loses', async () => {
    const observed = await runsAfter(['25.1.0', '26.0.0'].map(images), storyPackages);
    const input = await inputFor(images('26.0.0'), storyPackages, observed);
    const result = makeRollbackPlan(input, 'glance');
    expect(result).toHaveProperty(
      'plan.steps.0.data.0',
      expect.objectContaining({ action: 'restore', backup: true }),
    );
    expect(result).toHaveProperty('plan.steps.0.consents', ['restore']);
  });

  it('names the backup that is restored', async () => {
    const takenAt = '2026-01-01T00:00:00.000Z';
    const taken = change('glance', ({ revisions }) => ({
      revisions: revisions.map(one => ({ ...one, takenAt: [{ database: 'glance', takenAt }] })),
    }));
    const observed = taken(await runsAfter(['25.1.0', '26.0.0'].map(images), storyPackages));
    const input = await inputFor(images('26.0.0'), storyPackages, observed);
    const result = makeRollbackPlan(input, 'glance');
    expect(result).toHaveProperty('plan.steps.0.data.0.restoredFrom', takenAt);
    expect(result).toHaveProperty(
      'plan.steps.0.why',
      expect.arrayContaining([expect.stringContaining(takenAt)]),
    );
  });

  it('after a whole migration without a backup that was proved: not at all', async () => {
    const lost = change('glance', ({ revisions }) => ({
      revisions: revisions.map(one => ({ ...one, backups: [] })),
    }));
    const observed = lost(await runsAfter(['25.1.0', '26.0.0'].map(images), storyPackages));
    const input = await inputFor(images('26.0.0'), storyPackages, observed);
    expect(codes(makeRollbackPlan(input, 'glance'))).toEqual(['RestoreRefused']);
  });

  it.each([
    ['a way back that a person asked for', 'keystone', ['22.0.0', '22.0.1'].map(cloud)],
    ['a way back that a person asked for, data restored', 'glance', ['25.1.0', '26.0.0'].map(images)],
  ])('as people read it: %s', async (name, rollback, before) => {
    const now = before.at(-1) ?? '';
    const { text } = await tellStory({ packages: storyPackages, before, now, rollback });
    await expect(text).toMatchFileSnapshot(`testdata/${name}.golden`);
  });
});
