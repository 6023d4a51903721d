import { afterEach, beforeEach, expect, it } from 'vitest';
import { ActWorld } from '../../testing/act-world.ts';
import { aPart } from '../../testing/scripted-ports.ts';
import { servingNames } from './serving-names.ts';

let world: ActWorld;
beforeEach(async () => {
  world = await ActWorld.open();
});
afterEach(() => world.close());

const part = aPart([], { traffic: { service: 'identity-api' } });
const namesFor = (slice: string) => {
  const rules = part.lifecycle.traffic;
  if (!rules) throw new TypeError('it has traffic');
  const way = { part, rules, route: { namespace: 'default', service: 'identity-api' } };
  return servingNames(world.ports, [{ way, slice, preview: { address: '10.0.0.1', ports: [] } }], slice);
};

it('a test is told where the version is that serves clients now', async () => {
  world.traffic.knows('blue', { weight: 100 }).knows('green', { weight: 0 });
  expect(await namesFor('green')).toEqual({
    IDENTITY_API_SERVING_HOST: '10.0.0.9',
    IDENTITY_API_SERVING_PORT: '80',
  });
  expect([...world.traffic.previewed]).toEqual(['blue']);
});

it.each([
  ['nobody serves yet', () => world.traffic.knows('green', { weight: 0 })],
  ['the slice under test serves itself', () => world.traffic.knows('green', { weight: 100 })],
  [
    'who serves does not answer at an address of its own',
    () => {
      world.traffic.knows('blue', { weight: 100 });
      world.traffic.preview_ = { address: '10.0.0.9', ports: [{ port: 80 }], isServed: false };
    },
  ],
])('it is told nothing where %s', async (_, given) => {
  given();
  expect(await namesFor('green')).toEqual({});
});
