import type { WatchEvent } from '../../cluster/cluster.ts';
import { ClusterError, isReason } from '../../cluster/cluster-error.ts';
import { formed } from './answer-form.ts';
import { selectionOf } from './answer-read.ts';
import { type Ask, typeOf } from './ask.ts';
import { beginStream, endStream, sendPiece } from './send.ts';
import { sharedText } from './shared-text.ts';
import { statusOfError } from './status-of-error.ts';

/** How long a watch lasts that does not say; up to twice as long, so that not all end together. */
const usualSeconds = 1800;
const longestSeconds = 24 * 3600;

/**
 * Answers with everything that happens, an event a line, until whoever watches goes, the time is over or the server ends. Events are
 * taken from the cluster only as fast as they are read: who lies too far behind is told so (410) and lists again.
 */
export async function answerWatch(ask: Ask): Promise<void> {
  const { query, response, gone } = ask;
  refuseWatchList(ask);
  const seconds = query.whole('timeoutSeconds') || usualSeconds * (1 + Math.random());
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, Math.min(seconds, longestSeconds) * 1000);
  gone.addEventListener('abort', end);
  if (gone.aborted) end();
  try {
    const events = beginWatch(ask, over.signal);
    beginStream(response, 'application/json');
    await sendEvents(ask, events, over.signal);
    endStream(response);
  } finally {
    clearTimeout(timer);
    gone.removeEventListener('abort', end);
    // Whatever ended it, the watch behind it is let go of.
    end();
  }
}

/** Begins the watch, so that what is refused is refused before the answer begins; but a moment too long ago is an event. */
function beginWatch(ask: Ask, signal: AbortSignal): AsyncIterator<WatchEvent> {
  const version = ask.query.text('resourceVersion');
  const from = version === undefined ? {} : { resourceVersion: version };
  try {
    const events = ask.cluster.watch(typeOf(ask), { ...selectionOf(ask), ...from, signal });
    return events[Symbol.asyncIterator]();
  } catch (error) {
    if (!isReason(error, 'Expired')) throw error;
    return { next: () => Promise.reject(error) };
  }
}

async function sendEvents(ask: Ask, events: AsyncIterator<WatchEvent>, over: AbortSignal): Promise<void> {
  const { response, query, route, kind } = ask;
  const isMarked = query.flag('allowWatchBookmarks');
  try {
    for (let turn = await events.next(); !turn.done; turn = await events.next()) {
      const { type } = turn.value;
      if (type === 'BOOKMARK' && !isMarked) continue;
      const object = type === 'BOOKMARK' ? turn.value.object : formed(ask, turn.value.object);
      const piece = `{"type":"${type}","object":${sharedText(object)}}\n`;
      if (!(await sendPiece(response, piece, over))) return;
    }
  } catch (error) {
    const object = statusOfError(error, { name: route.name, group: kind.group, plural: kind.plural });
    await sendPiece(response, `${JSON.stringify({ type: 'ERROR', object })}\n`, over);
  } finally {
    // Not waited for: one that is just waiting for an event comes to it when the signal wakes it.
    void Promise.resolve(events.return?.()).catch(() => {});
  }
}

/** Clients that would like the list inside the watch take this answer for a server that is too old, and list. */
function refuseWatchList({ query }: Ask): void {
  if (!query.flag('sendInitialEvents')) return;
  const message = 'Forbidden: sendInitialEvents is not offered';
  const cause = { field: 'sendInitialEvents', reason: 'FieldValueForbidden', message };
  throw new ClusterError('Invalid', `ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: ${message}`, {
    causes: [cause],
  });
}
