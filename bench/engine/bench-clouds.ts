import { apiVersion } from '../../src/api/group.ts';
import { lifecyclePlan, type Plan, type PlanStep } from '../../src/api/lifecycle-plan.ts';
import { openstackDeployment } from '../../src/api/openstack-deployment.ts';
import { digestJson } from '../../src/base/digest.ts';
import type { ClusterObject } from '../../src/cluster/cluster.ts';
import type { PackageFiles, PackageSource } from '../../src/package/source.ts';
import { aPlanStep } from '../../src/testing/a-plan-step.ts';

/** The name of the record in every namespace. */
export const recordName = 'cloud';

/** A namespace, for a cloud of its own. */
export function namespaceObject(name: string): ClusterObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** A record with these services, all at version 1.0.0. */
export function recordObject(
  namespace: string,
  services: readonly string[],
  spec: Readonly<Record<string, unknown>> = {},
): ClusterObject {
  return {
    apiVersion,
    kind: openstackDeployment.kind,
    metadata: { name: recordName, namespace },
    spec: {
      source: { type: 'local', location: '{name}/{version}' },
      services: services.map(name => ({ name, version: '1.0.0' })),
      ...spec,
    },
  };
}

/** A plan that a person asked for and approved. */
export function approvedPlan(namespace: string, name: string, ...steps: readonly PlanStep[]): ClusterObject {
  const { stage = '', impact = { api: 'none', workloads: 'none' } } = steps[0] ?? {};
  const plan: Plan = {
    cloud: recordName,
    recordDigest: digestJson('record'),
    approval: 'manual',
    stages: [{ name: stage, gate: 'automatic' }],
    steps: [...steps],
    ...{ back: [], waiting: [], offers: [], notes: [] },
    impact,
    estimateSeconds: 60,
  };
  const digest = digestJson(plan);
  const approval = { digest, approvedBy: 'bench', approvedAt: '2026-03-14T02:00:00Z' };
  return {
    apiVersion,
    kind: lifecyclePlan.kind,
    metadata: { name, namespace },
    // Asked for beside the record: what the record asks for does not take its place.
    spec: { deployment: recordName, recordGeneration: 1, digest, plan, approval, holds: true },
  };
}

/** A removal that stops at its first question: whether the data goes too. Nobody answers. */
export function askingStep(service: string): PlanStep {
  const data = [{ database: 'main', action: 'purge', backup: false }] as const;
  return aPlanStep('uninstall', { id: `${service}/uninstall`, service, data: [...data] });
}

/** Packages for every service there is: one ConfigMap each, and nothing that anybody would have to run. */
export const stillPackages: PackageSource = {
  async read({ location }) {
    const [service = '', version = ''] = location.split('/');
    return { ok: true, files: stillPackage(service, version) };
  },
};

function stillPackage(service: string, version: string): PackageFiles {
  return packageFiles({
    'lifecycle.yaml': { service, version, phases: { install: ['settings.yaml'] } },
    'settings.yaml': {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${service}-settings` },
      data: { level: 'info' },
    },
  });
}

/** A service whose check is a Job: where nobody runs Jobs, its install waits for it. */
export const walker = { service: 'walker', job: 'walker-check' } as const;

/** The package of the walker, and still ones for all others. */
export const walkerPackages: PackageSource = {
  async read(source) {
    const [service = '', version = ''] = source.location.split('/');
    if (service !== walker.service) return stillPackages.read(source);
    const container = { name: 'task', image: 'example/task:1', command: ['true'] };
    const template = { spec: { restartPolicy: 'Never', containers: [container] } };
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: walker.job }, spec: { template } };
    const lifecycle = {
      service,
      version,
      preflight: [`job/${walker.job}`],
      phases: { install: ['settings.yaml'] },
    };
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'walker-settings' }, data: {} };
    const files = { 'check.yaml': job, 'lifecycle.yaml': lifecycle, 'settings.yaml': settings };
    return { ok: true, files: packageFiles(files) };
  },
};

/** The files of a package, from values; YAML reads JSON. */
export function packageFiles(files: Readonly<Record<string, unknown>>): PackageFiles {
  return Object.entries(files).map(([path, value]) => ({
    path,
    bytes: new TextEncoder().encode(JSON.stringify(value)),
    executable: false,
  }));
}
