import type { ClusterObject, ListOptions, ObjectList, Selection } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { formed, formedList } from './answer-form.ts';
import { type Ask, namespaceOf, refOf, typeOf } from './ask.ts';
import type { Query } from './query.ts';
import { sendJson } from './send.ts';

/** Answers with one object. */
export async function answerGet(ask: Ask): Promise<void> {
  sendJson(ask.response, 200, formed(ask, await ask.cluster.get(refOf(ask))));
}

/** Answers with a page of objects. */
export async function answerList(ask: Ask): Promise<void> {
  const { query, cluster } = ask;
  const version = query.text('resourceVersion');
  refuseVersion(query, version);
  const list = await cluster.list(typeOf(ask), listOptions(ask));
  refuseOther(query, version, list);
  const metadata = {
    resourceVersion: list.resourceVersion,
    ...(list.continue === undefined ? {} : { continue: list.continue }),
  };
  sendJson(ask.response, 200, formedList(ask, list.items, metadata) ?? listObject(ask, list.items, metadata));
}

/** Objects of a kind as the list that a server gives out. */
export function listObject(ask: Ask, items: readonly ClusterObject[], metadata: object): object {
  const { apiVersion, kind } = typeOf(ask);
  return { kind: `${kind}List`, apiVersion, metadata, items };
}

/** Which objects a request means. */
export function selectionOf(ask: Ask): Selection {
  const labelSelector = ask.query.text('labelSelector');
  const fields = [
    ...ask.query.texts('fieldSelector'),
    // A watch of one object is a watch of all that have its name.
    ...(ask.route.name === undefined ? [] : [`metadata.name=${ask.route.name}`]),
  ];
  return {
    ...namespaceOf(ask),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fields.length === 0 ? {} : { fieldSelector: fields.join(',') }),
  };
}

function listOptions(ask: Ask): ListOptions {
  const limit = ask.query.whole('limit');
  const next = ask.query.text('continue');
  return {
    ...selectionOf(ask),
    ...(limit === undefined ? {} : { limit }),
    ...(next === undefined ? {} : { continue: next }),
  };
}

function refuseVersion(query: Query, version: string | undefined): void {
  if (version === undefined) return;
  if (!/^\d+$/.test(version))
    throw new ClusterError('Invalid', `resourceVersion: Invalid value: "${version}"`);
  if (version !== '0' && query.text('continue') !== undefined) {
    const why = 'specifying resource version is not allowed when using continue';
    throw new ClusterError('BadRequest', why);
  }
}

/** A list is of now, which is not older than any moment that was; of another moment there is none. */
function refuseOther(query: Query, version: string | undefined, list: ObjectList): void {
  if (version === undefined || version === '0') return;
  const [asked, now] = [BigInt(version), BigInt(list.resourceVersion)];
  if (asked > now) {
    const message = `Timeout: Too large resource version: ${asked}, current: ${now}`;
    throw new ClusterError('Timeout', message, { retryAfterSeconds: 1 });
  }
  const match = query.choice('resourceVersionMatch', ['Exact', 'NotOlderThan']);
  if (match === 'Exact' && asked !== now) {
    throw new ClusterError('Expired', `The resourceVersion for the provided list is too old: ${asked}`);
  }
}
