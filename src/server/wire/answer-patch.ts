import { isObject, type JsonObject } from '../../base/json.ts';
import type { ClusterObject, Patch } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { writeOptions } from './answer-write.ts';
import { type Ask, refOf } from './ask.ts';
import { contentTypeOf, readBody } from './read-body.ts';
import { sendJson } from './send.ts';

/** The ways to patch. */
const types = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
} as const;

type MediaType = keyof typeof types;

/** Changes a part of an object, or of its status. */
export async function answerPatch(ask: Ask): Promise<void> {
  const { cluster, route, response } = ask;
  // Of kinds that came with a definition nobody knows which lists are merged.
  const isKnown = (type: string) => !ask.kind.definedBy || type !== 'application/strategic-merge-patch+json';
  const body = await readBody(ask.request, Object.keys(types).filter(isKnown));
  const patch = patchOf(ask, body);
  const options = writeOptions(ask);
  const subresource = route.subresource === 'status' ? ({ subresource: 'status' } as const) : {};
  sendJson(response, 200, await cluster.patch(refOf(ask), patch, { ...options, ...subresource }));
}

/** The way in which a request patches; its type was found to be one of them. */
export function patchTypeOf(request: Ask['request']): Patch['type'] {
  return types[contentTypeOf(request) as MediaType];
}

function patchOf({ request, query }: Ask, body: unknown): Patch {
  const type = patchTypeOf(request);
  if (type !== 'apply' && query.flag('force')) {
    throw new ClusterError('BadRequest', 'force may not be specified for non-apply patch');
  }
  if (type === 'json') {
    if (Array.isArray(body) && body.every(isObject)) return { type, value: body as JsonObject[] };
    throw new ClusterError('BadRequest', 'a JSON patch must be a list of operations');
  }
  if (!isObject(body)) throw new ClusterError('BadRequest', 'a patch must be an object');
  if (type === 'merge' || type === 'strategic') return { type, value: body };
  return {
    type: 'apply',
    value: body as unknown as ClusterObject,
    // Whoever applies must say who it is: without a name the cluster refuses it.
    fieldManager: query.text('fieldManager') ?? '',
    ...(query.flag('force') ? { force: true } : {}),
  };
}
