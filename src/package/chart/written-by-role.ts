import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { identityOf } from '../object-kinds.ts';
import { listOf } from './pod-template.ts';

const writing: ReadonlySet<Json> = new Set(['create', 'update', 'patch', '*']);
const resourcesOf: Readonly<Record<string, string>> = { Secret: 'secrets', ConfigMap: 'configmaps' };

/**
 * The Secrets and ConfigMaps of a chart that something else fills: a Role of the chart lets its pods write them, by name; or lets them write
 * all, and this one comes without content.
 */
export function writtenByRoles(objects: readonly JsonObject[]): ReadonlySet<JsonObject> {
  const rules = objects.filter(isRole).flatMap(role => listOf(role['rules']).filter(isObject));
  return new Set(objects.filter(object => rules.some(rule => mayWrite(rule, object))));
}

function isRole(object: JsonObject): boolean {
  return object['kind'] === 'Role' || object['kind'] === 'ClusterRole';
}

function mayWrite(rule: JsonObject, object: JsonObject): boolean {
  const { kind, name } = identityOf(object);
  const resource = Object.hasOwn(resourcesOf, kind) ? resourcesOf[kind] : undefined;
  if (resource === undefined) return false;
  const resources = listOf(rule['resources']);
  if (!resources.includes(resource) && !resources.includes('*')) return false;
  if (!listOf(rule['verbs']).some(verb => writing.has(verb))) return false;
  const names = listOf(rule['resourceNames']);
  return names.length > 0 ? names.includes(name) : isEmpty(object);
}

function isEmpty(object: JsonObject): boolean {
  return ['data', 'stringData', 'binaryData'].every(field => {
    const content = object[field];
    return !isObject(content) || Object.keys(content).length === 0;
  });
}
