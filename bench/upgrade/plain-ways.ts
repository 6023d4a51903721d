/** Three ways in which Keystone is upgraded without us. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findAnsible } from '../../scripts/find-ansible.ts';
import { runInRoot, serverWords, wordsInRoot } from '../../test/openstack/load/keystone-in-root.ts';
import type { PlainKeystones } from './plain-keystones.ts';

const run = promisify(execFile);

/** Brings all servers to the software of another root; returns when the last one answers. */
export type PlainWay = (keystones: PlainKeystones, root: string) => Promise<void>;

const expand = 'keystone-manage db_sync --expand';

/** All at once: stop, change the schema, start. */
const stopSyncStart: PlainWay = async ({ ports, place, stop, start }, root) => {
  await Promise.all(ports.map(port => stop(port)));
  await runInRoot(root, place, 'keystone-manage db_sync');
  await Promise.all(ports.map(port => start(port, root)));
};

/** One after the other, and nobody tells HAProxy. */
const oneAfterTheOther: PlainWay = async ({ ports, place, stop, start }, root) => {
  await runInRoot(root, place, expand);
  for (const port of ports) {
    await stop(port);
    await start(port, root);
  }
};

/** By a playbook, which leaves each server out of HAProxy while it is replaced. */
const byPlaybook: PlainWay = async ({ ports, place, haproxySocket }, root) => {
  const { folder } = place;
  const { command, environment } = await findAnsible();
  await writeFile(join(folder, 'expand.sh'), `${shellOf(wordsInRoot(root, place, expand))}\n`);
  const hosts = [];
  for (const port of ports) {
    const words = await serverWords(root, place, { port });
    await writeFile(join(folder, `start-${port}.sh`), `echo $$ > ${folder}/pid-${port}\n${shellOf(words)}\n`);
    hosts.push(`server-${port} port=${port} folder=${folder} socket=${haproxySocket}`);
  }
  await writeFile(join(folder, 'hosts'), `${hosts.join('\n')}\n`);
  const [program = '', ...words] = command;
  const playbook = join(import.meta.dirname, 'upgrade.yaml');
  await run(program, [...words, '-i', join(folder, 'hosts'), playbook], {
    env: { ...process.env, ...environment, HOME: folder, ANSIBLE_PYTHON_INTERPRETER: '/usr/bin/python3' },
    maxBuffer: 1 << 26,
  });
};

/** The same words for a shell, in place of it. */
function shellOf(words: readonly string[]): string {
  return `exec unshare ${words.map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')}`;
}

export const plainWays: Readonly<Record<string, PlainWay>> = {
  'stop, sync, start': stopSyncStart,
  'one after the other': oneAfterTheOther,
  'a playbook of Ansible': byPlaybook,
};
