/** What the first screen of README.md shows, held to the letter. */
import { expect, test } from 'vitest';
import { exampleState } from './cli/example-state.ts';
import { runAfloat } from './cli/run-afloat.ts';

const state = 'examples/state-running.yaml';

test('the state file is what the example cloud leaves behind', async () => {
  await expect(await exampleState('examples/cloud.yaml')).toMatchFileSnapshot(`../${state}`);
});

test('the example cloud, from nothing to all of it', async () => {
  const { code, out } = await runAfloat(['plan', 'examples/cloud.yaml']);
  expect(code).toBe(2);
  await expect(out).toMatchFileSnapshot('cli/testdata/plan of the example cloud.golden');
});

test('once it runs there is nothing to do', async () => {
  const { code, out, err } = await runAfloat(['plan', 'examples/cloud.yaml', '--from', state]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  await expect(out).toMatchFileSnapshot('cli/testdata/plan of the example cloud that runs.golden');
});

test('the patch of one service touches that service only', async () => {
  const { code, out, err } = await runAfloat(['plan', 'examples/cloud-patched.yaml', '--from', state]);
  expect({ code, err }).toEqual({ code: 2, err: '' });
  await expect(out).toMatchFileSnapshot('cli/testdata/plan of the patched example cloud.golden');
  const json = await runAfloat(['plan', 'examples/cloud-patched.yaml', '--from', state, '-o', 'json']);
  expect(JSON.parse(json.out).plan.steps.map((step: { id: string }) => step.id)).toEqual([
    'identity/upgrade',
  ]);
});
