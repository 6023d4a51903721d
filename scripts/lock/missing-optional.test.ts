import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingOptional } from './missing-optional.ts';

test('our lock is complete; if not: npx tsx scripts/mend-lock.ts', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8'));
  expect(missingOptional(lock.packages)).toEqual({});
});

test('an optional dependency that is not there gets an entry for its platform', () => {
  const packages = {
    '': {},
    'node_modules/tool': {
      dev: true,
      optionalDependencies: { 'tool-linux-x64-gnu': '1.0.0', '@tool/cli-darwin-arm64': '1.0.0' },
    },
    'node_modules/tool-linux-x64-gnu': { version: '1.0.0' },
  };
  expect(missingOptional(packages)).toEqual({
    'node_modules/@tool/cli-darwin-arm64': {
      version: '1.0.0',
      dev: true,
      optional: true,
      os: ['darwin'],
      cpu: ['arm64'],
    },
  });
});
