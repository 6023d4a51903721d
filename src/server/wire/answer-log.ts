import { ClusterError } from '../../cluster/cluster-error.ts';
import type { LogQuery, LogSource } from '../../cluster/pod-log.ts';
import type { Ask } from './ask.ts';
import type { Query } from './query.ts';
import { beginStream, endStream, sendPiece } from './send.ts';
import { nothingHere } from './wire-refusal.ts';

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
  const stream = query.text('stream');
  if (stream !== undefined && stream !== 'All') {
    const why = 'both outputs of a container are one log';
    throw new ClusterError('BadRequest', `stream is not offered by the embedded cluster: ${why}`);
  }
  const tailLines = query.whole('tailLines');
  const since = sinceOf(query);
  return {
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(since === undefined ? {} : { since }),
    ...(query.flag('timestamps') ? { timestamps: true } : {}),
    ...(query.flag('previous') ? { previous: true } : {}),
  };
}

function sinceOf(query: Query): Date | undefined {
  const seconds = query.whole('sinceSeconds');
  const time = query.text('sinceTime');
  if (seconds !== undefined && time !== undefined) {
    throw new ClusterError('BadRequest', 'at most one of sinceTime or sinceSeconds may be specified');
  }
  // More than there are moments is from the first on.
  if (seconds !== undefined) return new Date(Math.max(0, Date.now() - seconds * 1000));
  if (time === undefined) return undefined;
  const since = new Date(time);
  if (!Number.isNaN(since.getTime())) return since;
  throw new ClusterError(
    'BadRequest',
    `sinceTime: ${JSON.stringify(time)} is no time, as 2026-01-31T22:00:00Z`,
  );
}
