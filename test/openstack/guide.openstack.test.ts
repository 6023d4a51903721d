import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findPrograms } from '../../scripts/kubernetes/build/find-programs.ts';
import { findMariadb } from '../../scripts/openstack/find-mariadb.ts';
import { root } from '../cli/run-afloat.ts';
import { isShownBy, runPage } from '../cli/run-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'afloat-guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Pages look from outside with kubectl and MariaDB's client, which a reader has.
beforeAll(async () => {
  if (!process.env['AFLOAT_LONG']) return;
  const { kubectl } = await findPrograms(line => process.stdout.write(`${line}\n`));
  const { PATH, LD_LIBRARY_PATH } = (await findMariadb()).environment;
  vi.stubEnv('PATH', `${PATH}:${dirname(kubectl)}`);
  vi.stubEnv('LD_LIBRARY_PATH', LD_LIBRARY_PATH);
}, 1_800_000);

const pages = readdirSync(join(root, 'docs', 'openstack'));

// Real services are installed and changed, with all calls of their tests: some minutes for each page, so not with every run.
test.runIf(process.env['AFLOAT_LONG']).each(pages)('%s shows what happens', { timeout: 1_800_000 }, name => {
  const home = mkdtempSync(join(folder, 'page-'));
  const commands = runPage(`docs/openstack/${name}`, {
    folder: home,
    program: join(root, 'bin', 'afloat.js'),
  });
  expect(commands.filter(({ line }) => line.includes('afloat ')).length).toBeGreaterThan(3);
  const wrong = commands.filter(({ shown, printed }) => !isShownBy(shown, printed));
  expect(wrong.map(({ line, printed }) => `$ ${line}\n${printed}`)).toEqual([]);
});

test.each(pages)('%s is in the index of the guide', name => {
  const index = readFileSync(join(root, 'docs', 'guide', 'README.md'), 'utf8');
  expect(index).toContain(`](../openstack/${name})`);
});
