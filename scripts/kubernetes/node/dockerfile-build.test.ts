import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { dockerfileFacts } from './dockerfile-facts.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const facts = dockerfileFacts(await readFile(join(root, 'Dockerfile'), 'utf8'));
const [install = '', ...commands] = facts.build.commands;

/** What a build of the image goes through, without a registry: what it would install is what is installed here. */
let folder = '';
const place = (of: string) => join(folder, of);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-dockerfile-'));
  await chmod(folder, 0o755);
  const text = await readFile(join(root, '.dockerignore'), 'utf8');
  const left = new Set(text.split('\n').map(name => join(root, name)));
  await cp(root, place('build'), { recursive: true, filter: from => from === root || !left.has(from) });
  await symlink(join(root, 'node_modules'), place('build/node_modules'));
  for (const command of commands) await run('sh', ['-c', command], { cwd: place('build') });
  for (const { from, to } of facts.copied.filter(({ stage }) => stage === 'build'))
    await cp(place(from), place(to), { recursive: true });
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

it('installs what the lock says, of files that are there, and builds what it takes', () => {
  expect(install).toMatch(/^npm ci\b/);
  expect(facts.build.taken).toEqual(['package.json', 'package-lock.json', '.']);
  expect(commands).toHaveLength(1);
});

it('has a program in it that runs as its user, with nothing of npm beside it', async () => {
  const [user = 0, group = 0] = facts.user.split(':').map(Number);
  const [, program = ''] = facts.entrypoint;
  const { stdout } = await run(process.execPath, [place(program), 'version'], {
    cwd: dirname(place(program)),
    env: { PATH: process.env['PATH'], ...facts.environment },
    // Who is not root can be nobody else.
    ...(process.getuid?.() === 0 ? { uid: user, gid: group } : {}),
  });
  expect(stdout).toContain(manifest.version);
  expect(basename(process.execPath)).toBe(facts.entrypoint[0]);
}, 120_000);
