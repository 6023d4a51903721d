import { isObject } from '../../base/json.ts';
import type { WatchEvent } from '../cluster.ts';
import { ClusterError } from '../cluster-error.ts';
import { errorOfStatus } from './error-of-status.ts';

const types: readonly string[] = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'];

/**
 * The events in the pieces of a watch: one JSON object a line. An `ERROR` event is thrown as what its Status says. A
 * last line that was cut off is dropped: whoever resumes gets it again.
 */
export async function* watchEvents(pieces: AsyncIterable<string>): AsyncGenerator<WatchEvent> {
  let rest: string[] = [];
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      // A line may come in many pieces; joined once, a long one costs no more than its length.
      const line = rest.length === 0 ? piece.slice(start, end) : [...rest, piece.slice(start, end)].join('');
      rest = [];
      start = end + 1;
      if (line !== '') yield eventOf(line);
    }
    if (start < piece.length) rest.push(piece.slice(start));
  }
}

function eventOf(line: string): WatchEvent {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch (cause) {
    throw new ClusterError('Unreachable', 'a watch sent a line that is no JSON', { cause });
  }
  const { type, object } = isObject(event) ? event : {};
  if (type === 'ERROR') throw errorOfStatus(codeOf(object), object);
  if (typeof type !== 'string' || !types.includes(type) || !isObject(object))
    throw new ClusterError('InternalError', 'a watch sent something that is no event');
  return { type, object } as unknown as WatchEvent;
}

function codeOf(status: unknown): number {
  const code = isObject(status) ? status['code'] : undefined;
  return typeof code === 'number' ? code : 500;
}
