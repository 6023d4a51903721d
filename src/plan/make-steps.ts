import type { Consent, Impact, Strategy, Tier } from '../api/fields.ts';
import { type Finding, finding } from '../api/finding.ts';
import type { DataStep, PlanStep } from '../api/lifecycle-plan.ts';
import type { LifecycleComponent, PackageLifecycle } from '../api/package-lifecycle.ts';
import type { InventoryItem } from '../api/service-revision.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { jumpOf } from './check-limits.ts';
import { estimateOf } from './estimate.ts';
import { endsTheWayBack, goingBackFrom } from './going-back.ts';
import { impactOf, worst } from './impact.ts';
import { placeOf } from './place.ts';
import { goesPodByPod, goesToZero, slicesOf, whyNotSideBySide } from './side-by-side.ts';
import { type PartWish, partName, type ServiceWish } from './wish.ts';

/** A step before it has its place: stage, wave and what it waits for come from the graph. */
export interface DraftStep extends Omit<PlanStep, 'stage' | 'wave' | 'waitsFor'> {
  readonly tier: Tier;
}

/** Flows in which one version takes the place of another. */
const replaces: ReadonlySet<string> = new Set(['upgrade', 'reconfigure', 'rollback']);

/** Flows that databases move with. */
const movesData: ReadonlySet<string> = new Set(['install', 'upgrade', 'rollback', 'contract']);

/** The steps of one service, in the order they run, with everything that can be told of each by itself. */
export function makeSteps(
  record: ResolvedRecord,
  wish: ServiceWish,
  data: readonly DataStep[],
): { steps: DraftStep[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const carrier = dataCarrier(wish);
  const steps = wish.parts.map(part => {
    const own = part === carrier ? data : [];
    const draft = draftStep(record, wish, part, own);
    findings.push(...strategyFindings(record, wish, part, draft));
    return draft;
  });
  return { steps, findings };
}

/** Databases move with the first part that moves; they go last when a service is removed. */
function dataCarrier({ parts }: ServiceWish): PartWish | undefined {
  if (parts.every(part => part.flow === 'uninstall')) return parts.at(-1);
  return parts.find(part => movesData.has(part.flow));
}

function draftStep(
  record: ResolvedRecord,
  wish: ServiceWish,
  part: PartWish,
  data: readonly DataStep[],
): DraftStep {
  const lifecycle = part.target?.lifecycle ?? wish.running?.lifecycle;
  const component = lifecycle?.components.find(candidate => candidate.name === part.component);
  const tier = component?.tier ?? lifecycle?.tier ?? 'controlplane';
  const inventory = part.target?.inventory ?? [];
  const { strategy, because } = fromWhatRuns(part, strategyOf(wish, part, { lifecycle, component, data }));
  const traffic = component
    ? component.traffic
    : (lifecycle?.traffic ?? lifecycle?.components.find(other => other.traffic)?.traffic);
  const facts = {
    flow: part.flow,
    strategy,
    slices: slicesOf(component?.slices ?? 2, inventory),
    data,
    rollback: { software: 'auto', data: 'auto', ...wish.wanted?.rollback } as const,
    soakSeconds: strategy === 'bluegreen' ? record.spec.soakSeconds : 0,
    stateOutside: stateOutside(lifecycle),
    ...unrouted(part, traffic, data),
    ...(part.running ? { from: fromPlace(part.running.version, wish.running?.revision) } : {}),
  };
  const untested = traffic !== undefined && bringsNoTest(part);
  const podByPod = traffic && part.running ? goesPodByPod(strategy, inventory) : undefined;
  const goingBack = goingBackFrom(facts);
  const pointOfNoReturn = endsTheWayBack(facts, goingBack);
  return {
    id: `${partName(wish.service, part)}/${part.flow}`,
    service: wish.service,
    ...(part.component === wish.service ? {} : { component: part.component }),
    ...(part.hostGroup === undefined ? {} : { hostGroup: part.hostGroup }),
    ...(part.covers === undefined ? {} : { parts: part.covers }),
    ...facts,
    ...(part.target
      ? {
          to: {
            ...fromPlace(part.target.version, part.revision?.number),
            packageDigest: part.revision?.packageDigest ?? part.target.packageDigest,
          },
        }
      : {}),
    why: [
      ...part.why,
      ...jumpWhy(wish, part),
      ...because,
      ...podByPodWhy(podByPod),
      ...(part.flow === 'uninstall' ? [] : (part.target?.notes ?? [])),
      ...data.flatMap(entry => dataWhy(entry, part.flow)),
    ],
    changes: part.changes,
    moreChanges: 0,
    impact: impactOf({
      flow: part.flow,
      strategy,
      slices: facts.slices,
      tier,
      hasTraffic: traffic !== undefined,
      goesToZero: part.inPlace && goesToZero(inventory),
      workloadImpact: workloadImpact(lifecycle, part),
      isThere: part.running !== undefined,
      untested,
      podByPod: podByPod !== undefined,
    }),
    ...(untested ? { untested } : {}),
    ...estimateOf(part.flow, part.component, lifecycle, wish.running),
    consents: consentsFor(wish, part, data, pointOfNoReturn),
    pointOfNoReturn,
    goingBack,
    tier,
  };
}

/** Going back over a migration costs what was written since: where not all that writes is behind a route, from when the new version runs. */
function unrouted(
  { flow, target }: PartWish,
  traffic: LifecycleComponent['traffic'],
  data: readonly DataStep[],
): Pick<PlanStep, 'unrouted'> {
  const migrates = flow === 'upgrade' && data.some(({ action }) => action === 'migrate');
  const isOpen = traffic === undefined || target?.inventory.some(item => item.unrouted) === true;
  return migrates && isOpen ? { unrouted: true } : {};
}

/** What was found running is in no slice, and cannot be walked through slice by slice: this once the new version comes up beside all of it. */
function fromWhatRuns(
  { running, target }: PartWish,
  strategy: PlanStep['strategy'],
): { readonly strategy: PlanStep['strategy']; readonly because: readonly string[] } {
  const isFound = strategy === 'rolling' && running?.found === true;
  if (!isFound || whyNotSideBySide('bluegreen', target?.inventory ?? [])) return { strategy, because: [] };
  const because = ['what runs was found in no slice, so the new version comes up beside all of it this once'];
  return { strategy: 'bluegreen', because };
}

/** That a plain rollout is one is said before: what is promised of slices does not hold for it. */
function podByPodWhy(item: InventoryItem | undefined): string[] {
  if (!item) return [];
  const name = `${item.kind}/${item.name}`;
  return [
    `${name} changes pod by pod under one name: clients meet each new pod as soon as it is ready, before its test, and may lose a request when an old one ends`,
  ];
}

/** Whether nothing of its package tests this part before it takes traffic. What goes back was served before. */
function bringsNoTest({ flow, inPlace, target }: PartWish): boolean {
  const comes = flow === 'install' || flow === 'upgrade' || (flow === 'reconfigure' && !inPlace);
  return (
    comes && !(target?.inventory ?? []).some(({ phases, role }) => role === 'task' && phases.includes('test'))
  );
}

/** What users' workloads notice of a part; of several that change together, the worst. */
function workloadImpact(lifecycle: PackageLifecycle | undefined, part: PartWish): Impact {
  const components = lifecycle?.components ?? [];
  const changed =
    part.covers === undefined ? components.filter(each => each.name === part.component) : components;
  return worst(changed.map(each => each.workloadImpact));
}

function stateOutside(lifecycle: PackageLifecycle | undefined): PlanStep['stateOutside'] {
  if (!lifecycle?.stateOutside) return 'none';
  return lifecycle.reconcile === undefined ? 'unrecoverable' : 'reconcile';
}

/** Where a step comes from: the revision says it all. */
function fromPlace(version: string, revision: number | undefined): NonNullable<PlanStep['from']> {
  return { version, ...(revision === undefined ? {} : { revision }) };
}

function strategyOf(
  wish: ServiceWish,
  part: PartWish,
  facts: {
    lifecycle: PackageLifecycle | undefined;
    component: LifecycleComponent | undefined;
    data: readonly DataStep[];
  },
): PlanStep['strategy'] {
  if (part.inPlace || !replaces.has(part.flow)) return 'inplace';
  // Old and new code cannot both work on data that is taken back, so there is nothing to run side by side.
  if (facts.data.some(entry => entry.action === 'restore')) return 'recreate';
  const own = wantedStrategy(wish, part.component) ?? facts.component?.strategy;
  if (own !== undefined || part.covers === undefined) return own ?? facts.lifecycle?.strategy ?? 'recreate';
  // Together they can do no more than the one that asks for most.
  const asked = (facts.lifecycle?.components ?? []).map(
    each => each.strategy ?? facts.lifecycle?.strategy ?? 'recreate',
  );
  return asked.find(strategy => strategy !== 'recreate') ?? 'recreate';
}

function wantedStrategy(wish: ServiceWish, component: string): Strategy | undefined {
  return (
    wish.wanted?.components.find(candidate => candidate.name === component)?.strategy ?? wish.wanted?.strategy
  );
}

/** Where two versions cannot run side by side, by their data or by their objects, only `recreate` is left. */
function strategyFindings(
  record: ResolvedRecord,
  wish: ServiceWish,
  part: PartWish,
  step: DraftStep,
): Finding[] {
  if (step.strategy === 'inplace' || step.strategy === 'recreate') return [];
  const whole = step.data.filter(entry => entry.action === 'migrate').map(entry => entry.database);
  const why =
    whole.length > 0
      ? `the migration of ${whole.join(', ')} is not split into expand and contract, so the version that still serves would break`
      : whyNotSideBySide(step.strategy, part.target?.inventory ?? []);
  if (why === undefined) return [];
  return [
    finding(
      'StrategyRefused',
      `${step.id} cannot be ${step.strategy}: ${why}`,
      placeOf(record, wish.wanted, 'strategy'),
    ),
  ];
}

function consentsFor(
  wish: ServiceWish,
  part: PartWish,
  data: readonly DataStep[],
  pointOfNoReturn: boolean,
): Consent[] {
  const named = data.flatMap<Consent>(({ action }) =>
    action === 'purge' || action === 'contract' || action === 'restore' ? [action] : [],
  );
  // A service goes because the record says so by name; a part of one that stays has only been left out.
  const leftOut: Consent[] = wish.wanted && part.flow === 'uninstall' ? ['removal'] : [];
  const unique = [...new Set([...leftOut, ...named])];
  return unique.length === 0 && pointOfNoReturn ? ['noReturn'] : unique;
}

function jumpWhy(wish: ServiceWish, part: PartWish): string[] {
  const jump = part.flow === 'upgrade' ? jumpOf(wish) : undefined;
  return jump && !jump.supported
    ? [`upstream does not support this jump, and the record allows it: ${jump.because}`]
    : [];
}

function dataWhy(data: DataStep, flow: PlanStep['flow']): string[] {
  const schema = `${data.from ?? 'none'} -> ${data.to ?? 'unknown'}`;
  switch (data.action) {
    case 'expand':
      return [
        `database ${data.database}: schema ${schema}, expanded first${flow === 'install' ? '' : '; the old version goes on working'}`,
      ];
    case 'migrate':
      return [
        `database ${data.database}: schema ${schema}, in one migration${flow === 'install' ? '' : ' that the old version may not survive'}`,
      ];
    case 'restore':
      return [
        `database ${data.database}: restored from ${data.restoredFrom === undefined ? 'a backup that fits that revision' : `the backup of ${data.restoredFrom}`}, schema ${schema}`,
      ];
    default:
      return [];
  }
}
