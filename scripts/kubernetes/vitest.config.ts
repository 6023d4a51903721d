import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { missingForTestCluster } from './test-cluster.ts';
import { missingForImages, missingForTestNode } from './test-node.ts';

/** What runs programs of ours in Pods. */
const ownImages = ['test/kubernetes/**', 'src/traffic/**/*.node.kubernetes.test.ts'];

/** Stories that kill the parts of a cluster of their own, and take minutes for each; and promises that every run proves without a cluster. */
const longStories = [
  'test/kubernetes/operator/**',
  'test/kubernetes/{drift,old-config,only-what-changes,right-one}.node.kubernetes.test.ts',
];

/**
 * The suite that needs a real API server, and within it the files that need a whole node, `*.node.kubernetes.test.ts`. Where one
 * cannot be had, a person is told so in one line and nothing of it runs; in CI that is a failure, for a suite that is
 * silently skipped there proves nothing.
 */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig(async () => {
  const missing = await missingForTestCluster();
  tell('the Kubernetes suite', missing);
  const missingNode = missing === undefined ? await missingForTestNode() : undefined;
  tell('the part of the Kubernetes suite that needs a node', missingNode);
  const withoutNode = missingNode === undefined ? [] : ['**/*.node.kubernetes.test.ts'];
  const long = process.env['AFLOAT_LONG'] ? [] : longStories;
  const missingImages = missingNode === undefined ? missingForImages() : undefined;
  tell('the part of the Kubernetes suite that brings its own images', missingImages);
  const withoutImages = missingImages === undefined ? [] : ownImages;
  return {
    test: {
      root: join(import.meta.dirname, '..', '..'),
      include: missing === undefined ? ['{src,test,scripts,bench}/**/*.kubernetes.test.ts'] : [],
      exclude: [...configDefaults.exclude, ...withoutNode, ...withoutImages, ...long],
      passWithNoTests: missing !== undefined,
      globalSetup: missing === undefined ? [join(import.meta.dirname, 'global-setup.ts')] : [],
      testTimeout: 60_000,
      hookTimeout: 120_000,
    },
  };
});

function tell(what: string, missing: string | undefined): void {
  if (missing === undefined) return;
  if (process.env['CI']) throw new Error(`${what} cannot run: ${missing}`);
  console.log(`${what} is skipped: ${missing}`);
}
