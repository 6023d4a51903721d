import type { PlanStep } from '../../api/lifecycle-plan.ts';
import type { RevisionPart } from '../../api/service-revision.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { PartBundle, VersionSide } from '../../phase/phase-run.ts';
import { partName } from '../../plan/wish.ts';
import type { FlowObject, RevisionObject } from '../our-objects.ts';
import { partsCovered } from '../parts-covered.ts';
import type { Bundle } from '../store/bundle.ts';
import { readManifests } from '../store/manifest-store.ts';

/** The parts of a service that a step is about. */
export function partsOfStep(step: PlanStep, parts: readonly RevisionPart[]): readonly RevisionPart[] {
  if (step.flow === 'contract') return parts;
  const names = partsCovered(step);
  return parts.filter(part => names.has(partName(step.service, part)));
}

/** The revision that served when a flow was planned. */
export function revisionBefore(
  step: PlanStep,
  revisions: readonly RevisionObject[],
): RevisionObject | undefined {
  return revisions.find(({ spec }) => spec.number === step.from?.revision);
}

/** Rendered manifests that were read before; they never change under their names. */
export class Manifests {
  readonly #cluster: Cluster;
  readonly #read = new Map<string, readonly Bundle[]>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async of(namespace: string, names: readonly string[]): Promise<readonly Bundle[]> {
    if (names.length === 0) return [];
    const key = `${namespace} ${names.join(' ')}`;
    const known = this.#read.get(key);
    if (known) return known;
    const bundles = await readManifests(this.#cluster, namespace, names);
    if (this.#read.size >= mostKept) this.#read.delete(this.#read.keys().next().value ?? '');
    this.#read.set(key, bundles);
    return bundles;
  }
}

/** Flows that are worked on at once are few; what is read again costs little. */
const mostKept = 256;

/** The two versions a flow is about: as it was, and as it shall be. */
export async function sidesOf(
  flow: FlowObject,
  revisions: readonly RevisionObject[],
  manifests: Manifests,
): Promise<{ readonly old: VersionSide; readonly new: VersionSide }> {
  const namespace = flow.metadata.namespace ?? '';
  const { planned } = flow.spec;
  const { oldSlices = [], newSlices = [], manifests: wanted = [] } = flow.status ?? {};
  const before = planned ? revisionBefore(planned.step, revisions) : undefined;
  const parts = planned && before ? partsOfStep(planned.step, before.spec.parts) : [];
  const old: PartBundle[] = [];
  for (const { manifests: kept, slices } of parts)
    old.push(...(await manifests.of(namespace, kept)).map(bundle => ({ ...bundle, slices })));
  const oldSide = { parts: old, slices: oldSlices };
  if (planned?.step.flow === 'contract') return { old: oldSide, new: oldSide };
  return { old: oldSide, new: { parts: await manifests.of(namespace, wanted), slices: newSlices } };
}
