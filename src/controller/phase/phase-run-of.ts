import type { PhaseRun } from '../../phase/phase-run.ts';
import type { EngineWorld } from '../engine-world.ts';
import { keepsWrites } from '../flow/flow-facts.ts';
import { stateOfService } from '../flow/flow-scope.ts';
import { sidesOf } from '../flow/flow-sides.ts';
import { unsureDatabases } from '../observe/backup-fits.ts';
import { backupsOf } from '../observe/observe-cloud.ts';
import { type FlowObject, one, type PhaseObject, phaseOf } from '../our-objects.ts';

/** Everything one pass of a phase goes by; undefined where its flow is gone. */
export async function phaseRunOf(world: EngineWorld, object: PhaseObject): Promise<PhaseRun | undefined> {
  const { name, namespace = '', uid } = object.metadata;
  const { move } = object.spec;
  const flow = move ? one<FlowObject>(world.flows, namespace, move.oslc) : undefined;
  const planned = flow?.spec.planned;
  if (!move || !flow || !planned) return undefined;
  const { revisions, flows } = stateOfService(world, namespace, planned.step.service);
  const { status = {} } = flow;
  const { startedAt, claimedAt, traffic } = object.status ?? {};
  return {
    name,
    namespace,
    service: planned.step.service,
    oslc: flow.metadata.name,
    owner: { apiVersion: object.apiVersion, kind: object.kind, name, uid, controller: true },
    phase: phaseOf(object),
    move,
    step: planned.step,
    ...(await sidesOf(flow, revisions, world.manifests)),
    now: world.clock.wall(),
    startedAt: startedAt === undefined ? world.clock.wall() : Date.parse(startedAt),
    ...(claimedAt === undefined ? {} : { claimedAt: Date.parse(claimedAt) }),
    traffic,
    schemas: status.schemas ?? [],
    unsure: unsureDatabases(flows),
    backups: status.backups ?? [],
    keepsWrites: keepsWrites(flow),
    restoreFrom:
      planned.step.to?.revision === undefined ? [] : backupsOf(planned.step.to.revision, revisions),
    keptBackups: revisions.flatMap(({ spec }) => spec.backups),
    soakUntil: status.soakUntil === undefined ? undefined : Date.parse(status.soakUntil),
    endSoak: flow.spec.endSoak === true,
    cutsAtMost: flow.spec.cutsAtMost ?? 0,
    aborted: object.spec.aborted === true,
  };
}
