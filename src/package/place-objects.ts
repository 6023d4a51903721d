import { formatPath } from '../api/finding.ts';
import type { PackageLifecycle, PhaseFiles } from '../api/package-lifecycle.ts';
import { type PhaseName, phaseNames } from '../api/phase-names.ts';
import { identityOf, referenceOf, stillKinds, supportKinds, taskKinds } from './object-kinds.ts';
import type { PackageManifest, RenderedObject } from './package.ts';
import { type TaskReference, taskReferences } from './task-references.ts';

/** The place of one manifest in the life of the service. */
export interface Placement extends Pick<RenderedObject, 'role' | 'phases' | 'because' | 'order' | 'moment'> {
  readonly manifest: PackageManifest;
  /** The component it goes with; absent for what belongs to the package as a whole. */
  readonly component?: string;
}

/** Phases of a manifest that no list names, by kind. All others are installed. */
const phaseByKind: Readonly<Record<string, PhaseName>> = {
  CronJob: 'operational', // writes on a timer: never while the service is being changed
  PodDisruptionBudget: 'operational', // a strict one would block the change itself
  Ingress: 'trafficrollout', // exposes the service, and nothing may take traffic before its test
  HTTPRoute: 'trafficrollout',
};

/**
 * Gives every manifest its component, role, phases and the reason. A manifest whose file several components list is
 * placed once for each. The rules are those of openstack-helm's own hooks, and of the four lists of `lifecycle.yaml`:
 * what is named there one by one goes before what is listed by file, and that before what the kind suggests.
 */
export function placeObjects(
  lifecycle: PackageLifecycle,
  manifests: readonly PackageManifest[],
): readonly Placement[] {
  const references = taskReferences(lifecycle);
  const placed = manifests.flatMap((manifest): Placement[] => {
    if (manifest.placed) return [{ manifest, ...manifest.placed }];
    const name = referenceOf(manifest.object);
    const named = references.filter(({ reference }) => reference === name);
    return owners(lifecycle, manifest.file).map(owner => place({ manifest, named, lifecycle, ...owner }));
  });
  const running = inOrder(['install', ...placed.filter(runsSomething).flatMap(({ phases }) => phases)]);
  return placed.map(one =>
    one.role === 'support' && !one.manifest.placed ? { ...one, phases: running } : one,
  );
}

interface Owner {
  readonly component?: string;
  readonly lists: readonly FileList[];
}

interface FileList {
  readonly phase: PhaseName;
  readonly field: string;
}

/** Who brings a file: the components that list it, or else the package as a whole. */
function owners(lifecycle: PackageLifecycle, file: string): Owner[] {
  const ofPackage = listsWith(lifecycle.phases, 'phases', file);
  const ofComponents = lifecycle.components.flatMap(({ name, phases = {} }, index) => {
    const lists = listsWith(phases, `components[${index}].phases`, file);
    return lists.length === 0 ? [] : [{ component: name, lists: [...lists, ...ofPackage] }];
  });
  return ofComponents.length > 0 ? ofComponents : [{ lists: ofPackage }];
}

function listsWith(phases: PhaseFiles, field: string, file: string): FileList[] {
  return phaseNames.flatMap(phase =>
    phases[phase]?.includes(file) ? [{ phase, field: `${field}.${phase}` }] : [],
  );
}

interface ToPlace extends Owner {
  readonly manifest: PackageManifest;
  readonly named: readonly TaskReference[];
  readonly lifecycle: PackageLifecycle;
}

function place(given: ToPlace): Placement {
  const { manifest, component } = given;
  const placement = placeKept(given) ?? placeNamedTask(given) ?? placeSupport(given) ?? placeOther(given);
  return { manifest, ...(component === undefined ? {} : { component }), ...placement };
}

type Place = Pick<Placement, 'role' | 'phases' | 'because'>;

function placeKept({ named, lists }: ToPlace): Place | undefined {
  const kept = named.find(({ path }) => path[0] === 'keep');
  if (kept === undefined) return undefined;
  const phases = lists.length === 0 ? (['install'] as const) : inOrder(lists.map(({ phase }) => phase));
  return { role: 'kept', phases, because: '`keep` names it: made once, then left to who writes it' };
}

function placeNamedTask({ named, lists }: ToPlace): Place | undefined {
  if (named.length === 0) return undefined;
  const listed = named.some(task => task.destructive) ? [] : lists;
  const phases = [...named.flatMap(({ phase }) => phase ?? []), ...listed.map(({ phase }) => phase)];
  const names = named.map(({ path }) => `\`${formatPath(path)}\``).join(' and ');
  const also = listed.length === 0 ? '' : `, and ${fieldsOf(listed)} its file`;
  return { role: 'task', phases: inOrder(phases), because: `${names} names it${also}` };
}

/** The phases of support are filled in when those of everything else are known. */
function placeSupport({ manifest, lifecycle }: ToPlace): Place | undefined {
  const { kind } = identityOf(manifest.object);
  const everywhere = 'is there in every phase that runs something';
  if (lifecycle.support?.includes(manifest.file)) {
    return {
      role: 'support',
      phases: [],
      because: `\`support\` lists ${manifest.file}, which ${everywhere}`,
    };
  }
  if (!supportKinds.has(kind)) return undefined;
  return { role: 'support', phases: [], because: `a ${kind} ${everywhere}` };
}

function placeOther({ manifest, lists }: ToPlace): Place {
  const { kind } = identityOf(manifest.object);
  const role = taskKinds.has(kind) ? 'task' : 'workload';
  const byKind = phaseByKind[kind] ?? 'install';
  const phases = lists.length === 0 ? [byKind] : lists.map(({ phase }) => phase);
  const because =
    lists.length === 0
      ? `no list names ${manifest.file}, and a ${kind} belongs to ${byKind}`
      : `${fieldsOf(lists)} ${manifest.file}`;
  if (role === 'task' || !phases.includes('install')) return { role, phases: inOrder(phases), because };
  return {
    role,
    phases: inOrder([...phases, 'upgrade', 'rollback']),
    because: `${because}; what is installed is changed by upgrade and rollback too`,
  };
}

function fieldsOf(lists: readonly FileList[]): string {
  return `${lists.map(({ field }) => `\`${field}\``).join(' and ')} ${lists.length > 1 ? 'list' : 'lists'}`;
}

function runsSomething({ role, manifest }: Placement): boolean {
  return role === 'task' || (role === 'workload' && !stillKinds.has(identityOf(manifest.object).kind));
}

/** Each phase once, in the order of a service's life. */
function inOrder(phases: readonly PhaseName[]): PhaseName[] {
  return phaseNames.filter(phase => phases.includes(phase));
}
