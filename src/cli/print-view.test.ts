import { describe, expect, it } from 'vitest';
import { viewOf } from '../status/status.ts';
import { cloudStories } from '../testing/cloud-stories.ts';
import { printView } from './print-view.ts';

describe('what a person reads of each kind of stop', () => {
  it.each(Object.entries(cloudStories))('%s', async (name, objects) => {
    await expect(printView(viewOf(objects))).toMatchFileSnapshot(`../status/testdata/${name}.golden`);
  });
});
