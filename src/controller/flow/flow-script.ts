import { group } from '../../api/group.ts';
import { phaseKinds } from '../../api/phase-kinds.ts';
import { isObject, type Json, type JsonObject, sameJson } from '../../base/json.ts';
import { identityOf } from '../../package/object-kinds.ts';
import { parseYaml } from '../../record/parse-yaml.ts';

/** One act of a flow that a chart describes: a phase is made, gets another target state, or is waited for. */
export type ScriptAct =
  | { readonly does: 'make'; readonly phase: JsonObject }
  | { readonly does: 'set'; readonly kind: string; readonly name: string; readonly targetState: string }
  | { readonly does: 'await'; readonly kind: string; readonly name: string; readonly state: string };

/** Fields of a Workflow that change nothing about what it does: the rest of them is about pods and traces of steps, of which there are none. */
const followedFields = [
  ...['entrypoint', 'templates', 'serviceAccountName', 'ttlStrategy', 'podGC', 'archiveLogs', 'podMetadata'],
  ...['workflowMetadata', 'nodeSelector', 'tolerations', 'imagePullSecrets', 'securityContext'],
];

/**
 * What an Argo Workflow does that only lets phases of ours happen one after the other, as those of the earlier operator do: its steps, each
 * of acts that belong together. Undefined for every other Workflow: that one needs Argo. So does one in which a phase goes through several
 * states: all steps are looked at anew in every pass, and nobody could tell which of the states it is at.
 */
export function flowScript(workflow: JsonObject): readonly (readonly ScriptAct[])[] | undefined {
  const spec = objectIn(workflow, 'spec');
  const templates = listIn(spec, 'templates').filter(isObject);
  const named = (name: Json | undefined) => templates.find(one => one['name'] === name);
  const entry = named(spec['entrypoint']);
  if (!entry || !hasOnly(spec, followedFields) || !hasOnly(entry, ['name', 'steps'])) return undefined;
  const script = listIn(entry, 'steps').map(together => {
    const steps = Array.isArray(together) ? together : [together];
    return steps.map(step => {
      if (!isObject(step) || !hasOnly(step, ['name', 'template'])) return undefined;
      const template = named(step['template']);
      return template && hasOnly(template, ['name', 'resource'])
        ? actsOf(objectIn(template, 'resource'))
        : undefined;
    });
  });
  if (script.length === 0 || script.flat().includes(undefined)) return undefined;
  const steps = script.map(together => together.flatMap(acts => acts ?? []));
  return phaseOfSeveralStates(steps.flat()) === undefined ? steps : undefined;
}

/** What is wrong with all that a flow does to its phases, or undefined. */
export function faultIn(acts: readonly ScriptAct[], service: string): string | undefined {
  const several = phaseOfSeveralStates(acts);
  if (several !== undefined) return `Two Workflows want ${several} in different states`;
  const first = new Map<string, JsonObject>();
  for (const act of acts) {
    if (act.does !== 'make') continue;
    const { kind, name } = identityOf(act.phase);
    const spec = objectIn(act.phase, 'spec');
    const before = first.get(`${kind} ${name}`) ?? spec;
    first.set(`${kind} ${name}`, before);
    const isSame = ([key, value]: [string, Json]) => key === 'targetState' || sameJson(value, before[key]);
    if (!Object.entries(spec).every(isSame)) return `${kind} ${name} is in it twice, with different content`;
    // It outlives the flow, and is known by its service then.
    if (kind === 'OperationalPhase' && spec['openstackServiceName'] !== service)
      return `${kind} ${name} is not of the service ${service}`;
  }
  return undefined;
}

/** Phases that no step waits for come to what is asked for them all the same. */
export function lastAwaits(acts: readonly ScriptAct[]): readonly ScriptAct[] {
  return acts.flatMap(act => {
    if (act.does !== 'make') return [];
    const { kind, name } = identityOf(act.phase);
    const about = acts.filter(one => one.does !== 'make' && one.kind === kind && one.name === name);
    if (about.some(({ does }) => does === 'await')) return [];
    const set = about.find(one => one.does === 'set');
    const state = set?.targetState ?? stateAsked(act.phase) ?? 'deployed';
    return ['deployed', 'uninstalled'].includes(state) ? [{ does: 'await', kind, name, state }] : [];
  });
}

/** The first phase that is set to, or waited for in, more than one state. */
function phaseOfSeveralStates(acts: readonly ScriptAct[]): string | undefined {
  const states = new Map<string, string>();
  for (const act of acts) {
    if (act.does === 'make') continue;
    const phase = `${act.kind} ${act.name}`;
    const state = act.does === 'set' ? act.targetState : act.state;
    if ((states.get(phase) ?? state) !== state) return phase;
    states.set(phase, state);
  }
  return undefined;
}

/** What a step does to one phase; undefined for anything else. */
function actsOf(resource: JsonObject): readonly ScriptAct[] | undefined {
  const { action, manifest, successCondition, failureCondition, mergeStrategy = 'merge' } = resource;
  if (!hasOnly(resource, ['action', 'manifest', 'mergeStrategy', 'successCondition', 'failureCondition']))
    return undefined;
  const phase = typeof manifest === 'string' ? phaseIn(manifest) : undefined;
  const awaited = stateAwaited(successCondition);
  // That a phase fails stops the flow anyway.
  const failing = stateAwaited(failureCondition) ?? 'failed';
  if (!phase || mergeStrategy !== 'merge' || awaited === 'unknown' || !/^(failed|error)$/.test(failing))
    return undefined;
  const { kind, name } = phase;
  const waits: ScriptAct[] = awaited === undefined ? [] : [{ does: 'await', kind, name, state: awaited }];
  if (action === 'get') return waits;
  const targetState = stateAsked(phase.object);
  const sets: ScriptAct[] = targetState === undefined ? [] : [{ does: 'set', kind, name, targetState }];
  if (action === 'create') return [{ does: 'make', phase: phase.object }, ...waits];
  // Also where the phase is there already.
  if (action === 'apply') return [{ does: 'make', phase: phase.object }, ...sets, ...waits];
  const isTarget = sets.length > 0 && hasOnly(objectIn(phase.object, 'spec'), ['targetState']);
  return action === 'patch' && isTarget ? [...sets, ...waits] : undefined;
}

/** The target state in a phase; an empty text means the default. */
function stateAsked(phase: JsonObject): string | undefined {
  const { targetState } = objectIn(phase, 'spec');
  return typeof targetState === 'string' ? targetState || 'deployed' : undefined;
}

function phaseIn(text: string): { kind: string; name: string; object: JsonObject } | undefined {
  const { manifests, findings } = parseYaml('manifest', text);
  const [only] = manifests;
  if (!only || manifests.length > 1 || findings.length > 0) return undefined;
  const { object } = only;
  const { name, namespace } = objectIn(object, 'metadata');
  if (!isPhase(object) || typeof name !== 'string' || namespace !== undefined) return undefined;
  return { kind: String(object['kind']), name, object };
}

/** Whether an object is a phase of ours. */
export function isPhase({ apiVersion, kind }: JsonObject): boolean {
  return String(apiVersion).startsWith(`${group}/`) && phaseKinds.some(one => one.kind === kind);
}

function stateAwaited(condition: Json | undefined): string | undefined {
  if (condition === undefined) return undefined;
  const [, state] = /^\s*status\.actualState\s*==\s*(\w+)\s*$/.exec(String(condition)) ?? [];
  return state ?? 'unknown';
}

function hasOnly(object: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(object).every(key => keys.includes(key));
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const found = object[key];
  return isObject(found) ? found : {};
}

function listIn(object: JsonObject, key: string): readonly Json[] {
  const found = object[key];
  return Array.isArray(found) ? found : [];
}
