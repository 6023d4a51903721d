import { isObject, type JsonObject } from '../../base/json.ts';
import type { DeleteOptions } from '../../cluster/cluster.ts';
import { ClusterError, isReason } from '../../cluster/cluster-error.ts';
import { decodeDeleteOptions } from '../protobuf/decode-delete-options.ts';
import { listObject, selectionOf } from './answer-read.ts';
import { isDryRun } from './answer-write.ts';
import { type Ask, refOf, typeOf } from './ask.ts';
import { oneOf } from './query.ts';
import { readBody } from './read-body.ts';
import { sendJson } from './send.ts';

const propagations = ['Background', 'Foreground', 'Orphan'] as const;

/** Kinds of which a server shows what was removed, and does not only say that it was. */
const shown: ReadonlySet<string> = new Set([
  ...['Namespace', 'PersistentVolume', 'PersistentVolumeClaim', 'Pod', 'PodTemplate'],
  ...['ResourceQuota', 'Service', 'ServiceAccount'],
]);

/** Removes an object. Answers that it is gone, or with the object as it is while something keeps it. */
export async function answerDelete(ask: Ask): Promise<void> {
  const body = (await readBody(ask.request, ['application/json'], decodeDeleteOptions)) ?? {};
  if (!isObject(body)) throw new ClusterError('BadRequest', 'DeleteOptions are expected');
  const object = await ask.cluster.delete(refOf(ask), deleteOptions(ask, body));
  const { name, uid, finalizers = [] } = object.metadata;
  const { group, kind, plural } = ask.kind;
  if (finalizers.length > 0 || (group === '' && shown.has(kind))) return sendJson(ask.response, 200, object);
  const details = { name, ...(group === '' ? {} : { group }), kind: plural, uid };
  const gone = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
  sendJson(ask.response, 200, gone);
}

/** Removes everything that is selected, one after the other. Answers with what was there. */
export async function answerDeleteAll(ask: Ask): Promise<void> {
  const body = (await readBody(ask.request, ['application/json'], decodeDeleteOptions)) ?? {};
  if (!isObject(body)) throw new ClusterError('BadRequest', 'DeleteOptions are expected');
  const options = deleteOptions(ask, body);
  const { items, resourceVersion } = await ask.cluster.list(typeOf(ask), selectionOf(ask));
  for (const { metadata } of items) {
    const { name, namespace } = metadata;
    const ref = { ...typeOf(ask), name, ...(namespace === undefined ? {} : { namespace }) };
    try {
      await ask.cluster.delete(ref, options);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
  sendJson(ask.response, 200, listObject(ask, items, { resourceVersion }));
}

/** What the body says holds; what it leaves out may stand in the query. */
function deleteOptions({ query }: Ask, body: JsonObject): DeleteOptions {
  const kind = body['kind'] ?? 'DeleteOptions';
  if (kind !== 'DeleteOptions') throw new ClusterError('BadRequest', 'DeleteOptions are expected');
  const policy = body['propagationPolicy'] ?? query.text('propagationPolicy');
  const seconds = body['gracePeriodSeconds'] ?? query.whole('gracePeriodSeconds');
  const preconditions = preconditionsIn(body);
  const said = body['dryRun'] ?? [];
  if (!Array.isArray(said)) throw new ClusterError('BadRequest', 'dryRun must be a list');
  if (seconds !== undefined && !Number.isInteger(seconds)) {
    throw new ClusterError('BadRequest', 'gracePeriodSeconds must be a whole number');
  }
  return {
    ...(preconditions ? { preconditions } : {}),
    ...(policy === undefined ? {} : { propagation: oneOf('propagationPolicy', policy, propagations) }),
    ...(seconds === undefined ? {} : { gracePeriodSeconds: Number(seconds) }),
    ...(isDryRun([...said, ...query.texts('dryRun')]) ? { dryRun: true } : {}),
  };
}

function preconditionsIn({ preconditions }: JsonObject): DeleteOptions['preconditions'] {
  if (preconditions === undefined || preconditions === null) return undefined;
  if (!isObject(preconditions)) throw new ClusterError('BadRequest', 'preconditions must be an object');
  const { uid, resourceVersion } = preconditions;
  return { ...textAt('uid', uid), ...textAt('resourceVersion', resourceVersion) };
}

function textAt(name: string, value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (typeof value === 'string') return { [name]: value };
  throw new ClusterError('BadRequest', `preconditions.${name} must be a string`);
}
