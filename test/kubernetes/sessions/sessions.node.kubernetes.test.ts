/**
 * The same sessions of kubectl, helm and the official JavaScript client with a real Kubernetes and with the world of one machine: both must say the same, but for what
 * stands in the list of differences.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findHelm } from '../../../scripts/kubernetes/build/find-programs.ts';
import { askForNode } from '../../../scripts/kubernetes/node-door.ts';
import { stateFiles } from '../../../src/app/state-folder.ts';
import { stopEmbeddedWorld } from '../../../src/app/stop-embedded-world.ts';
import { imagesLabel } from '../../../src/runtime/image/config-map-images.ts';
import { clientSession } from './client-session.ts';
import { differences } from './differences.ts';
import { runSession, type Terminal } from './run-session.ts';
import { sessions } from './sessions.ts';

const root = join(import.meta.dirname, '..', '..', '..');

let folder: string;
let manager: ChildProcess;
let real: Terminal;
let embedded: Terminal;

beforeAll(async () => {
  const { kubeconfig, kubectl, image } = await askForNode(inject('kubernetesNode'));
  const helm = await findHelm(line => process.stderr.write(`${line}\n`));
  real = { kubeconfig, kubectl, helm, image };
  folder = await mkdtemp(join(tmpdir(), 'afloat-sessions-'));
  const program = join(root, 'src', 'app', 'embedded-world-program.contract.ts');
  manager = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), program, folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(manager, 'message');
  embedded = {
    ...real,
    kubeconfig: stateFiles(folder).kubeconfig,
    prepare: [
      `kubectl create configmap images --from-literal='all=${JSON.stringify({ [image]: {} })}'`,
      `kubectl label configmap images ${imagesLabel}=true`,
    ],
  };
}, 600_000);

afterAll(async () => {
  const ended = once(manager, 'exit');
  manager.kill();
  await ended;
  await stopEmbeddedWorld(folder, { takeDown: true });
  await rm(folder, { recursive: true, force: true });
}, 120_000);

describe('both worlds say the same', () => {
  test.each(sessions)(
    'in the session: $name',
    async session => {
      const [theirs, ours] = [await runSession(real, session), await runSession(embedded, session)];
      for (const [index, { line, said }] of theirs.entries()) {
        const answer = ours[index]?.said;
        const difference = differences.find(one => one.session === session.name && one.line === line);
        if (!difference) expect(answer, line).toBe(said);
        else {
          expect(answer, line).toMatch(difference.embedded);
          expect(answer, `${line}: no longer differs`).not.toBe(said);
        }
      }
    },
    600_000,
  );
});

test('a program with the official JavaScript client is told the same by both', async () => {
  expect(await clientSession(embedded.kubeconfig)).toEqual(await clientSession(real.kubeconfig));
}, 300_000);

test('every difference is of a line that is said', () => {
  const lines = sessions.flatMap(({ name, steps }) => steps.map(line => `${name}: ${line}`));
  for (const { session, line } of differences) expect(lines).toContain(`${session}: ${line}`);
});

test('the page of differences has all of them', async () => {
  const page = await readFile(join(root, 'docs', 'embedded-cluster.md'), 'utf8');
  for (const { because } of differences) expect(page.replaceAll(/\s+/g, ' ')).toContain(`**${because}**`);
});
