import { ClusterError } from '../../cluster/cluster-error.ts';
import type { LogQuery, LogSource } from '../../cluster/pod-log.ts';
import type { Ask } from './ask.ts';
import type { Query } from './query.ts';
import { beginStream, endStream, sendPiece } from './send.ts';
import { nothingHere } from './wire-refusal.ts';

/** Ways to ask that nothing here can answer, with the reason. */
const notThere: Readonly<Record<string, string>> = {
  sinceSeconds: 'containers write their logs themselves, and no line has a time',
  sinceTime: 'containers write their logs themselves, and no line has a time',
  timestamps: 'containers write their logs themselves, and no line has a time',
  stream: 'both outputs of a container are one log',
};

/** Answers with what a container wrote; goes on with it where that is asked for, as fast as it is read. */
export async function answerLog(ask: Ask): Promise<void> {
  const { response, query, gone, logs } = ask;
  if (!logs) throw nothingHere();
  const follow = query.flag('follow');
  const all = logs(sourceOf(ask), { ...logQuery(query), follow, signal: gone });
  const pieces = limited(all, query.whole('limitBytes'))[Symbol.asyncIterator]();
  // What is refused is refused before the answer begins; but a follower is answered before anything is written.
  const first = follow ? undefined : await pieces.next();
  beginStream(response, 'text/plain');
  try {
    for (let turn = first ?? (await pieces.next()); !turn.done; turn = await pieces.next()) {
      if (!(await sendPiece(response, turn.value, gone))) break;
    }
  } finally {
    await pieces.return(undefined);
  }
  endStream(response);
}

async function* limited(
  pieces: AsyncIterable<Buffer>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  let left = limit;
  for await (const piece of pieces) {
    yield left < piece.length ? piece.subarray(0, left) : piece;
    left -= piece.length;
    if (left <= 0) return;
  }
}

function sourceOf({ route, query }: Ask): LogSource {
  const { namespace = '', name: pod = '' } = route;
  const container = query.text('container');
  return { namespace, pod, ...(container === undefined ? {} : { container }) };
}

function logQuery(query: Query): LogQuery {
  for (const [name, why] of Object.entries(notThere)) {
    const said = query.text(name);
    if (said === undefined || !query.flag(name) || (name === 'stream' && said === 'All')) continue;
    throw new ClusterError('BadRequest', `${name} is not offered by the embedded cluster: ${why}`);
  }
  const tailLines = query.whole('tailLines');
  return {
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(query.flag('previous') ? { previous: true } : {}),
  };
}
