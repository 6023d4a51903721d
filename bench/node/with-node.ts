import { missingForTestNode, startTestNode, type TestNode } from '../../scripts/kubernetes/test-node.ts';
import type { Measure } from '../measure.ts';

/** Measures on a real node, which is there for this alone; where none can be had, one line says why, and nothing is measured. */
export async function* withNode(
  bench: string,
  measure: (node: TestNode) => AsyncIterable<Measure>,
): AsyncGenerator<Measure> {
  const missing = await missingForTestNode();
  if (missing !== undefined) {
    process.stderr.write(`benchmark ${bench} is skipped: ${missing}\n`);
    return;
  }
  const { node, stop } = await startTestNode(line => process.stderr.write(`${line}\n`));
  try {
    yield* measure(node);
  } finally {
    await stop();
  }
}
