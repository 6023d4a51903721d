import { managedBy, managedByLabel } from '../../api/labels.ts';
import type { PhaseName } from '../../api/phase-names.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import type { EngineWorld } from '../engine-world.ts';
import { forgetStored } from '../forget-stored.ts';
import { knownPhase, knownPhaseName, recordIn } from '../hand-made.ts';
import { type FlowObject, revisionType, typeOfPhase } from '../our-objects.ts';
import { forget, tidyService } from '../record/tidy-up.ts';
import { stateOfService, timeText } from './flow-scope.ts';

/**
 * After a hand-written flow has come to its end, what the next one begins at takes the place of what this one began at: an install
 * removes `<service>-planning`, an uninstall removes `<service>-operational` and puts a planning object there. Done once, and only to
 * objects that were there before the end: what somebody writes afterwards is theirs.
 */
export async function handOver(world: EngineWorld, object: FlowObject): Promise<Again> {
  const { end, handedOverAt, finishedAt } = object.status ?? {};
  if (handedOverAt !== undefined) return undefined;
  await forgetOld(world, object);
  if (end !== 'operational' && end !== 'removed') return undefined;
  const { flow } = object.spec.planned?.step ?? {};
  if (flow === 'install') await removeBefore(world, object, 'planning', finishedAt ?? '');
  if (flow === 'uninstall') {
    await removeBefore(world, object, 'operational', finishedAt ?? '');
    await putPlanning(world, object);
  }
  try {
    const status = { ...object.status, handedOverAt: timeText(world.clock.wall()) };
    await world.reconciling.updateStatus({ ...object, status });
  } catch (error) {
    if (isReason(error, 'Conflict')) return { afterSeconds: 0 };
    if (!isReason(error, 'NotFound')) throw error;
  }
  return undefined;
}

/** Revisions of the service beyond the limit that the newest flow sets go, and what only they needed. What a person wrote stays. */
async function forgetOld(world: EngineWorld, { metadata, spec }: FlowObject): Promise<void> {
  const namespace = metadata.namespace ?? '';
  const state = stateOfService(world, namespace, spec.serviceName);
  // Of a service that is in a record the record decides.
  const isRecords = recordIn(world, namespace)?.spec.services.some(({ name }) => name === spec.serviceName);
  if (isRecords || state.running || state.flows[0]?.metadata.uid !== metadata.uid) return;
  const old = tidyService(state, Math.max(1, spec.revisionHistoryLimit), new Set()).forgotten;
  const forgotten = old.filter(({ kind }) => kind === revisionType.kind);
  for (const one of forgotten) await forget(world, one);
  if (forgotten.length > 0) await forgetStored(world, namespace, new Set(forgotten));
}

async function removeBefore(
  world: EngineWorld,
  { metadata, spec }: FlowObject,
  phase: PhaseName,
  finishedAt: string,
): Promise<void> {
  const found = knownPhase(world, metadata.namespace, spec.serviceName, phase);
  if (!found || Date.parse(found.metadata.creationTimestamp) > Date.parse(finishedAt)) return;
  await forget(world, found);
}

/** It stands for where the service is, and makes nothing; nobody owns it, so that it is there when the flow is gone. */
async function putPlanning(world: EngineWorld, { metadata, spec }: FlowObject): Promise<void> {
  try {
    await world.reconciling.create({
      ...typeOfPhase('planning'),
      metadata: {
        name: knownPhaseName(spec.serviceName, 'planning'),
        namespace: metadata.namespace ?? '',
        labels: { [managedByLabel]: managedBy },
      },
      spec: {
        openstackServiceName: spec.serviceName,
        source: { type: 'plan', location: metadata.name },
      },
    });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}
