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

/** A plan of one step that a person has approved, for the first generation of the record. */
export function approvedPlan(namespace: string, name: string, step: PlanStep): ClusterObject {
  const plan: Plan = {
    cloud: recordName,
    recordDigest: digestJson('record'),
    approval: 'manual',
    stages: [{ name: step.stage, gate: 'automatic' }],
    steps: [step],
    ...{ back: [], waiting: [], offers: [], notes: [] },
    impact: step.impact,
    estimateSeconds: step.estimateSeconds,
  };
  const digest = digestJson(plan);
  const approval = { digest, approvedBy: 'bench', approvedAt: '2026-03-14T02:00:00Z' };
  return {
    apiVersion,
    kind: lifecyclePlan.kind,
    metadata: { name, namespace },
    spec: { deployment: recordName, recordGeneration: 1, digest, plan, approval },
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
    'settings.yaml': { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${service}-settings` }, data: { level: 'info' } },
  });
}

/** The files of a package, from values; YAML reads JSON. */
export function packageFiles(files: Readonly<Record<string, unknown>>): PackageFiles {
  return Object.entries(files).map(([path, value]) => ({
    path,
    bytes: new TextEncoder().encode(JSON.stringify(value)),
    executable: false,
  }));
}
