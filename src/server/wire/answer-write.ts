import { isObject } from '../../base/json.ts';
import type { ClusterObject, WriteOptions } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { decodeObject } from '../protobuf/decode-object.ts';
import { type Ask, typeOf } from './ask.ts';
import { oneOf } from './query.ts';
import { readBody } from './read-body.ts';
import { sendJson } from './send.ts';

const json = ['application/json'] as const;

/** Makes an object. */
export async function answerCreate(ask: Ask): Promise<void> {
  const object = placed(ask, await readObject(ask));
  sendJson(ask.response, 201, await ask.cluster.create(object, writeOptions(ask)));
}

/** Replaces an object, or its status through that door. */
export async function answerUpdate(ask: Ask): Promise<void> {
  const { cluster, route, response } = ask;
  const object = placed(ask, await readObject(ask));
  const { name } = object.metadata;
  if (name === undefined) throw new ClusterError('BadRequest', 'name must be provided');
  if (name !== route.name) {
    const why = `the name of the object (${name}) does not match the name on the URL (${route.name})`;
    throw new ClusterError('BadRequest', why);
  }
  const options = writeOptions(ask);
  const written =
    route.subresource === undefined ? cluster.update(object, options) : cluster.updateStatus(object, options);
  sendJson(response, 200, await written);
}

/** What is to be written. Of built-in kinds it may be in the protobuf that Kubernetes' own clients prefer. */
function readObject({ request, kind: { schema } }: Ask): Promise<unknown> {
  return readBody(request, json, schema && (body => decodeObject(body, schema)));
}

/** How a write is to be done, by the parameters of the request. */
export function writeOptions({ query, request, response }: Ask): WriteOptions {
  // As an API server does: whoever does not say who it is, is known by its program.
  const [program = ''] = (request.headers['user-agent'] ?? '').split('/');
  const fieldManager = query.text('fieldManager') ?? (program || undefined);
  const fieldValidation = query.choice('fieldValidation', ['Ignore', 'Warn', 'Strict']);
  return {
    ...(fieldManager === undefined ? {} : { fieldManager }),
    ...(fieldValidation === undefined ? {} : { fieldValidation }),
    ...(isDryRun(query.texts('dryRun')) ? { dryRun: true } : {}),
    onDropped: fields => response.setHeader('warning', fields.map(warningOf)),
  };
}

/** A warning that clients show to people. Names are those of the sender: only what a header can hold goes into it. */
function warningOf(field: string): string {
  const text = `unknown field "${field}"`.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&');
  return `299 - "${text}"`;
}

/** Whether a request is only to be tried out. Throws `BadRequest` for a way of doing so that is not known. */
export function isDryRun(said: readonly unknown[]): boolean {
  for (const word of said) oneOf('dryRun', word, ['All']);
  return said.length > 0;
}

/** The object of a body, which is of the kind and in the namespace of the path, or says nothing of them. */
function placed(ask: Ask, body: unknown): ClusterObject {
  if (!isObject(body)) throw new ClusterError('BadRequest', 'an object is expected');
  const { apiVersion, kind } = typeOf(ask);
  const { metadata = {} } = body;
  if ((body['apiVersion'] ?? apiVersion) !== apiVersion || (body['kind'] ?? kind) !== kind) {
    const said = `${String(body['kind'])} of ${String(body['apiVersion'])}`;
    const why = `the object in the body is a ${said}, and the path is that of a ${kind} of ${apiVersion}`;
    throw new ClusterError('BadRequest', why);
  }
  if (metadata !== null && !isObject(metadata)) {
    throw new ClusterError('BadRequest', 'metadata must be an object');
  }
  return { ...body, apiVersion, kind, metadata: withNamespace(ask, metadata ?? {}) } as ClusterObject;
}

function withNamespace({ route, kind }: Ask, metadata: object): object {
  const { namespace } = route;
  if (!kind.isNamespaced || namespace === undefined) return metadata;
  const said = (metadata as { readonly namespace?: unknown }).namespace;
  if (said === undefined || said === null || said === '') return { ...metadata, namespace };
  if (said === namespace) return metadata;
  const why = 'the namespace of the provided object does not match the namespace sent on the request';
  throw new ClusterError('BadRequest', why);
}
