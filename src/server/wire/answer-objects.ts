import { answerDelete, answerDeleteAll } from './answer-delete.ts';
import { answerLog } from './answer-log.ts';
import { answerPatch } from './answer-patch.ts';
import { answerGet, answerList } from './answer-read.ts';
import { answerScale, answerScaleWrite, scaleOf } from './answer-scale.ts';
import { answerWatch } from './answer-watch.ts';
import { answerCreate, answerUpdate } from './answer-write.ts';
import type { Ask } from './ask.ts';
import { nothingHere, notOffered, partNotOffered } from './wire-refusal.ts';

type Answer = (ask: Ask) => Promise<void>;
type Answers = Readonly<Record<string, Answer>>;

const ofCollection: Answers = { GET: answerList, POST: answerCreate, DELETE: answerDeleteAll };
const ofScale: Answers = { GET: answerScale, PUT: answerScaleWrite, PATCH: answerScaleWrite };
const ofObject: Answers = { GET: answerGet, PUT: answerUpdate, PATCH: answerPatch, DELETE: answerDelete };
const ofStatus: Answers = { GET: answerGet, PUT: answerUpdate, PATCH: answerPatch };
const ofLog: Answers = { GET: answerLog };

/** Answers a request about objects. Throws `NotFound` for a place that is not there, `MethodNotAllowed` for a method it does not have. */
export function answerObjects(ask: Ask): Promise<void> {
  const { request, query, route } = ask;
  const method = request.method ?? '';
  const answers = answersAt(ask);
  if (method === 'GET' && route.subresource === undefined && query.flag('watch')) return answerWatch(ask);
  const answer = Object.hasOwn(answers, method) ? answers[method] : undefined;
  if (!answer) throw notOffered();
  return answer(ask);
}

function answersAt({ route, kind }: Ask): Answers {
  const { namespace, name, subresource } = route;
  // Only what has a namespace is in one.
  if (namespace !== undefined && !kind.isNamespaced) throw nothingHere();
  const isEverywhere = kind.isNamespaced && namespace === undefined;
  if (name === undefined) return isEverywhere ? { GET: answerList } : ofCollection;
  if (isEverywhere) throw nothingHere();
  if (subresource === undefined) return ofObject;
  if (subresource === 'status' && kind.hasStatus) return ofStatus;
  if (subresource === 'log' && kind.group === '' && kind.plural === 'pods') return ofLog;
  if (subresource === 'scale' && scaleOf(kind)) return ofScale;
  throw partNotOffered(kind.plural, subresource) ?? nothingHere();
}
