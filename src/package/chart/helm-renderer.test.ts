import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesOf } from '../memory-source.contract.ts';
import { packageDigest } from '../package-digest.ts';
import type { ChartRequest } from './chart-renderer.ts';
import { findHelm, ownHelm } from './find-helm.ts';
import { type HelmBounds, helmBounds } from './helm-process.ts';
import { HelmRenderer } from './helm-renderer.ts';

/** What stands in for Helm here is a script: what is tested is how it is run, and what is made of how it ends. */
describe('a program that renders charts', { timeout: 120_000 }, () => {
  let folder = '';
  let programs = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'afloat-helm-test-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const program = async (script: string) => {
    const path = join(folder, `helm-${programs++}`);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  };
  const rendererOf = async (script: string, bounds: HelmBounds = helmBounds) => {
    const path = await program(script);
    return new HelmRenderer({ find: async () => path, bounds });
  };
  const files = filesOf({ 'Chart.yaml': 'name: c\nversion: 1.0.0\n' });
  const request = (more: Partial<ChartRequest> = {}): ChartRequest => ({
    ...{ files, digest: packageDigest(files), location: 'charts/c', release: 'r', namespace: 'n' },
    ...{ values: {}, use: 'real', hasStandIns: false },
    ...more,
  });
  /** Writes an object whose data are the lines of a command. */
  const says = (command: string) =>
    `printf -- '---\\n# Source: c/templates/a.yaml\\napiVersion: v1\\nkind: ConfigMap\\nmetadata: { name: a }\\ndata:\\n  said: |\\n    .\\n'\n${command} | /bin/sed 's/^/    /'`;
  const saidBy = async (renderer: HelmRenderer, more: Partial<ChartRequest> = {}) => {
    const { objects, findings } = await renderer.render(request(more));
    expect(findings).toEqual([]);
    const data = objects[0]?.object['data'] as { said: string } | undefined;
    return data?.said ?? '';
  };

  test('gets nothing of our environment', async () => {
    process.env['AFLOAT_TEST_CANARY'] = 'sings';
    try {
      const said = await saidBy(await rendererOf(says('/usr/bin/env')));
      const names = said.split('\n').flatMap(line => /^(\w+)=/.exec(line)?.[1] ?? []);
      expect(said).not.toContain('sings');
      expect(
        names.filter(
          name => !/^(HELM_|HOME$|PATH$|PWD$|OLDPWD$|SHLVL$|_$|LC_ALL$|KUBECONFIG$|GO)/.test(name),
        ),
      ).toEqual([]);
    } finally {
      delete process.env['AFLOAT_TEST_CANARY'];
    }
  });

  test('gets values by standard input and no other way', async () => {
    const said = await saidBy(await rendererOf(says('{ echo "$@"; /bin/cat; }')), {
      values: { key: 'secret' },
    });
    const [, words = '', input] = said.split('\n');
    expect(words).toMatch(/^template r \S+ --namespace n --values - --include-crds --kube-version v\S+$/);
    expect(input).toBe('{"key":"secret"}');
  });

  test('works in a folder that is gone afterwards', async () => {
    const said = await saidBy(await rendererOf(says('{ /bin/cat "$3/Chart.yaml"; echo "$3"; }')));
    const [, name, , place = ''] = said.split('\n');
    expect(name).toBe('name: c');
    await expect(readFile(join(place, 'Chart.yaml'))).rejects.toThrow();
  });

  test('is asked once for the same, and again for what differs', async () => {
    const calls = join(folder, 'calls');
    const renderer = await rendererOf(`echo call >> ${calls}\n${says('echo')}`);
    await Promise.all([renderer.render(request()), renderer.render(request())]);
    await renderer.render(request());
    await renderer.render(request({ values: { a: 1 } }));
    await renderer.render(request({ namespace: 'other' }));
    await renderer.render(request({ release: 'other' }));
    expect((await readFile(calls, 'utf8')).trim().split('\n')).toHaveLength(4);
  });

  test('is run twice for a plan, and what differs is named and not shown', async () => {
    const count = join(folder, 'count');
    const script = says(`{ echo x >> ${count}; echo "key $$ stays"; }`);
    const { objects, notes, findings } = await (await rendererOf(script)).render(request({ use: 'planned' }));
    expect((await readFile(count, 'utf8')).trim().split('\n')).toHaveLength(2);
    expect(findings).toEqual([]);
    expect(notes).toMatchObject([
      { code: 'ChartVaries', field: 'data.said', file: 'charts/c/templates/a.yaml' },
    ]);
    expect(objects[0]?.object['data']).toEqual({ said: '.\nkey afloat0random0mark stays\n' });
  });

  test('that is not done in time is ended, with what it started', async () => {
    const pid = join(folder, 'pid');
    const renderer = await rendererOf(`/bin/sleep 600 & echo $! > ${pid}\nwait`, {
      ...helmBounds,
      seconds: 2,
    });
    const { findings } = await renderer.render(request());
    expect(findings).toMatchObject([{ code: 'ChartTooMuch', file: 'charts/c' }]);
    const child = Number(await readFile(pid, 'utf8'));
    await expect.poll(() => isRunning(child), { timeout: 30_000 }).toBe(false);
  });

  test('that writes without end is ended', async () => {
    const renderer = await rendererOf('exec /usr/bin/yes', { ...helmBounds, answerBytes: 100_000 });
    expect((await renderer.render(request())).findings).toMatchObject([{ code: 'ChartTooMuch' }]);
  });

  test.each([
    [
      'where Helm says so',
      'Error: template: c/templates/a.yaml:3:7: executing "c/templates/a.yaml" at <.x>: nil pointer',
      { file: 'charts/c/templates/a.yaml', line: 3, column: 7 },
    ],
    [
      'where Helm cannot parse it',
      'Error: parse error at (c/templates/b.yaml:2): unexpected EOF',
      { file: 'charts/c/templates/b.yaml', line: 2 },
    ],
    [
      'where it is no YAML',
      'Error: YAML parse error on c/charts/d/templates/a.yaml: yaml: line 2: x',
      { file: 'charts/c/charts/d/templates/a.yaml' },
    ],
    [
      'at the chart where Helm names no file',
      'Error: found in Chart.yaml, but missing in charts/ directory: d',
      { file: 'charts/c' },
    ],
  ])('that fails is told %s', async (_, said, place) => {
    const renderer = await rendererOf(`echo '${said}' >&2\nexit 1`);
    const { findings } = await renderer.render(request({ use: 'planned' }));
    expect(findings).toMatchObject([{ code: 'ChartRefused', ...place }]);
  });

  test('that fails with secret values is not quoted', async () => {
    const renderer = await rendererOf(
      `echo 'Error: execution error at (c/templates/a.yaml:1:2): password is hunter2' >&2\nexit 1`,
    );
    const { findings } = await renderer.render(request());
    expect(findings).toMatchObject([{ code: 'ChartRefused', file: 'charts/c/templates/a.yaml', line: 1 }]);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });

  test('that leaves out a hook it does not know is told', async () => {
    const renderer = await rendererOf(
      `echo '2026/01/01 info: skipping unknown hook: "post-instal"' >&2\n${says('echo')}`,
    );
    const { notes, findings } = await renderer.render(request());
    expect(findings).toEqual([]);
    expect(notes).toMatchObject([{ code: 'ChartRefused', file: 'charts/c' }]);
  });

  test('that is not there is a finding, and is found when it comes', async () => {
    let path: string | undefined;
    const renderer = new HelmRenderer({ find: async () => path });
    expect((await renderer.render(request())).findings).toMatchObject([
      { code: 'HelmMissing', file: 'charts/c' },
    ]);
    path = await program(says('echo'));
    expect((await renderer.render(request())).findings).toEqual([]);
  });

  test('is looked for by name, on the PATH, then where `make helm` puts it', async () => {
    const path = await program('');
    expect(await findHelm({ AFLOAT_HELM: path, PATH: '' })).toBe(path);
    expect(await findHelm({ AFLOAT_HELM: `${path}-gone`, PATH: folder })).toBeUndefined();
    expect(await findHelm({ PATH: 'relative:/nonexistent', AFLOAT_CACHE: folder })).toBeUndefined();
    expect(ownHelm({ AFLOAT_CACHE: '/cache' })).toBe('/cache/helm/helm');
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
