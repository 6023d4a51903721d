import type { Agent } from 'node:http';
import { sayAnswer } from '../../../scripts/start/paced-clients.ts';
import { type Answered as Plain, timedRequest } from '../../../scripts/start/timed-request.ts';
import type { Fault } from './tally.ts';

/** A request to Keystone, and which answer it has to get. */
export interface KeystoneRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly content?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Whether an answer with that status says what it should. */
  readonly isRight?: (answer: GoodAnswer) => boolean;
}

/** Somebody with a password, and the project that they work in. */
export interface Login {
  readonly user: string;
  readonly password: string;
  readonly project: string;
}

/** The request for a token by password. */
export function loginRequest({ user, password, project }: Login): KeystoneRequest & { content: object } {
  const domain = { id: 'default' };
  const identity = { methods: ['password'], password: { user: { name: user, domain, password } } };
  const content = { auth: { identity, scope: { project: { name: project, domain } } } };
  return { method: 'POST', path: '/v3/auth/tokens', content, status: 201 };
}

/** What came of a request, and how long that took. */
export type Answered = Plain & { readonly tookMs: number; readonly asked: string };
export type GoodAnswer = Extract<Answered, { status: number }>;

/** How requests are sent: over which connections, and how long an answer may take. Five seconds unless told. */
export interface Manner {
  readonly agent?: Agent | undefined;
  readonly limitMs?: number | undefined;
}

const usualLimitMs = 5000;
/** A late answer is waited for, so many limits long: what came of it is worth knowing. */
const patience = 4;

/** Sends a request over a connection of the agent's, or over one of its own. Never asks twice. */
export async function ask(
  url: URL,
  { method, path, content, headers }: KeystoneRequest,
  { agent, limitMs = usualLimitMs }: Manner = {},
): Promise<Answered> {
  const began = performance.now();
  const answer = await timedRequest({
    ...{ address: url.hostname, port: Number(url.port || 80), method, limitMs: patience * limitMs },
    path: `${url.pathname.replace(/\/$/, '')}${path}`,
    ...(content === undefined ? {} : { content }),
    ...(headers === undefined ? {} : { headers }),
    ...(agent === undefined ? {} : { agent }),
  });
  return { ...answer, tookMs: performance.now() - began, asked: `${method} ${path}` };
}

/** What is wrong with an answer; undefined where it is the right one, in time. */
export function faultOf(
  answer: Answered,
  { status, isRight = () => true }: KeystoneRequest,
  { limitMs = usualLimitMs }: Manner = {},
): Fault | undefined {
  if ('failure' in answer) return 'no answer';
  if (answer.status !== status) {
    if (answer.status === 401) return 'wrong 401';
    return answer.status === 404 ? 'wrong 404' : 'other status';
  }
  if (!isRight(answer)) return 'wrong content';
  return answer.tookMs > limitMs ? 'slow' : undefined;
}

/** An answer in a line, with what was asked. No token is in it. */
export function sayAnswered(answer: Answered): string {
  return `${answer.asked}: ${sayAnswer(answer).slice(0, 300)} (${Math.round(answer.tookMs)} ms)`;
}

/** A field of a JSON answer; undefined where there is none. */
export function bodyOf(answer: GoodAnswer, field: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = (JSON.parse(answer.text) as Record<string, unknown> | null)?.[field];
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The token that an answer gives. */
export function tokenIn({ headers }: GoodAnswer): string | undefined {
  const token = headers['x-subject-token'];
  return typeof token === 'string' && token !== '' ? token : undefined;
}
