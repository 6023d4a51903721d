import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterCommands } from '../../../src/cli/cluster-commands.ts';
import { commands } from '../../../src/cli/commands.ts';
import { repository } from '../../start/run-program.ts';
import { nextToTry } from './next-to-try.ts';

const lines = nextToTry({ kubeconfig: '/tmp/k/kubeconfig', kubectl: '/cache/kubectl' });

test('names the cluster for kubectl and for the program first', () => {
  expect(lines[0]).toBe('export KUBECONFIG=/tmp/k/kubeconfig AFLOAT_KUBECONFIG=/tmp/k/kubeconfig');
  expect(lines[1]).toBe('alias kubectl=/cache/kubectl');
});

test('names only commands and records that are there, each with what it does', () => {
  const names = [...commands, ...clusterCommands].map(({ name }): string => name);
  for (const line of lines.slice(2)) {
    const [words = '', does] = line.split(/ {2,}# /);
    expect([line, does]).toEqual([line, expect.stringMatching(/\w/)]);
    const [, command] = /^node bin\/afloat\.js (\w+)/.exec(words) ?? [];
    expect(command === undefined ? words : names).toContain(command ?? 'kubectl -n ');
    for (const [path] of words.matchAll(/examples\/\S+/g))
      expect([path, existsSync(join(repository, path))]).toEqual([path, true]);
  }
});
