import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { missingForHelm } from '../build/find-programs.ts';
import { programOnPath } from '../process/program-on-path.ts';
import { makeOperatorRoot } from './operator-image.ts';
import { operatorImageFacts } from './operator-image-facts.ts';

const run = promisify(execFile);
const chroot = (await programOnPath('chroot')) ?? '/usr/sbin/chroot';
const missing = process.getuid?.() === 0 ? await missingForHelm() : 'only root may change its root';

/** The root that the layers make, and programs run in it as the user of the image. */
describe.skipIf(missing !== undefined)('the image of the operator', { timeout: 300_000 }, () => {
  let folder = '';
  const inside = async (...words: readonly string[]) => {
    const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', ...operatorImageFacts.environment };
    const line = [`--userspec=${operatorImageFacts.user}`, join(folder, 'root'), ...words];
    const { stdout, stderr } = await run(chroot, line, { env: environment }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    return `${stdout}${stderr}`;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'afloat-image-root-'));
    for (const layer of await makeOperatorRoot(folder))
      await cp(layer, join(folder, 'root'), { recursive: true, verbatimSymlinks: true });
    // A container engine brings devices.
    await mkdir(join(folder, 'root/dev'));
    await run('mknod', ['-m', '666', join(folder, 'root/dev/null'), 'c', '1', '3']);
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has our program, as its entry point', async () => {
    expect(await inside(...operatorImageFacts.entrypoint, 'version')).toContain(manifest.version);
  });

  it('has git, which reaches for a repository over https and finds nobody there', async () => {
    expect(await inside('git', '--version')).toContain('git version');
    const asked = await inside('git', 'ls-remote', 'https://127.0.0.1:1/repository');
    expect(asked).toMatch(/Failed to connect|Could not connect|Connection refused/);
  });

  it('has what limits git: a shell', async () => {
    expect(await inside('/bin/sh', '-c', 'ulimit -f 100 && exec git --version')).toContain('git version');
  });

  it('has the Helm that the Dockerfile builds', async () => {
    expect(await inside('helm', 'version', '--template', '{{.Version}}')).toContain(
      operatorImageFacts.helm.version.split('.')[0],
    );
    expect(await inside('helm', 'template', '--help')).toContain('Usage:');
  });

  it('has Helm where our program finds it, which renders a chart with it', async () => {
    // The chart of the operator brings an empty folder there.
    await mkdir(join(folder, 'root/tmp'), { recursive: true });
    await chmod(join(folder, 'root/tmp'), 0o1777);
    const chart = join(folder, 'root/chart');
    await mkdir(join(chart, 'templates'), { recursive: true });
    await writeFile(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: keys\nversion: 1.0.0\n');
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: "{{ .Chart.Name }}-etc" }\n';
    await writeFile(join(chart, 'templates/etc.yaml'), text);
    expect(await inside(...operatorImageFacts.entrypoint, 'explain', '/chart')).toContain('keys-etc');
  });
});
