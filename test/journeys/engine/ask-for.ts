import { pushedPackages } from '../../../src/app/open-packages.ts';
import type { ClusterObject } from '../../../src/cluster/cluster.ts';
import { Manifests } from '../../../src/controller/flow/flow-sides.ts';
import { serviceState } from '../../../src/controller/observe/service-state.ts';
import { planType } from '../../../src/controller/our-objects.ts';
import { type AskedFor, planCloud } from '../../../src/controller/record/plan-cloud.ts';
import { recordFromObject } from '../../../src/controller/record/record-from-object.ts';
import { planDigest } from '../../../src/plan/plan.ts';
import type { JourneyWorld } from './journey-world.ts';

/** Why no plan was made. */
export class PlanRefused extends Error {
  readonly codes: readonly string[];

  constructor(findings: readonly { readonly code: string; readonly message: string }[]) {
    super(findings.map(({ code, message }) => `${code}: ${message}`).join('\n'));
    this.codes = findings.map(({ code }) => code);
  }
}

/** The plan that carries out what a person asks for beside the record, as it is to be created. A rollback holds. */
export async function planOf(world: JourneyWorld, asked: AskedFor): Promise<ClusterObject> {
  const { person: cluster, namespace } = world;
  const object = await world.record();
  const { record, findings } = recordFromObject(object);
  if (!record) throw new PlanRefused(findings);
  const states = [];
  for (const { name } of record.services)
    states.push(
      serviceState(name, { revisions: await world.revisions(name), flows: await world.flows(name) }),
    );
  const packages = pushedPackages(cluster, namespace);
  const made = await planCloud(
    { cluster, packages, manifests: new Manifests(cluster) },
    record,
    states,
    asked,
  );
  if ('findings' in made) throw new PlanRefused(made.findings);
  const [kind] = Object.keys(asked);
  return {
    ...planType,
    metadata: {
      name: `${kind}-${Object.values(asked).join('-')}-${(await world.plans()).length}`,
      namespace,
    },
    spec: {
      deployment: object.metadata.name,
      recordGeneration: object.metadata.generation ?? 0,
      digest: planDigest(made.plan),
      plan: made.plan,
      targets: [...made.digests],
      holds: kind === 'rollback',
    },
  } as unknown as ClusterObject;
}
