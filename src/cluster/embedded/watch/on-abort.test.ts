import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { offAbort, onAbort } from './on-abort.ts';

test('all who wait for a signal are called, once, and it has one listener', () => {
  const controller = new AbortController();
  const called: string[] = [];
  const kept = () => called.push('kept');
  const taken = () => called.push('taken back');
  for (let count = 0; count < 20; count++) onAbort(controller.signal, () => called.push('many'));
  onAbort(controller.signal, kept);
  onAbort(controller.signal, taken);
  offAbort(controller.signal, taken);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  controller.abort();
  controller.abort();
  expect(called).toEqual([...Array(20).fill('many'), 'kept']);
});
