import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { changeContainers, changePodTemplate, listOf } from './pod-template.ts';

/** A Secret or ConfigMap that pods use by its name. */
export interface ConfigName {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
}

/**
 * The object with the names changed by which its pods use config: in volumes, in variables, in lists of variables. What is asked for with
 * `imagePullSecrets` is not config. The object itself where nothing changes.
 */
export function changeConfigNames(object: JsonObject, rename: (config: ConfigName) => string): JsonObject {
  const secret = referenceIn('Secret', rename);
  const configMap = referenceIn('ConfigMap', rename);
  const variable = (entry: Json): Json =>
    changeField(entry, 'valueFrom', from =>
      changeField(changeField(from, 'secretKeyRef', secret), 'configMapKeyRef', configMap),
    );
  const variables = (entry: Json): Json =>
    changeField(changeField(entry, 'secretRef', secret), 'configMapRef', configMap);
  const source = (entry: Json): Json =>
    changeField(changeField(entry, 'secret', secret), 'configMap', configMap);
  const volume = (entry: Json): Json => {
    const named = changeField(entry, 'secret', referenceIn('Secret', rename, 'secretName'));
    const projected = (at: Json) => changeField(at, 'sources', sources => changeItems(sources, source));
    return changeField(changeField(named, 'configMap', configMap), 'projected', projected);
  };
  return changePodTemplate(object, template => {
    const changed = changeField(template, 'spec', spec => {
      if (!isObject(spec)) return spec;
      const mounted = changeField(spec, 'volumes', volumes => changeItems(volumes, volume)) as JsonObject;
      return changeContainers(mounted, container => {
        const told = changeField(container, 'env', env => changeItems(env, variable));
        return changeField(told, 'envFrom', from => changeItems(from, variables)) as JsonObject;
      });
    });
    return changed as JsonObject;
  });
}

/** The config that the pods of an object use. */
export function configNamesOf(object: JsonObject): readonly ConfigName[] {
  const found: ConfigName[] = [];
  changeConfigNames(object, config => {
    found.push(config);
    return config.name;
  });
  return found;
}

function referenceIn(kind: ConfigName['kind'], rename: (config: ConfigName) => string, field = 'name') {
  return (at: Json): Json =>
    changeField(at, field, name => (typeof name === 'string' ? rename({ kind, name }) : name));
}

/** The same value where its field stays what it is, or is not there. */
function changeField(value: Json, field: string, change: (item: Json) => Json): Json {
  if (!isObject(value)) return value;
  const before = Object.hasOwn(value, field) ? value[field] : undefined;
  if (before === undefined) return value;
  const after = change(before);
  return after === before ? value : { ...value, [field]: after };
}

function changeItems(value: Json, change: (item: Json) => Json): Json {
  const before = listOf(value);
  const after = before.map(change);
  return after.every((item, index) => item === before[index]) ? value : after;
}
