import { dirname, resolve } from 'node:path';
import type { Finding } from '../api/finding.ts';
import type { Plan } from '../api/lifecycle-plan.ts';
import { gatherTargets } from '../package/gather-targets.ts';
import type { ServicePackage, ServiceTarget } from '../package/package.ts';
import { openSource } from '../package/source/open-source.ts';
import { makeContractPlan } from '../plan/contract-plan.ts';
import type { ObservedState } from '../plan/observed-state.ts';
import { makePlan } from '../plan/plan.ts';
import { load } from '../record/load.ts';
import type { Manifest } from '../record/parse-yaml.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { resolveRecord } from '../record/resolve-record.ts';
import { nothingRuns, readObserved } from './read-observed.ts';

/** Where the walk starts from. */
export interface DecideOptions {
  /** The folder that paths are relative to. */
  readonly folder: string;
  /** What came in on standard input, for the path `-`. */
  readonly stdin: string;
  /** A file that says what runs. */
  readonly from?: string;
  /** Plan the contract of this service instead. */
  readonly contract?: string;
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
  const { manifests, findings } = await load(
    paths.map(path => fromFolder(options.folder, path)),
    options.stdin,
  );
  const resolved = resolveRecord(manifests, findings);
  const state =
    options.from === undefined ? nothingRuns : await readObserved(fromFolder(options.folder, options.from));
  const unread = [...resolved.findings, ...state.findings];
  if (unread.length > 0 || !resolved.record || !state.observed) return { findings: unread, refused: false };
  const { record } = resolved;
  const gathered = await gatherTargets(record, openSource(packageBase(record, options.folder)));
  if (gathered.findings.length > 0) return { findings: gathered.findings, refused: false };
  const input = { record, targets: gathered.targets, observed: state.observed };
  const result = options.contract === undefined ? makePlan(input) : makeContractPlan(input, options.contract);
  if ('findings' in result) return { findings: result.findings, refused: true };
  return {
    manifests,
    record,
    packages: gathered.packages,
    targets: gathered.targets,
    observed: state.observed,
    plan: result.plan,
  };
}

/** Locations in a record are relative to the folder it lies in. */
export function packageBase(record: ResolvedRecord, folder: string): string {
  return record.file === undefined || record.file.startsWith('<')
    ? folder
    : dirname(resolve(folder, record.file));
}

/** Paths are shown as they were given wherever that works from here. */
export function fromFolder(folder: string, path: string): string {
  return path === '-' || folder === process.cwd() ? path : resolve(folder, path);
}
