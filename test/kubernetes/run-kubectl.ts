import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestNode } from '../../scripts/kubernetes/test-node.ts';

const run = promisify(execFile);

/** What kubectl prints, as a person would call it. Throws what it says where it fails. */
export type Kubectl = (...words: readonly string[]) => Promise<string>;

/** kubectl on a node, in one namespace. */
export function kubectlOf({ kubectl, kubeconfig }: TestNode, namespace: string): Kubectl {
  return async (...words) => {
    const { stdout } = await run(kubectl, ['--kubeconfig', kubeconfig, '--namespace', namespace, ...words]);
    return stdout;
  };
}
