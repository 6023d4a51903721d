import { expect, it } from 'vitest';
import { flowEnds } from '../api/flow-kinds.ts';
import { ends } from '../flow/ends.ts';
import { endFacts } from '../status/end-facts.ts';

// The view may not import flows, and flows know nothing of views: here both can be seen.
it.each(flowEnds)('what %s means is the same in flows and in what a person is shown', end => {
  expect(endFacts[end].held).toBe(ends[end].held);
  expect(['Operational', 'Absent'].includes(endFacts[end].state)).toBe(ends[end].success);
});
