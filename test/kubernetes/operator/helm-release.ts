import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findHelm } from '../../../scripts/kubernetes/build/find-programs.ts';
import type { TestNode } from '../../../scripts/kubernetes/test-node.ts';
import { operatorNamespace } from '../../../src/app/deploy/deploy-names.ts';
import { operatorImages } from './operator-pods.ts';

const run = promisify(execFile);
const chart = join(import.meta.dirname, '../../../deploy/chart');

/** The chart as a person uses it; each returns when Helm says that it is done. */
export interface HelmRelease {
  install(tag: string): Promise<void>;
  upgrade(tag: string): Promise<void>;
  uninstall(): Promise<void>;
}

/** The release of the operator on a node, for one cloud. */
export async function helmRelease(node: TestNode, cloud: string): Promise<HelmRelease> {
  const helm = await findHelm(() => {});
  const call = async (...words: readonly string[]) => {
    const place = ['--kubeconfig', node.kubeconfig, '--namespace', operatorNamespace];
    await run(helm, [...words, ...place, '--wait', '--timeout', '5m']);
  };
  const put = (verb: string, tag: string, ...more: readonly string[]) =>
    call(
      verb,
      'afloat',
      chart,
      ...more,
      ...['--set-string', `image.tag=${tag}`],
      ...['--set', `image.repository=${operatorImages.repository},image.pullPolicy=Never,clouds={${cloud}}`],
    );
  return {
    install: tag => put('install', tag, '--create-namespace'),
    upgrade: tag => put('upgrade', tag),
    uninstall: () => call('uninstall', 'afloat'),
  };
}
