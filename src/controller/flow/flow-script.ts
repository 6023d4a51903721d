import { group } from '../../api/group.ts';
import { phaseKinds } from '../../api/phase-kinds.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { parseYaml } from '../../record/parse-yaml.ts';

/** One act of a flow that a chart describes: a phase is made, gets another target state, or is waited for. */
export type ScriptAct =
  | { readonly does: 'make'; readonly phase: JsonObject }
  | { readonly does: 'set'; readonly kind: string; readonly name: string; readonly targetState: string }
  | { readonly does: 'await'; readonly kind: string; readonly name: string; readonly state: string };

/**
 * What an Argo Workflow does that only lets phases of ours happen one after the other, as those of the earlier operator do: its steps, each
 * of acts that belong together. Undefined for every other Workflow: that one needs Argo.
 */
export function flowScript(workflow: JsonObject): readonly (readonly ScriptAct[])[] | undefined {
  const spec = objectIn(workflow, 'spec');
  const templates = listIn(spec, 'templates').filter(isObject);
  const named = (name: Json | undefined) => templates.find(one => one['name'] === name);
  const entry = named(spec['entrypoint']);
  if (!entry || !hasOnly(entry, ['name', 'steps'])) return undefined;
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
  return script.map(steps => steps.flatMap(acts => acts ?? []));
}

/** What a step does to one phase; undefined for anything else. */
function actsOf(resource: JsonObject): readonly ScriptAct[] | undefined {
  const { action, manifest, successCondition, mergeStrategy = 'merge' } = resource;
  if (!hasOnly(resource, ['action', 'manifest', 'mergeStrategy', 'successCondition', 'failureCondition']))
    return undefined;
  const phase = typeof manifest === 'string' ? phaseIn(manifest) : undefined;
  const awaited = stateAwaited(successCondition);
  if (!phase || mergeStrategy !== 'merge' || awaited === 'unknown') return undefined;
  const { kind, name } = phase;
  const waits: ScriptAct[] = awaited === undefined ? [] : [{ does: 'await', kind, name, state: awaited }];
  if (action === 'get') return waits;
  if (action === 'create' || action === 'apply') return [{ does: 'make', phase: phase.object }, ...waits];
  const change = objectIn(phase.object, 'spec');
  const { targetState } = change;
  if (action !== 'patch' || typeof targetState !== 'string' || !hasOnly(change, ['targetState']))
    return undefined;
  return [{ does: 'set', kind, name, targetState }, ...waits];
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
