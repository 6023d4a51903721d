import { ClusterError } from '../../cluster/cluster-error.ts';
import type { LogQuery, LogSource } from '../../cluster/pod-log.ts';
import type { Ask } from './ask.ts';
import type { Query } from './query.ts';
import { beginStream, endStream, sendPiece } from './send.ts';
import { nothingHere } from './wire-refusal.ts';

/** Ways to ask that nothing here can answer. */
const notThere = ['sinceSeconds', 'sinceTime', 'timestamps', 'limitBytes', 'stream'] as const;

/** Answers with what a container wrote; goes on with it where that is asked for, as fast as it is read. */
export async function answerLog(ask: Ask): Promise<void> {
  const { response, query, gone, logs } = ask;
  if (!logs) throw nothingHere();
  const follow = query.flag('follow');
  const pieces = logs(sourceOf(ask), { ...logQuery(query), follow, signal: gone })[Symbol.asyncIterator]();
  // What is refused is refused before the answer begins; but a follower is answered before anything is written.
  const first = follow ? undefined : await pieces.next();
  beginStream(response, 'text/plain');
  try {
    for (let turn = first ?? (await pieces.next()); !turn.done; turn = await pieces.next()) {
      if (!(await sendPiece(response, turn.value, gone))) break;
    }
  } finally {
    await pieces.return?.();
  }
  endStream(response);
}

function sourceOf({ route, query }: Ask): LogSource {
  const { namespace = '', name: pod = '' } = route;
  const container = query.text('container');
  return { namespace, pod, ...(container === undefined ? {} : { container }) };
}

function logQuery(query: Query): LogQuery {
  for (const name of notThere) {
    if (query.text(name) !== undefined && query.flag(name)) {
      throw new ClusterError('BadRequest', `${name} is not offered here`);
    }
  }
  const tailLines = query.whole('tailLines');
  return {
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(query.flag('previous') ? { previous: true } : {}),
  };
}
