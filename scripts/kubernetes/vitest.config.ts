import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { missingForTestCluster } from './test-cluster.ts';
import { missingForImages, missingForTestNode } from './test-node.ts';

const nodeFiles = '**/*.node.kubernetes.test.ts';

/** What runs programs of ours in Pods. */
const ownImages = ['test/kubernetes/**', 'src/traffic/**/*.node.kubernetes.test.ts'];

/** Stories that kill the parts of a cluster of their own, and take minutes for each; and promises that every run proves without a cluster. */
const longStories = [
  'test/kubernetes/operator/**',
  'test/kubernetes/{drift,lost-node,old-config,only-what-changes,right-one}.node.kubernetes.test.ts',
];

/**
 * The suite that needs a real API server (project `api`), and the files that need a whole node, `*.node.kubernetes.test.ts` (project
 * `node`). Where one cannot be had, a person is told so in one line and nothing of it runs; in CI that is a failure, for a suite that is
 * silently skipped there proves nothing.
 */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig(async () => {
  const missing = await missingForTestCluster();
  tell('the Kubernetes suite', missing);
  const missingNode = missing === undefined ? await missingForTestNode() : undefined;
  tell('the part of the Kubernetes suite that needs a node', missingNode);
  const withoutNode = missingNode === undefined ? [] : [nodeFiles];
  const long = process.env['AFLOAT_LONG'] ? [] : longStories;
  const missingImages = missingNode === undefined ? missingForImages() : undefined;
  tell('the part of the Kubernetes suite that brings its own images', missingImages);
  const withoutImages = missingImages === undefined ? [] : ownImages;
  const exclude = [...configDefaults.exclude, ...withoutNode, ...withoutImages, ...long];
  const shared = {
    root: join(import.meta.dirname, '..', '..'),
    // One file at a time has the cluster; the two parts can run beside each other, as two calls with `--project`.
    ...{ maxWorkers: 1, testTimeout: 60_000, hookTimeout: 120_000 },
  };
  const isGiven = missing === undefined && Boolean(process.env['AFLOAT_TEST_KUBECONFIG']);
  const openApi = [join(import.meta.dirname, 'open-api.ts')];
  const files = '{src,test,scripts,bench}/**/*';
  return {
    test: {
      passWithNoTests: missing !== undefined,
      // A cluster that somebody gave us is one for both parts.
      globalSetup: isGiven ? openApi : [],
      projects: [
        {
          test: {
            ...{ ...shared, name: 'api', globalSetup: isGiven ? [] : openApi },
            include: missing === undefined ? [`${files}.kubernetes.test.ts`] : [],
            exclude: [...exclude, nodeFiles],
          },
        },
        {
          test: {
            ...{ ...shared, name: 'node', globalSetup: [join(import.meta.dirname, 'open-node.ts')] },
            include: missing === undefined ? [`${files}.node.kubernetes.test.ts`] : [],
            exclude,
          },
        },
      ],
    },
  };
});

function tell(what: string, missing: string | undefined): void {
  if (missing === undefined) return;
  if (process.env['CI']) throw new Error(`${what} cannot run: ${missing}`);
  console.log(`${what} is skipped: ${missing}`);
}
