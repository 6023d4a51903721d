import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { longFirst } from '../long-first.ts';
import { tellMissing } from '../tell-missing.ts';
import { missingForTestCluster } from './test-cluster.ts';
import { missingForImages, missingForTestNode } from './test-node.ts';

const nodeFiles = '**/*.node.kubernetes.test.ts';

/** What runs programs of ours in Pods. */
const ownImages = ['test/kubernetes/**', 'src/traffic/**/*.node.kubernetes.test.ts'];

/** Files of minutes, the longest first. */
const long = [
  /kubernetes\/operator\/operator\.node/,
  /\/(?:ledger|adopt|contract|soak|lost-node)\.node/,
  /\/(?:gates|sessions|examples|right-one|kubernetes-service-traffic|rollback|brownfield|runtime)\.node/,
];

/**
 * The suite that needs a real API server (project `api`), and the files that need a whole node, `*.node.kubernetes.test.ts` (project
 * `node`). Where one cannot be had, a person is told so in one line and nothing of it runs; in CI that is a failure.
 */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig(async () => {
  const missing = await missingForTestCluster();
  tellMissing('the Kubernetes suite', missing);
  const missingNode = missing === undefined ? await missingForTestNode() : undefined;
  tellMissing('the part of the Kubernetes suite that needs a node', missingNode);
  const withoutNode = missingNode === undefined ? [] : [nodeFiles];
  const missingImages = missingNode === undefined ? missingForImages() : undefined;
  tellMissing('the part of the Kubernetes suite that brings its own images', missingImages);
  const withoutImages = missingImages === undefined ? [] : ownImages;
  const exclude = [...configDefaults.exclude, ...withoutNode, ...withoutImages];
  const shared = {
    root: join(import.meta.dirname, '..', '..'),
    ...{ testTimeout: 60_000, hookTimeout: 120_000 },
  };
  const isGiven = missing === undefined && Boolean(process.env['AFLOAT_TEST_KUBECONFIG']);
  const openApi = [join(import.meta.dirname, 'open-api.ts')];
  const files = '{src,test,scripts,bench}/**/*';
  return {
    test: {
      passWithNoTests: missing !== undefined,
      // A cluster that somebody gave us is one for both parts.
      globalSetup: isGiven ? openApi : [],
      sequence: { sequencer: longFirst(long) },
      projects: [
        {
          test: {
            ...{ ...shared, name: 'api', globalSetup: isGiven ? [] : openApi, maxWorkers: 1 },
            include: missing === undefined ? [`${files}.kubernetes.test.ts`] : [],
            exclude: [...exclude, nodeFiles],
          },
        },
        {
          test: {
            ...{ ...shared, name: 'node', globalSetup: [join(import.meta.dirname, 'open-node.ts')] },
            // They mostly wait for Pods. Each has a namespace of its own, and who kills parts of a cluster a node of its own.
            maxWorkers: 3,
            sequence: { groupOrder: 1 },
            include: missing === undefined ? [`${files}.node.kubernetes.test.ts`] : [],
            exclude,
          },
        },
      ],
    },
  };
});
