import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { imageUser, operatorName } from '../../../src/app/deploy/deploy-names.ts';
import { deploymentObject } from '../../../src/app/deploy/operator-objects.ts';
import { dockerfileFacts } from './dockerfile-facts.ts';
import { operatorImageFacts } from './operator-image-facts.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const built = dockerfileFacts(readFileSync(join(root, 'Dockerfile'), 'utf8'));
const { entrypoint, command, user, environment, contents, programs, helm } = operatorImageFacts;

it('the Dockerfile makes an image that begins as the one of the tests does', () => {
  expect(built).toMatchObject({ entrypoint, command, user, environment });
});

it('the Dockerfile has the same of this repository in its image', () => {
  const own = built.copied.filter(({ stage }) => stage === 'build');
  expect(own).toEqual(contents.map(part => ({ stage: 'build', from: `/build/${part}`, to: `/app/${part}` })));
  // What it takes is there, or is made by the build.
  for (const part of contents)
    expect([part, part === 'dist' || existsSync(join(root, part))]).toEqual([part, true]);
});

it('the Dockerfile has every program in it that the operator calls', () => {
  const copied = built.copied.map(({ to }) => to);
  for (const program of programs)
    expect([
      program,
      built.packages.includes(program) || copied.includes(`/usr/local/bin/${program}`),
    ]).toEqual([program, true]);
  expect(built.packages).toContain('ca-certificates');
  expect(built.goModules).toEqual([`${helm.module}@${helm.version}`]);
});

it('stands on the Node that the program is made for', () => {
  const [oldest = ''] = /\d+/.exec(manifest.engines.node) ?? [];
  const nodes = built.bases.filter(base => base.startsWith('node:'));
  expect(nodes).toEqual([`node:${oldest}-bookworm-slim`, `node:${oldest}-bookworm-slim`]);
});

it('is run by the Deployment as its user, with its entry point', () => {
  expect(user).toBe(`${imageUser}:${imageUser}`);
  const made = deploymentObject({ namespace: operatorName, image: 'a:1', replicas: 1 });
  const { spec } = (made['spec'] as { template: { spec: { containers: { command: string[] }[] } } }).template;
  expect(spec.containers[0]?.command).toEqual([...entrypoint, ...command]);
});
