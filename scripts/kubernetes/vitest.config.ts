import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { missingForTestCluster } from './test-cluster.ts';

/**
 * The suite that needs a real API server. Where one cannot be had, a person is told so in one line and nothing runs;
 * in CI that is a failure, for a suite that is silently skipped there proves nothing.
 */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig(async () => {
  const missing = await missingForTestCluster();
  if (missing !== undefined && process.env['CI'])
    throw new Error(`the Kubernetes suite cannot run: ${missing}`);
  if (missing !== undefined) console.log(`the Kubernetes suite is skipped: ${missing}`);
  return {
    test: {
      root: join(import.meta.dirname, '..', '..'),
      include: missing === undefined ? ['{src,test,scripts,bench}/**/*.kubernetes.test.ts'] : [],
      exclude: configDefaults.exclude,
      passWithNoTests: missing !== undefined,
      globalSetup: missing === undefined ? [join(import.meta.dirname, 'global-setup.ts')] : [],
      testTimeout: 60_000,
      hookTimeout: 120_000,
    },
  };
});
