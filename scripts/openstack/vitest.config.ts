import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { type DebianWanted, missingForDebianPrograms } from '../debian-programs.ts';
import { debianHaproxy } from '../find-haproxy.ts';
import { debianNginx } from '../find-nginx.ts';
import { missingForImages, missingForTestNode } from '../kubernetes/test-node.ts';
import { longFirst } from '../long-first.ts';
import { tellMissing } from '../tell-missing.ts';
import { debianMariadb } from './find-mariadb.ts';
import { missingForRoots } from './roots/find-roots.ts';

/** What the suite runs, as Debian packages. */
const wanted: readonly DebianWanted[] = [debianMariadb, debianHaproxy, debianNginx];

/** Files of minutes, the longest first. */
const long = [/\/keystone-faults\./, /\/keystone\./, /\/keystone-(?:data|node)\./, /\/(?:glance|haproxy)\./];

/**
 * The suite of the real parts of a cloud, `*.openstack.test.ts`: databases, routers, services of OpenStack, as Debian ships them. Where
 * they cannot be had, a person is told so in one line and nothing of it runs; in CI that is a failure.
 */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig(async () => {
  const missing = process.platform === 'linux' ? await firstMissing() : 'it needs Linux';
  tellMissing('the OpenStack suite', missing);
  const missingRoots = missing === undefined ? await missingForRoots() : undefined;
  tellMissing('the part of the OpenStack suite with real services', missingRoots);
  const hasRoots = missing === undefined && missingRoots === undefined;
  const missingNode = hasRoots ? ((await missingForTestNode()) ?? missingForImages()) : undefined;
  tellMissing('the part of the OpenStack suite with real services on a node', missingNode);
  return {
    test: {
      root: join(import.meta.dirname, '..', '..'),
      include: missing === undefined ? ['{src,test,scripts,bench}/**/*.openstack.test.ts'] : [],
      exclude: [
        ...configDefaults.exclude,
        ...(missingRoots === undefined ? [] : ['test/openstack/**']),
        ...(missingNode === undefined ? [] : ['test/openstack/node/**']),
      ],
      passWithNoTests: missing !== undefined,
      testTimeout: 300_000,
      hookTimeout: 300_000,
      // Real services start slowly and then mostly wait: two clouds at once fit onto two cores.
      maxWorkers: 2,
      sequence: { sequencer: longFirst(long) },
    },
  };
});

async function firstMissing(): Promise<string | undefined> {
  for (const one of wanted) {
    const missing = await missingForDebianPrograms(one);
    if (missing !== undefined) return missing;
  }
  return undefined;
}
