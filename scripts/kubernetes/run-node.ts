/**
 * Starts a whole Kubernetes of one node and keeps it until Ctrl-C. Prints one line of JSON with what is needed to use it. The
 * environment in it makes the Kubernetes suites use this node instead of starting one. However this process ends, the node
 * ends with it.
 */
import { dirname } from 'node:path';
import { missingForTestNode, startTestNode } from './test-node.ts';

const missing = await missingForTestNode();
if (missing !== undefined) throw new Error(missing);
const start = performance.now();
const { node, stop } = await startTestNode(line => console.error(line));
const { kubeconfig, kubectl, image, ctr = [] } = node;
const seconds = Number(((performance.now() - start) / 1000).toFixed(2));
const environment = {
  AFLOAT_TEST_KUBECONFIG: kubeconfig,
  AFLOAT_TEST_IMAGE: image,
  AFLOAT_TEST_CTR: ctr.join(' '),
  PATH: `${dirname(kubectl)}:$PATH`,
};
console.log(JSON.stringify({ kubeconfig, kubectl, image, seconds, environment }));

const keepAlive = setInterval(() => {}, 60_000);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    clearInterval(keepAlive);
    void stop();
  });
}
