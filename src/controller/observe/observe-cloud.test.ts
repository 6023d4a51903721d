import { expect, test } from 'vitest';
import type { RevisionObject } from '../our-objects.ts';
import { headKnown } from './observe-cloud.ts';

/** A revision of a service with one database. */
function revision(number: number, flow: string, version: string, [expandedTo, contractedTo]: string[]) {
  const schemas = [{ database: 'keystone', expandedTo, contractedTo }];
  return { spec: { number, flow, version, schemas } } as unknown as RevisionObject;
}

// 27 came, was taken back, came again and was contracted.
const all = [
  revision(1, 'install', '22', ['22', '22']),
  revision(2, 'upgrade', '27', ['27', '22']),
  revision(3, 'rollback', '22', ['27', '22']),
  revision(4, 'upgrade', '27', ['27', '22']),
  revision(5, 'contract', '27', ['27', '27']),
];
const headOf = (number: number, kept = all) =>
  kept.filter(({ spec }) => spec.number === number).map(({ spec }) => headKnown(spec, 'keystone', kept));

test('code knows the schema that it came with, whatever a version that was taken back left', () => {
  expect([1, 2, 3, 4, 5].map(number => headOf(number))).toEqual([['22'], ['27'], ['22'], ['27'], ['27']]);
});

test('where that is forgotten, it knows what was not contracted then', () => {
  expect(headOf(3, all.slice(2))).toEqual(['22']);
  expect(headOf(5, all.slice(4))).toEqual(['27']);
});

test('a revision that says what its code knows is believed: a patch of what a release was taken back to knows no more than that', () => {
  const heads = [{ database: 'keystone', head: '22' }];
  const patched = revision(4, 'upgrade', '22.0.1', ['27', '22']);
  const kept = [...all.slice(0, 3), { spec: { ...patched.spec, heads } } as unknown as RevisionObject];
  expect(headOf(4, kept)).toEqual(['22']);
});
