import type { JsonObject } from '../../base/json.ts';
import { identityOf, supportKinds } from '../../package/object-kinds.ts';
import type { OwnedObject } from '../../phase/act/put-owned.ts';
import type { EngineWorld } from '../engine-world.ts';
import type { FlowObject } from '../our-objects.ts';
import { refusalIn } from '../phase/carry-out-phase.ts';
import { ownObjects } from '../phase/own-objects.ts';
import type { StepOutcome } from '../runtime/outcome.ts';
import { putAll } from './brought-objects.ts';
import { actTogether, forgetPhases, sayPhase } from './brought-phases.ts';
import { flowDocuments } from './flow-documents.ts';
import { faultIn, flowScript, isPhase, lastAwaits, type ScriptAct } from './flow-script.ts';

/** What pods of phases may need. */
const beforePhases: ReadonlySet<string> = new Set([...supportKinds, 'PersistentVolumeClaim']);

/**
 * One pass over a flow that a chart or a file brings along: what it holds is made, in the name of the flow's account, and owned by the flow;
 * phases are carried out as those that a person writes. What pods need comes before them, all else after. A Workflow that only lets phases
 * happen one after the other is followed here, and needs no Argo; any other is made, and waited for.
 */
export async function broughtFlow(world: EngineWorld, object: FlowObject): Promise<StepOutcome> {
  const { documents, findings } = await flowDocuments(world, object);
  const others = documents.filter(one => !isPhase(one.object) && !scriptIn(one.object));
  const own = ownObjects(object, others);
  const [wrong] = [...findings, ...own.findings];
  if (wrong) return { kind: 'blocked', reason: wrong.code, message: `${wrong.message}. ${wrong.advice}` };
  const steps: (readonly ScriptAct[])[] = [
    documents.flatMap(one => (isPhase(one.object) ? [{ does: 'make' as const, phase: one.object }] : [])),
    ...documents.flatMap(one => scriptIn(one.object) ?? []),
  ];
  const fault = faultIn(steps.flat(), object.spec.serviceName);
  if (fault !== undefined) return { kind: 'blocked', reason: 'ManifestInvalid', message: `${fault}.` };
  const once = madeOnce(steps);
  const isBefore = (one: OwnedObject) => beforePhases.has(one.object.kind);
  try {
    const support = await putAll(world, object, own.objects.filter(isBefore));
    if (support.kind !== 'done') return support;
    for (const together of [...once, lastAwaits(once.flat())]) {
      const outcome = await actTogether(world, object, together);
      if (outcome.kind !== 'done') return outcome;
    }
    const rest = await putAll(
      world,
      object,
      own.objects.filter(one => !isBefore(one)),
    );
    if (rest.kind === 'done') await forgetPhases(world, object, once.flat());
    return rest;
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    return refusal;
  }
}

function scriptIn(object: JsonObject): readonly (readonly ScriptAct[])[] | undefined {
  return object['kind'] === 'Workflow' ? flowScript(object) : undefined;
}

/** A phase that is there beside the script, and is applied in it, is made once: the script sets its target state. */
function madeOnce(steps: readonly (readonly ScriptAct[])[]): readonly (readonly ScriptAct[])[] {
  const made = new Set<string>();
  return steps.map(acts =>
    acts.filter(act => {
      if (act.does !== 'make') return true;
      const { size } = made;
      return made.add(sayPhase(identityOf(act.phase))).size > size;
    }),
  );
}
