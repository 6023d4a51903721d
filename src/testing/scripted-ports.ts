import { apiVersion } from '../api/group.ts';
import { managedBy, managedByLabel } from '../api/labels.ts';
import { type PackageLifecycle, packageLifecycle } from '../api/package-lifecycle.ts';
import { applyDefaults } from '../api/schema/defaults.ts';
import type { ClusterObject } from '../cluster/cluster.ts';
import { ClusterError } from '../cluster/cluster-error.ts';
import type { PartBundle, PhaseRun } from '../phase/phase-run.ts';
import type { Preview, Route, SliceReport, Traffic, Weights } from '../traffic/traffic.ts';
import { aPlanStep } from './a-plan-step.ts';

type PartObject = PartBundle['objects'][number];

const pod = { containers: [{ name: 'main', image: 'x:1' }] };
const labels = { [managedByLabel]: managedBy };

/** An object as a package renders it: of our making, in the namespace of the tests. */
export function anObject(kind: string, name: string, spec?: object, version = 'apps/v1'): ClusterObject {
  const metadata = { name, namespace: 'default', labels };
  return { apiVersion: version, kind, metadata, ...(spec ? { spec } : {}) };
}

/** A workload with one container. */
export function aWorkload(kind: string, name: string, more: object = {}): PartObject {
  const spec = {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: pod },
    ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
    ...more,
  };
  const object = anObject(kind, name, spec);
  return { object, role: 'workload', phases: ['install', 'upgrade', 'rollback'], file: '' } as never;
}

/** A Job of a phase. */
export function aTask(name: string, phase: PartObject['phases'][number]): PartObject {
  const spec = { template: { spec: { ...pod, restartPolicy: 'Never' } } };
  return {
    object: anObject('Job', name, spec, 'batch/v1'),
    role: 'task',
    phases: [phase],
    file: '',
  } as never;
}

/** A ConfigMap that pods or tasks need. */
export function someSupport(name: string, text: string, role: 'support' | 'kept' = 'support'): PartObject {
  const object = { ...anObject('ConfigMap', name, undefined, 'v1'), data: { text } };
  return { object, role, phases: [], file: '' } as never;
}

/** The Service clients use. */
export function aService(name: string): PartObject {
  const spec = { ports: [{ port: 80 }], selector: { app: name } };
  return {
    object: anObject('Service', name, spec, 'v1'),
    role: 'workload',
    phases: ['install', 'upgrade'],
    file: '',
  } as never;
}

/** A part with these objects. */
export function aPart(
  objects: readonly PartObject[],
  lifecycle: object = {},
  more: Partial<PartBundle> = {},
): PartBundle {
  const written = { service: 'identity', version: '1', ...lifecycle };
  return {
    ...{ service: 'identity', component: 'identity', version: '1', packageDigest: '' },
    lifecycle: applyDefaults(packageLifecycle.json, written) as PackageLifecycle,
    ...{ objects, images: [], inventory: [], ...more },
  };
}

/** One pass of a phase: of an upgrade that is about the new side, unless said otherwise. */
export function aRun(overrides: Partial<PhaseRun> = {}): PhaseRun {
  return {
    ...{ name: 'identity-apply', namespace: 'default', service: 'identity', oslc: 'flow', phase: 'upgrade' },
    owner: { apiVersion, kind: 'UpgradePhase', name: 'identity-apply', uid: 'u1', controller: true },
    move: { oslc: 'flow', id: 'main/apply:new', task: 'apply', side: 'new' },
    step: aPlanStep('upgrade'),
    ...{ old: { parts: [], slices: [] }, new: { parts: [], slices: [] } },
    ...{ now: Date.UTC(2026, 0, 1), startedAt: Date.UTC(2026, 0, 1) },
    ...{ traffic: undefined, schemas: [], backups: [], keepsWrites: false, restoreFrom: [], keptBackups: [] },
    ...{ soakUntil: undefined, endSoak: false, cutsAtMost: 0, aborted: false },
    ...overrides,
  };
}

/** A router in memory: what it is told is in force at once, and a test says what it counts. */
export class ScriptedTraffic implements Traffic {
  /** What was asked for, in order: `set web blue 90 green 10`. */
  readonly asked: string[] = [];
  readonly slices: Record<string, SliceReport> = {};
  /** Slices whose preview was asked for. */
  readonly previewed = new Set<string>();
  /** Slices without a share that would be served as soon as they come; and whether the router can leave them out when told. */
  readonly open = new Set<string>();
  canLeaveOut = true;
  canWeigh = true;
  preview_: Preview | undefined = { address: '10.0.0.9', ports: [{ port: 80 }], requests: 0 };

  /** Says what is known of a slice. */
  knows(slice: string, report: Partial<SliceReport>): this {
    const before = this.slices[slice] ?? { weight: 0, out: 'yes', ready: 1 };
    this.slices[slice] = { ...before, ...report };
    return this;
  }

  async observe(_route: Route) {
    return { exists: true, slices: { ...this.slices }, canWeigh: this.canWeigh };
  }

  async wouldServe(_route: Route, slice: string): Promise<boolean> {
    return this.open.has(slice);
  }

  async ensure({ service }: Route): Promise<void> {
    this.asked.push(`ensure ${service}`);
  }

  async setWeights({ service }: Route, weights: Weights): Promise<void> {
    const words = Object.entries(weights).map(([slice, weight]) => ` ${slice} ${weight}`);
    if (!this.canLeaveOut) throw new ClusterError('Invalid', 'a router that cannot leave anybody out');
    this.asked.push(`set ${service}${words.join('')}`);
    for (const slice of Object.keys(weights)) this.open.delete(slice);
    for (const slice of new Set([...Object.keys(this.slices), ...Object.keys(weights)]))
      this.knows(slice, { weight: weights[slice] ?? 0 });
  }

  async preview(_route: Route, slice: string): Promise<Preview | undefined> {
    this.previewed.add(slice);
    return this.preview_;
  }

  async removePreview({ service }: Route, slice: string): Promise<void> {
    this.asked.push(`remove preview ${service} ${slice}`);
  }

  async remove({ service }: Route): Promise<void> {
    this.asked.push(`remove ${service}`);
  }
}
