import { afterEach, expect, it } from 'vitest';
import { ActWorld, emptyNotes } from '../../testing/act-world.ts';
import { aPart, aRun, aTask } from '../../testing/scripted-ports.ts';
import { readSchemas } from './read-schemas.ts';

let world: ActWorld | undefined;
afterEach(() => world?.close());

const database = { name: 'identity', driver: 'tasks', state: 'job/state' };
const part = aPart([aTask('state', 'planning')], { data: [database] });
const schemas = [{ database: 'identity', expandedTo: 'a' }];

it.each([
  [
    'says which schema it has',
    '{"expandedTo":"b","contractedTo":"a"}',
    [{ database: 'identity', expandedTo: 'b', contractedTo: 'a' }],
  ],
  ['says half of it', '{"contractedTo":"a"}', [{ database: 'identity', contractedTo: 'a' }]],
  ['says nothing', undefined, []],
  ['speaks to people', 'all is well', []],
  ['says something else, and is not gone for that', '{"ok":true}', []],
  ['says no object, and is not gone for that', '5', []],
  ['says null', 'null', []],
  ['says what no status can hold', `{"expandedTo":"${'x'.repeat(129)}"}`, []],
])('a database that %s', async (_, result, want) => {
  world = await ActWorld.open(() => ({
    exitCode: 0,
    seconds: 0,
    ...(result === undefined ? {} : { result }),
  }));
  const run = aRun({ owner: world.owner, new: { parts: [part], slices: ['blue'] }, schemas });
  await world.pass(readSchemas, run);
  const notes = emptyNotes();
  expect(await world.pass(readSchemas, run, notes)).toEqual({ kind: 'done' });
  expect(notes.schemas).toEqual(want);
});

it('a database that is not there yet is not asked', async () => {
  world = await ActWorld.open();
  await world.pass(readSchemas, aRun({ new: { parts: [part], slices: ['blue'] } }));
  expect(world.node.ledger.runs()).toEqual([]);
});
