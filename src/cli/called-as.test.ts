import { expect, test } from 'vitest';
import { calledAs } from './called-as.ts';
import { printCompletion } from './complete-words.ts';
import type { Terminal } from './terminal.ts';

test.each([
  ['/usr/bin/afloat', { is: 'program', name: 'afloat' }],
  ['/app/bin/afloat.js', { is: 'program', name: 'afloat' }],
  ['/app/dist/main.js', { is: 'program', name: 'afloat' }],
  ['/usr/bin/kubectl-afloat', { is: 'program', name: 'kubectl afloat' }],
  ['/usr/bin/kubectl_complete-afloat', { is: 'completion' }],
])('%s', (path, called) => {
  expect(calledAs(path)).toEqual(called);
});

/** How kubectl is told that a line may go on. */
function offers(...words: string[]): string[] {
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  printCompletion(words, { print } as Terminal);
  return printed.trimEnd().split('\n');
}

test('a command is offered with what it does, and no files', () => {
  expect(offers('stat')).toEqual([expect.stringMatching(/^status\t\w/), ':4']);
});

test('the words of an option are offered alone', () => {
  expect(offers('plan', '-o', 'js')).toEqual(['json', ':4']);
});

test('where a file may stand, files are offered beside options', () => {
  expect(offers('plan', '')).toEqual(expect.arrayContaining(['--output', ':0']));
});

test('of a command that is not there nothing is known', () => {
  expect(offers('nothing', '')).toEqual([':4']);
});
