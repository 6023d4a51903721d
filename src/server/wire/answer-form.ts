import type { ClusterObject } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { type IncludeObject, makeTable, partialObject } from '../table/make-table.ts';
import type { Ask } from './ask.ts';

/** What objects are given out as: themselves, a table for people, or their metadata alone. */
export type AnswerForm = 'objects' | 'table' | 'metadata';

const forms: Readonly<Record<string, AnswerForm>> = {
  Table: 'table',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadata',
};

/** The first form of those that a client would take that there is. JSON is all that is spoken. */
export function answerForm({ request }: Pick<Ask, 'request'>): AnswerForm {
  const { accept = '' } = request.headers;
  if (!accept.includes('as=')) return 'objects';
  for (const offer of accept.split(',')) {
    const [type, ...parameters] = offer.split(';').map(part => part.trim());
    const words = Object.fromEntries(parameters.map(part => part.split('=')));
    const { as, g: group, v: version } = words;
    if (type !== 'application/json') continue;
    if (as === undefined) return 'objects';
    const form = group === 'meta.k8s.io' && version === 'v1' ? forms[as] : undefined;
    if (form) return form;
  }
  return 'objects';
}

/** One object in the form that is asked for. */
export function formed(ask: Ask, object: ClusterObject): object {
  const form = answerForm(ask);
  if (form === 'objects') return object;
  if (form === 'metadata') return partialObject(object);
  return tableOf(ask, [object], { resourceVersion: object.metadata.resourceVersion ?? '' });
}

/** A list in the form that is asked for; undefined where it is the list itself. */
export function formedList(
  ask: Ask,
  objects: readonly ClusterObject[],
  metadata: object,
): object | undefined {
  const form = answerForm(ask);
  if (form === 'objects') return undefined;
  if (form === 'table') return tableOf(ask, objects, metadata);
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    items: objects.map(partialObject),
  };
}

function tableOf({ kind, query }: Ask, objects: readonly ClusterObject[], metadata: object): object {
  const include = query.text('includeObject') ?? 'Metadata';
  if (!isInclude(include)) throw new ClusterError('BadRequest', `includeObject: unknown value ${include}`);
  return makeTable({ kind, include, now: Date.now() }, objects, metadata);
}

function isInclude(word: string): word is IncludeObject {
  return ['None', 'Metadata', 'Object'].includes(word);
}
