import type { StoredObject } from '../../cluster/cluster.ts';
import { partsOf, placeOf } from '../../reconcile/informer.ts';
import type { Controller } from '../../reconcile/reconcile.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import type { EngineWorld } from '../engine-world.ts';
import { flowTurns } from '../flow-turns.ts';
import {
  type FlowObject,
  flowType,
  one,
  type PhaseObject,
  type PlanObject,
  planType,
  type RecordObject,
  type RevisionObject,
  recordType,
  revisionType,
  summarySeconds,
  typeOfPhase,
} from '../our-objects.ts';
import { isKeeper } from '../phase/is-keeper.ts';
import { planHasEnded } from '../plan/plan-controller.ts';
import { finish } from '../runtime/finish.ts';
import { runSteps } from '../runtime/outcome.ts';
import { indexName } from '../store/package-index.ts';
import { recordScope } from './record-scope.ts';
import { availability, cloudOutcome, recordStatus } from './record-status.ts';
import { recordSteps } from './record-steps.ts';
import { tidyUp } from './tidy-up.ts';

const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const secret = { apiVersion: 'v1', kind: 'Secret' };

/** Compares records with what is, and puts plans before people. */
export function recordController(world: EngineWorld): Controller {
  const of = ({ metadata }: StoredObject, name: string | undefined) =>
    name === undefined ? [] : [placeOf(metadata.namespace, name)];
  return {
    name: 'record',
    pass: place => pass(world, place),
    watches: [
      { type: recordType, keysOf: object => of(object, object.metadata.name) },
      {
        type: planType,
        keysOf: object => of(object, (object as PlanObject).spec.deployment),
        gatherSeconds: object => (planHasEnded(object as PlanObject) ? 0 : summarySeconds),
      },
      {
        type: flowType,
        keysOf: object => of(object, (object as FlowObject).spec.planned?.deployment),
        isNews: flowTurns,
      },
      {
        type: flowType,
        keysOf: object => of(object, (object as FlowObject).spec.planned?.deployment),
        gatherSeconds: () => summarySeconds,
      },
      { type: revisionType, keysOf: object => of(object, (object as RevisionObject).spec.deployment) },
      {
        type: typeOfPhase('operational'),
        keysOf: object =>
          isKeeper(object as PhaseObject) ? of(object, recordOf(world, object as PhaseObject)) : [],
        gatherSeconds: () => summarySeconds,
      },
      { type: configMap, keysOf: object => usersOf(world, object) },
      ...(world.followsSecrets
        ? [{ type: secret, keysOf: (object: StoredObject) => usersOf(world, object) }]
        : []),
    ],
  };
}

/** The record that a phase was made for. */
function recordOf(world: EngineWorld, { metadata, spec }: PhaseObject): string | undefined {
  const flow = one<FlowObject>(world.flows, metadata.namespace, spec.move?.oslc ?? '');
  return flow?.spec.planned?.deployment;
}

/** The records that take values from an object, or whose packages it lists. */
function usersOf(world: EngineWorld, { kind, metadata }: StoredObject): string[] {
  const records = world.records.all() as readonly RecordObject[];
  return records
    .filter(record => record.metadata.namespace === metadata.namespace)
    .filter(
      ({ spec }) =>
        (kind === 'ConfigMap' && metadata.name === indexName) ||
        spec.services.some(({ valuesFrom }) =>
          valuesFrom.some(from => from.kind === kind && from.name === metadata.name),
        ),
    )
    .map(record => placeOf(record.metadata.namespace, record.metadata.name));
}

async function pass(world: EngineWorld, place: string): Promise<Again> {
  const { namespace, name } = partsOf(place);
  const object = one<RecordObject>(world.records, namespace, name);
  if (!object || object.metadata.deletionTimestamp !== undefined) return undefined;
  const scope = recordScope(world, object);
  const outcome = await runSteps(recordSteps, scope);
  const after = {
    ...recordScope(world, object),
    ...(scope.record ? { record: scope.record } : {}),
    ...(scope.planned ? { planned: scope.planned } : {}),
  };
  await tidyUp(after);
  const again = await finish({
    reconciling: world.reconciling,
    object,
    status: { ...recordStatus(after) },
    outcome: cloudOutcome(after, outcome),
    well: { reason: 'AsRecorded', message: 'The cloud is as its record says.' },
    available: availability(after),
    now: scope.now,
  });
  return again ?? lookForSecrets(world, object);
}

/** Where Secrets are not followed, whether the content of one has changed is looked at so often. */
const lookForSecretsSeconds = 60;

function lookForSecrets({ followsSecrets }: EngineWorld, { spec }: RecordObject): Again {
  const reads = spec.services.some(({ valuesFrom }) => valuesFrom.some(({ kind }) => kind === 'Secret'));
  return reads && !followsSecrets ? { afterSeconds: lookForSecretsSeconds } : undefined;
}
