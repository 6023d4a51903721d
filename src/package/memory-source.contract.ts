import { expect } from 'vitest';
import { finding } from '../api/finding.ts';
import type { Source } from '../api/openstack-deployment.ts';
import { compareText } from '../base/json.ts';
import { parseYaml } from '../record/parse-yaml.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { resolveRecord } from '../record/resolve-record.ts';
import type { ServicePackage } from './package.ts';
import { readPackage } from './read-package.ts';
import type { RenderContext } from './render.ts';
import type { PackageFiles, PackageRead, PackageSource } from './source.ts';

/** The files of a package, by path. */
export type Texts = Readonly<Record<string, string>>;

/** A source for tests: packages by location. It remembers what was read. */
export class MemorySource implements PackageSource {
  readonly reads: string[] = [];
  /** How many reads were under way at the same time, at most. */
  mostAtOnce = 0;
  readonly #packages: Readonly<Record<string, Texts>>;
  readonly #delay: (location: string) => number;
  #underWay = 0;

  constructor(packages: Readonly<Record<string, Texts>>, delay: (location: string) => number = () => 0) {
    this.#packages = packages;
    this.#delay = delay;
  }

  async read({ location }: Source): Promise<PackageRead> {
    this.reads.push(location);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#underWay);
    for (let turns = this.#delay(location); turns > 0; turns--) await Promise.resolve();
    this.#underWay--;
    const texts = this.#packages[location];
    if (!texts) return { ok: false, findings: [finding('PackageNotFound', `${location} is not there`)] };
    return { ok: true, files: filesOf(texts) };
  }
}

/** Files as a source would give them. */
export function filesOf(texts: Texts): PackageFiles {
  return Object.entries(texts)
    .map(([path, text]) => ({ path, bytes: Buffer.from(text), executable: false }))
    .sort((a, b) => compareText(a.path, b.path));
}

/** A package that is expected to be right. `more` is written below `service` and `version` of its lifecycle. */
export function aPackage(texts: Texts, more = ''): ServicePackage {
  const read = readPackage(
    filesOf({ 'lifecycle.yaml': lifecycle('identity', '1.0.0', more), ...texts }),
    'p',
  );
  expect(read.findings).toEqual([]);
  if (!read.package) expect.unreachable();
  return read.package;
}

/** The text of a lifecycle. */
export function lifecycle(service: string, version: string, more = ''): string {
  return `service: ${service}\nversion: "${version}"\n${more}`;
}

/** The text of a manifest with nothing but what it must have. */
export function manifest(kind: string, name: string, more = ''): string {
  return `apiVersion: ${apiVersions[kind] ?? 'v1'}\nkind: ${kind}\nmetadata: { name: "${name}" }\n${more}---\n`;
}

const apiVersions: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  Ingress: 'networking.k8s.io/v1',
  HTTPRoute: 'gateway.networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  Role: 'rbac.authorization.k8s.io/v1',
  ClusterRole: 'rbac.authorization.k8s.io/v1',
  Workflow: 'argoproj.io/v1alpha1',
};

/** What a planning render of a part sees. */
export function aContext(more: Partial<RenderContext> = {}): RenderContext {
  return {
    ...{ cloud: 'north', namespace: 'openstack', component: 'identity', first: true },
    ...{ values: {}, shared: {}, later: [], moreValuesLater: false },
    ...more,
  };
}

/** A record with these services, in YAML, one line each. */
export function aRecord(services: readonly string[], more = ''): ResolvedRecord {
  const text = `apiVersion: openstacklcm.airshipit.org/v1alpha1
kind: OpenstackDeployment
metadata: { name: north, namespace: openstack }
spec:
  source: { type: local, location: "{name}/{version}" }
  services:
${services.map(service => `    - ${service}\n`).join('')}${more}`;
  const { manifests, findings } = parseYaml('cloud.yaml', text);
  const resolved = resolveRecord(manifests, findings);
  expect(resolved.findings).toEqual([]);
  if (!resolved.record) expect.unreachable();
  return resolved.record;
}
