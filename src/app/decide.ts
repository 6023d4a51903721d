import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type Finding, finding } from '../api/finding.ts';
import type { Plan } from '../api/lifecycle-plan.ts';
import { gatherTargets } from '../package/gather-targets.ts';
import type { ServicePackage, ServiceTarget } from '../package/package.ts';
import type { PackageSource } from '../package/source.ts';
import type { Machine } from '../plan/check-machine.ts';
import { makeContractPlan } from '../plan/contract-plan.ts';
import type { ObservedState } from '../plan/observed-state.ts';
import { makePlan } from '../plan/plan.ts';
import { load } from '../record/load.ts';
import type { Manifest } from '../record/parse-yaml.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { resolveRecord } from '../record/resolve-record.ts';
import { inNamespace, type NamespaceWish } from './in-namespace.ts';
import { openPackages } from './open-packages.ts';
import { nothingRuns, readObserved } from './read-observed.ts';
import { isPackage } from './read-one-package.ts';

/** Where the walk starts from. */
export interface DecideOptions {
  /** The folder that paths are relative to. */
  readonly folder: string;
  /** What came in on standard input, for the path `-`. */
  readonly stdin: string;
  /** A file that says what runs. */
  readonly from?: string;
  /** Packages that were brought into a namespace before, for those that do not lie beside the record. */
  readonly pushed?: (namespace: string) => PackageSource;
  /** Tells what runs, where no file does. */
  readonly observe?: (record: ResolvedRecord) => Promise<ObservedState>;
  /** Plan the contract of this service instead. */
  readonly contract?: string;
  /** Where a record belongs that does not say it by itself. */
  readonly namespace?: NamespaceWish;
  /** The machine it is planned for; without it, a Kubernetes cluster. */
  readonly machine?: Machine;
}

/** Every hand-over of the walk, up to the plan. */
export interface Decision {
  readonly manifests: readonly Manifest[];
  readonly record: ResolvedRecord;
  readonly packages: ReadonlyMap<string, ServicePackage>;
  readonly targets: readonly ServiceTarget[];
  readonly observed: ObservedState;
  readonly plan: Plan;
}

/** A decision, or all findings of the first stage that had some. `refused`: the input is right, the plan is not. */
export type Decided = Decision | { readonly findings: readonly Finding[]; readonly refused: boolean };

/** Record, packages and state in, plan out: the walk of everything that is decided before anything is done. */
export async function decide(paths: readonly string[], options: DecideOptions): Promise<Decided> {
  const misplaced = await misplacedPaths(paths, options);
  if (misplaced.length > 0) return { findings: misplaced, refused: false };
  const loaded = await load(
    paths.map(path => fromFolder(options.folder, path)),
    options.stdin,
  );
  const { manifests, findings } = inNamespace(loaded.manifests, options.namespace ?? {});
  const resolved = resolveRecord(manifests, [...loaded.findings, ...findings]);
  const state =
    options.from === undefined
      ? nothingRuns
      : await readObserved(fromFolder(options.folder, options.from), options.stdin);
  const unread = [...withOnlyPath(resolved.findings, paths), ...state.findings];
  if (unread.length > 0 || !resolved.record || !state.observed) return { findings: unread, refused: false };
  const { record } = resolved;
  const gathered = await gatherTargets(
    record,
    openPackages(packageBase(record, options.folder), options.pushed?.(record.namespace)),
  );
  if (gathered.findings.length > 0)
    return { findings: fromRecord(record, gathered.findings), refused: false };
  const observed =
    options.from === undefined && options.observe ? await options.observe(record) : state.observed;
  const input = {
    record,
    targets: gathered.targets,
    observed,
    ...(options.machine ? { machine: options.machine } : {}),
  };
  const result = options.contract === undefined ? makePlan(input) : makeContractPlan(input, options.contract);
  if ('findings' in result) return { findings: result.findings, refused: true };
  return {
    manifests,
    record,
    packages: gathered.packages,
    targets: gathered.targets,
    observed,
    plan: result.plan,
  };
}

/** That there is no record is said of no file; where one path was named it is that one. */
function withOnlyPath(findings: readonly Finding[], [file, second]: readonly string[]): Finding[] {
  const place = file === undefined || file === '-' || second !== undefined ? {} : { file };
  return findings.map(found => (found.code === 'NoRecord' ? { ...place, ...found } : found));
}

/** Words that can be read and yet cannot be meant. */
async function misplacedPaths(paths: readonly string[], { folder, from }: DecideOptions): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (from === '-' && paths.includes('-')) {
    const advice = 'Name a file for one of the two.';
    const message = 'record and state cannot both come from standard input';
    findings.push(finding('UsageInvalid', message, {}, advice));
  }
  for (const file of paths) {
    if (!(await isPackage(file, folder))) continue;
    const advice = 'Name a record; `afloat explain` and `afloat validate` take packages too.';
    findings.push(finding('NoRecord', 'this is a package, not a record', { file }, advice));
  }
  return findings;
}

/** Findings about packages with paths that can be opened from here: a package tells them from the record's folder. */
export function fromRecord(record: ResolvedRecord, findings: readonly Finding[]): Finding[] {
  return findings.map(found => {
    const { file } = found;
    const isReachable = file === undefined || file === record.file || isAbsolute(file);
    const base = record.file === undefined || record.file.startsWith('<') ? '.' : dirname(record.file);
    return isReachable ? found : { ...found, file: join(base, file) };
  });
}

/** Locations in a record are relative to the folder it lies in. */
export function packageBase(record: ResolvedRecord, folder: string): string {
  return folderOf(record.file, folder);
}

/** The folder that a file lies in; that of the caller for what came from nowhere. */
export function folderOf(file: string | undefined, folder: string): string {
  return file === undefined || file.startsWith('<') ? folder : dirname(resolve(folder, file));
}

/** Paths are shown as they were given wherever that works from here. */
export function fromFolder(folder: string, path: string): string {
  return path === '-' || folder === process.cwd() ? path : resolve(folder, path);
}
