import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operatorName, operatorNamespace } from '../../../src/app/deploy/deploy-names.ts';
import { programLine, runProgram } from '../../start/run-program.ts';
import { apiCall } from '../api-call.ts';
import { type Say, withProgress } from '../build/progress.ts';
import { readAccess } from '../kubeconfig.ts';
import { loadOperatorImage } from '../node/operator-image.ts';
import { loadExampleImages } from './example-images.ts';
import { exampleVolume } from './example-volume.ts';

const execute = promisify(execFile);

/** The namespace that the records of examples/walk are in. */
export const exampleNamespace = 'openstack';

const operatorImage = 'afloat.test/operator:1';

/** The node on which it is started, and how. */
export interface ExampleCloudOptions {
  readonly node: {
    readonly kubeconfig: string;
    readonly kubectl: string;
    readonly image: string;
    readonly ctr: readonly string[];
    /** For the data of the database; gone with the node. */
    readonly folder: string;
  };
  readonly say: Say;
  readonly signal: AbortSignal;
}

/**
 * Puts the operator and the example cloud onto a node that has neither: images, `afloat install`, a volume for the database, `afloat
 * apply`. Returns when every service of it serves. Throws where a step fails, and soon after the signal says stop.
 */
export async function startExampleCloud({ node, say, signal }: ExampleCloudOptions): Promise<void> {
  const environment = { AFLOAT_KUBECONFIG: node.kubeconfig };
  const run = async (...words: readonly string[]) => {
    signal.throwIfAborted();
    const code = await runProgram(words, { environment, signal });
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`it ended with exit code ${code}: ${programLine(words)}`);
  };
  const step = async <T>(what: string, estimateSeconds: number, work: () => Promise<T>) => {
    signal.throwIfAborted();
    return withProgress({ what, estimateSeconds, say }, work);
  };
  await step('the image of the operator', 10, () => loadOperatorImage(node, operatorImage));
  await step('the images of the example services', 15, () => loadExampleImages(node));
  await run(...['install', '--image', operatorImage, '--pull-policy', 'Never', '--cloud', exampleNamespace]);
  await step('the operator gets ready', 10, () => untilOperatorIsReady(node, signal));
  const call = apiCall(await readAccess(node.kubeconfig));
  const volume = exampleVolume(exampleNamespace, join(node.folder, 'database'));
  const { status, body } = await call('POST', '/api/v1/persistentvolumes', volume);
  if (status !== 201) throw new Error(`no volume for the database: ${JSON.stringify(body)}`);
  await run('apply', 'examples/walk/1-install.yaml', '--wait');
}

async function untilOperatorIsReady(
  { kubectl, kubeconfig }: ExampleCloudOptions['node'],
  signal: AbortSignal,
): Promise<void> {
  const where = ['--kubeconfig', kubeconfig, '-n', operatorNamespace];
  const what = ['rollout', 'status', `deployment/${operatorName}`, '--timeout=180s'];
  await execute(kubectl, [...where, ...what], { signal });
}
