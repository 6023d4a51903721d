import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cluster } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import type { ReadPodLog } from '../../cluster/pod-log.ts';
import { answerOpenApiV2 } from '../openapi/answer-open-api-v2.ts';
import { describeOpenApi } from '../openapi/describe-open-api.ts';
import { answerObjects } from './answer-objects.ts';
import { describeCore, describeGroup, describeGroups, describeResources } from './describe-kinds.ts';
import type { KindIndex } from './kind-index.ts';
import { type ObjectsRoute, parseRoute, type Route } from './parse-route.ts';
import { Query } from './query.ts';
import { answerReview, reviewAt } from './review-kinds.ts';
import { sendError, sendJson } from './send.ts';
import { serverVersion } from './server-version.ts';
import { impersonated } from './who-asks.ts';
import { nothingHere, notOffered, WireRefusal } from './wire-refusal.ts';

/** What every request is answered from. */
export interface AnswerFrom {
  readonly cluster: Cluster;
  readonly index: KindIndex;
  readonly logs?: ReadPodLog;
  isKnown(request: IncomingMessage): boolean;
}

/** One request, and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly gone: AbortSignal;
}

const healthPaths = ['/livez', '/readyz', '/healthz'];

/** Answers one request. What it throws before the answer has begun is to be sent as its Status. */
export async function answerRequest(from: AnswerFrom, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const [path = '', ...words] = (request.url ?? '').split('?');
  if (answerOpen(path, exchange)) return;
  if (!from.isKnown(request)) throw new ClusterError('Unauthorized', 'Unauthorized');
  const route = parseRoute(path);
  if (!route) throw nothingHere();
  if (route.is === 'open api' && route.version === 'v2') return answerOpenApiV2(response);
  refuseAccept(request);
  if (route.is === 'objects') {
    const query = new Query(new URLSearchParams(words.join('?')));
    await answerAboutObjects(from, exchange, route, query);
    return;
  }
  if (request.method !== 'GET') throw notOffered();
  const described = describe(from, route);
  if (!described) throw nothingHere();
  sendJson(response, 200, described);
}

/** What anybody may ask: whether the server is there, and which one it is. */
function answerOpen(path: string, { request, response }: Exchange): boolean {
  const isHealth = healthPaths.includes(path);
  if (!isHealth && path !== '/version') return false;
  if (request.method !== 'GET') throw notOffered();
  if (isHealth) response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
  else sendJson(response, 200, serverVersion);
  return true;
}

function describe({ index, logs }: AnswerFrom, route: Exclude<Route, ObjectsRoute>): object | undefined {
  if (route.is === 'open api') return describeOpenApi(index.all(), route);
  if (route.is === 'core versions') return describeCore();
  if (route.is === 'groups') return describeGroups(index.all());
  if (route.is === 'group') return describeGroup(index.all(), route.group);
  return describeResources(index.all(), route, logs !== undefined);
}

async function answerAboutObjects(
  { index, cluster, logs }: AnswerFrom,
  exchange: Exchange,
  route: ObjectsRoute,
  query: Query,
): Promise<void> {
  const account = impersonated(exchange.request);
  const review = reviewAt(route);
  if (review) return answerReview(exchange, review, account);
  const kind = index.find(route);
  if (!kind) throw nothingHere();
  const actor = account ? cluster.as(account) : cluster;
  try {
    await answerObjects({ ...exchange, route, kind, query, logs, cluster: actor });
  } catch (error) {
    if (!(error instanceof ClusterError) || exchange.response.destroyed) throw error;
    sendError(exchange.response, error, { ...route, name: route.name });
  }
}

/** JSON is all that is spoken here; whoever takes nothing else is told so. */
function refuseAccept({ headers }: IncomingMessage): void {
  const { accept } = headers;
  if (!accept || /(?:^|[\s,])(?:application\/json|application\/\*|\*\/\*|text\/plain)/.test(accept)) return;
  const message = 'only the following media types are accepted: application/json';
  throw new WireRefusal('NotAcceptable', message);
}
