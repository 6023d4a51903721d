import { stringify } from 'yaml';
import { finding } from '../api/finding.ts';
import type { LifecycleWritten } from '../api/package-lifecycle.ts';
import { compareText } from '../base/json.ts';
import type { PackageFiles, PackageSource } from '../package/source.ts';

/** A package in a few words: its lifecycle, what its files say beyond a plain API, and default values. */
export interface PackageWords extends LifecycleWritten {
  readonly values?: Readonly<Record<string, unknown>>;
  /** More files, by name, as YAML values. */
  readonly files?: Readonly<Record<string, readonly unknown[]>>;
}

/** Packages that lie in memory, at `<service>/<version>`. Tasks a lifecycle names are there without being written. */
export function memoryPackages(packages: readonly PackageWords[]): PackageSource {
  const byLocation = new Map(packages.map(words => [`${words.service}/${words.version}`, filesOf(words)]));
  return {
    async read({ location }) {
      const files = byLocation.get(location);
      return files
        ? { ok: true, files }
        : { ok: false, findings: [finding('PackageNotFound', `there is no package at ${location}`)] };
    },
  };
}

function filesOf({ values, files, ...lifecycle }: PackageWords): PackageFiles {
  const components = lifecycle.components ?? [];
  const written: Record<string, readonly unknown[]> = {
    'lifecycle.yaml': [withPhases(lifecycle)],
    'values.yaml': [{ replicas: 2, level: 'info', ...values }],
    ...Object.fromEntries(
      (components.length > 0 ? components : [{ name: lifecycle.service }]).map(component => [
        `${component.name}.yaml`,
        workload(lifecycle.service, component.name),
      ]),
    ),
    'test.yaml': [job(`${lifecycle.service}-test`)],
    'tasks.yaml': taskNames(lifecycle).map(job),
    ...files,
  };
  return Object.entries(written)
    .filter(([, documents]) => documents.length > 0)
    .map(([path, documents]) => ({
      path,
      bytes: new TextEncoder().encode(documents.map(document => stringify(document)).join('---\n')),
      executable: false,
    }))
    .sort((a, b) => compareText(a.path, b.path));
}

function withPhases(lifecycle: LifecycleWritten): LifecycleWritten {
  const components = lifecycle.components?.map(component => ({
    phases: { install: [`${component.name}.yaml`] },
    ...component,
  }));
  return { phases: { test: ['test.yaml'] }, ...lifecycle, ...(components ? { components } : {}) };
}

/** What most services are: config, a Deployment that reads it, a Service in front. */
function workload(service: string, component: string): unknown[] {
  const name = service === component ? service : `${service}-${component}`;
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${name}-etc-${'${hostGroup}'}-${'${slice}'}` },
      data: { level: '${values.level}' },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: `${name}-${'${hostGroup}'}-${'${slice}'}` },
      spec: {
        replicas: '${values.replicas}',
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name, image: `example/${service}:${'${version}'}` }] },
        },
      },
    },
  ];
}

function job(name: string): unknown {
  const container = { name: 'task', image: 'example/task:1', command: ['true'] };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
  };
}

function taskNames(lifecycle: LifecycleWritten): string[] {
  const data = (lifecycle.data ?? []).flatMap(({ init, backup, verify, restore, drop, migrate }) => [
    ...[init, backup, verify, restore, drop],
    ...Object.values(migrate ?? {}),
  ]);
  const all = [...data, ...(lifecycle.preflight ?? []), lifecycle.reconcile];
  return [...new Set(all.flatMap(task => (task === undefined ? [] : [task.replace(/^job\//, '')])))];
}
