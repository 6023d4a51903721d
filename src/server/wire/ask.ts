import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cluster, ObjectRef, ObjectType } from '../../cluster/cluster.ts';
import type { ReadPodLog } from '../../cluster/pod-log.ts';
import type { ServedKind } from '../../cluster/served-kind.ts';
import { apiVersionOf } from './kind-index.ts';
import type { ObjectsRoute } from './parse-route.ts';
import type { Query } from './query.ts';

/** One request about objects, read as far as its path, its sender and its parameters. */
export interface Ask {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: ObjectsRoute;
  readonly kind: ServedKind;
  readonly query: Query;
  /** Acts for whoever asks. */
  readonly cluster: Cluster;
  readonly logs: ReadPodLog | undefined;
  /** Whoever asked is gone, or the server ends: nothing is to be sent any more. */
  readonly gone: AbortSignal;
}

/** The kind that is asked for, as a manifest names it. */
export function typeOf({ kind }: Pick<Ask, 'kind'>): ObjectType {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind };
}

/** The object that is asked for; the route has its name. */
export function refOf(ask: Pick<Ask, 'kind' | 'route'>): ObjectRef {
  return { ...typeOf(ask), name: ask.route.name ?? '', ...namespaceOf(ask) };
}

export function namespaceOf({ route }: Pick<Ask, 'route'>): { readonly namespace?: string } {
  return route.namespace === undefined ? {} : { namespace: route.namespace };
}
