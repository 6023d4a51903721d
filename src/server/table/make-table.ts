import type { JsonObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import type { ServedKind } from '../../cluster/served-kind.ts';
import { columnsOf } from './columns-of.ts';

/** What of each object is in its row, for clients that sort by it or must know its name. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableRequest {
  readonly kind: ServedKind;
  readonly include: IncludeObject;
  readonly now: number;
}

/** A table of objects, as a server prints them for people. */
export function makeTable(
  { kind, include, now }: TableRequest,
  objects: readonly ClusterObject[],
  metadata: object,
): object {
  const columns = columnsOf(kind);
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map(({ cell: _, ...column }) => column),
    rows: objects.map(object => ({
      cells: columns.map(({ cell }) => cell(object as unknown as JsonObject, now)),
      ...(include === 'None' ? {} : { object: include === 'Object' ? object : partialObject(object) }),
    })),
  };
}

/** An object without anything but its metadata. */
export function partialObject({ metadata }: ClusterObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}
