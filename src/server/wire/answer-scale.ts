import { isObject, type Json, type JsonObject, mergeJson } from '../../base/json.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { applyJsonPatch } from '../../cluster/embedded/write/json-patch.ts';
import type { ServedKind } from '../../cluster/served-kind.ts';
import { selectorQuery } from '../table/label-text.ts';
import { fieldAt } from '../table/read-field.ts';
import { patchTypeOf } from './answer-patch.ts';
import { writeOptions } from './answer-write.ts';
import { type Ask, refOf } from './ask.ts';
import { readBody } from './read-body.ts';
import { sendJson } from './send.ts';

/** Where an object of a kind says how many of something it has and wants. Paths without the first dot. */
interface ScalePaths {
  readonly wanted: string;
  readonly there: string;
  readonly selector?: string;
}

const builtin: readonly string[] = ['apps/deployments', 'apps/replicasets', 'apps/statefulsets'];
const usual: ScalePaths = { wanted: 'spec.replicas', there: 'status.replicas' };

/** How a kind is scaled; undefined where it is not. */
export function scaleOf({ group, plural, definedBy }: ServedKind): ScalePaths | undefined {
  if (!definedBy) return builtin.includes(`${group}/${plural}`) ? usual : undefined;
  const scale = fieldAt(definedBy, 'subresources.scale');
  if (!isObject(scale)) return undefined;
  const path = (name: string) => String(scale[name] ?? '').replace(/^\./, '');
  const selector = path('labelSelectorPath');
  return {
    wanted: path('specReplicasPath'),
    there: path('statusReplicasPath'),
    ...(selector === '' ? {} : { selector }),
  };
}

/** Answers with the number of an object as a thing of its own. */
export async function answerScale(ask: Ask): Promise<void> {
  sendJson(ask.response, 200, scaleObject(ask, await ask.cluster.get(refOf(ask))));
}

/** Changes the number of an object and nothing else, by the whole thing or by a patch of it. */
export async function answerScaleWrite(ask: Ask): Promise<void> {
  const { cluster, request } = ask;
  const ref = refOf(ask);
  const before = scaleObject(ask, await cluster.get(ref)) as JsonObject;
  const wanted = request.method === 'PUT' ? await putBody(ask) : await patchedScale(ask, before);
  const replicas = fieldAt(wanted, 'spec.replicas') ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0) {
    const message = `Invalid value: ${JSON.stringify(replicas)}: must be greater than or equal to 0`;
    const causes = [{ field: 'spec.replicas', reason: 'FieldValueInvalid', message }];
    const { name } = ask.route;
    throw new ClusterError('Invalid', `Scale.autoscaling "${name}" is invalid: spec.replicas: ${message}`, {
      causes,
    });
  }
  const version = fieldAt(wanted, 'metadata.resourceVersion');
  const isNamed = version !== undefined && version !== fieldAt(before, 'metadata.resourceVersion');
  const value: JsonObject = {
    ...nested(scaleOf(ask.kind)?.wanted ?? usual.wanted, replicas),
    // Only who says which version is meant is refused for another one.
    ...(isNamed || request.method === 'PUT' ? { metadata: versionOf(version) } : {}),
  };
  const written = await cluster.patch(ref, { type: 'merge', value }, writeOptions(ask));
  sendJson(ask.response, 200, scaleObject(ask, written));
}

function versionOf(version: unknown): JsonObject {
  return typeof version === 'string' && version !== '' ? { resourceVersion: version } : {};
}

async function putBody({ request }: Ask): Promise<JsonObject> {
  const body = await readBody(request, ['application/json']);
  if (isObject(body)) return body;
  throw new ClusterError('BadRequest', 'a Scale is expected');
}

async function patchedScale({ request }: Ask, before: JsonObject): Promise<JsonObject> {
  const types = [
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/json-patch+json',
  ];
  const patch = await readBody(request, types);
  if (patchTypeOf(request) === 'json') return applyJsonPatch(before, patch as readonly JsonObject[]);
  if (!isObject(patch)) throw new ClusterError('BadRequest', 'a patch must be an object');
  return mergeJson(before, patch);
}

function scaleObject({ kind }: Ask, object: StoredObject): object {
  const { wanted, there, selector } = scaleOf(kind) ?? usual;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const count = fieldAt(object, wanted);
  const query = selector
    ? fieldAt(object, selector)
    : kind.definedBy
      ? undefined
      : selectorQuery(fieldAt(object, 'spec.selector'));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
    },
    spec: count ? { replicas: count } : {},
    status: { replicas: fieldAt(object, there) ?? 0, ...(query === undefined ? {} : { selector: query }) },
  };
}

function nested(path: string, value: Json): JsonObject {
  return path.split('.').reduceRight<Json>((below, name) => ({ [name]: below }), value) as JsonObject;
}
