import type { Decision } from '../app/decide.ts';
import { shortDigest } from '../base/digest.ts';
import { makeFlow } from '../flow/flow.ts';
import { printFlow } from '../flow/print-flow.ts';
import type { ServicePackage } from '../package/package.ts';
import { placeObjects } from '../package/place-objects.ts';
import { planDigest } from '../plan/plan.ts';
import { printPlan } from '../plan/print-plan.ts';
import type { ResolvedRecord } from '../record/record.ts';

/** Something explained twice: for people, and as a value for programs. */
export interface Explained {
  readonly text: string;
  readonly value: unknown;
}

/** Every hand-over of the walk, in order. Architecture one can run. */
export function explainWalk({ manifests, record, packages, observed, plan }: Decision): Explained {
  const digest = planDigest(plan);
  const flows = plan.steps.map(makeFlow);
  const made = [...packages.values()].map(pkg => explainPackage(pkg));
  const sections = [
    section(
      'Manifest',
      'what was read',
      manifests.map(({ file, object }) => `${file}: ${String(object['kind'])}`),
    ),
    section('ResolvedRecord', 'what the cloud shall be, defaults filled in', recordLines(record)),
    section(
      'ServicePackage',
      'what each service is made of',
      made.map(explained => explained.text.trimEnd()),
    ),
    section('ObservedState', 'what runs', observedLines(observed)),
    section('Plan', 'what changes', [printPlan(plan, digest)]),
    section('Flow', 'how each step is walked', flows.map(printFlow)),
  ];
  return {
    text: `${sections.join('\n')}\n`,
    value: {
      manifests: manifests.map(({ file, object }) => ({ file, object })),
      record: {
        name: record.name,
        namespace: record.namespace,
        digest: record.digest,
        services: record.services,
      },
      packages: made.map(explained => explained.value),
      observed,
      plan,
      flows,
    },
  };
}

/** What a package says of itself, and the place of each of its objects with the reason. */
export function explainPackage(pkg: ServicePackage): Explained {
  const { lifecycle } = pkg;
  const placed = placeObjects(lifecycle, pkg.manifests).map(
    ({ manifest, component, role, phases, because }) => ({
      object: `${String(manifest.object['kind'])}/${nameIn(manifest.object)}`,
      file: manifest.file,
      ...(component === undefined ? {} : { component }),
      role,
      phases,
      because,
    }),
  );
  const parts = lifecycle.components.map(part => part.name).join(', ');
  const lines = [
    `${lifecycle.service} ${lifecycle.version}: ${lifecycle.tier}, ${lifecycle.strategy}${parts === '' ? '' : `, components ${parts}`}, digest ${shortDigest(pkg.digest)}`,
    ...lifecycle.requires.map(need => `  requires ${need.service} ${need.version}`),
    ...lifecycle.upgrade.after.map(after => `  upgraded after ${after.service} ${after.version}`),
    ...lifecycle.data.map(data => `  database ${data.name}, schema ${data.head ?? lifecycle.version}`),
    ...placed.map(entry => `  ${entry.object} (${entry.role}): ${entry.phases.join(', ')}; ${entry.because}`),
  ];
  return {
    text: `${lines.join('\n')}\n`,
    value: {
      service: lifecycle.service,
      version: lifecycle.version,
      digest: pkg.digest,
      lifecycle,
      objects: placed,
    },
  };
}

function nameIn(object: Readonly<Record<string, unknown>>): string {
  const metadata = object['metadata'];
  return typeof metadata === 'object' && metadata !== null && 'name' in metadata ? String(metadata.name) : '';
}

function recordLines(record: ResolvedRecord): string[] {
  return [
    `${record.name} in ${record.namespace}, digest ${shortDigest(record.digest)}, approval ${record.spec.approval}, at most ${record.spec.maxParallel} services at a time`,
    ...record.services.map(
      service =>
        `  ${service.name} ${service.version} from ${service.source.type} ${service.source.location}`,
    ),
  ];
}

function observedLines(observed: Decision['observed']): string[] {
  if (observed.services.length === 0) return ['nothing'];
  return observed.services.map(service => `${service.name} ${service.version ?? ''} ${service.state}`);
}

function section(title: string, what: string, lines: readonly string[]): string {
  return [`== ${title}: ${what}`, ...lines, ''].join('\n');
}
