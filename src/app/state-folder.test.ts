import { expect, test } from 'vitest';
import { defaultStateFolder, stateFolderOf } from './state-folder.ts';

test.each([
  ['what AFLOAT_STATE says', { AFLOAT_STATE: '/a', XDG_STATE_HOME: '/b' }, '/a'],
  ['a place from here, where it says one', { AFLOAT_STATE: 'a' }, `${process.cwd()}/a`],
  ['where states are kept', { XDG_STATE_HOME: '/b' }, '/b/afloat'],
  ['where states are kept by default', { AFLOAT_STATE: '', XDG_STATE_HOME: '' }, '/home/.local/state/afloat'],
])('the state folder is %s', (_, environment, folder) => {
  expect(defaultStateFolder(environment, '/home')).toBe(folder);
});

test('a state folder that is named is the same one for processes that stand elsewhere', () => {
  expect(stateFolderOf('a')).toBe(`${process.cwd()}/a`);
  expect(stateFolderOf('/a')).toBe('/a');
});
