import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { CodedError } from '../../../base/coded-error.ts';
import { type Clock, systemClock } from '../../clock.ts';
import type { Access } from './access.ts';
import { inClusterAccess, serviceAccountFolder } from './in-cluster-access.ts';
import { kubeconfigAccess } from './kubeconfig-access.ts';
import { readKubeconfigs } from './kubeconfig-files.ts';

export interface FindAccessOptions {
  /** A kubeconfig; then nothing else is looked at. */
  readonly kubeconfig?: string;
  /** A context of it, instead of the current one. */
  readonly context?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly homeFolder?: string;
  readonly serviceAccountFolder?: string;
  readonly clock?: Clock;
}

/**
 * How to reach the cluster that is meant, looked for as kubectl does: the kubeconfig that was named, else those of
 * `$KUBECONFIG`, else `~/.kube/config`, else the cluster this program runs in. Throws `KubeconfigInvalid` or
 * `CredentialsUnavailable`.
 */
export async function findAccess(options: FindAccessOptions = {}): Promise<Access> {
  const { environment = process.env, homeFolder = homedir(), clock = systemClock } = options;
  const { KUBECONFIG: listed } = environment;
  const files = options.kubeconfig ? [options.kubeconfig] : (listed?.split(delimiter).filter(Boolean) ?? []);
  const isNamed = files.length > 0;
  const places = isNamed ? files : [join(homeFolder, '.kube', 'config')];
  const config = await readKubeconfigs(places);
  if (config) return kubeconfigAccess(config, options.context, clock);
  if (isNamed) throw nothing(`${places.join(', ')}: not there`, places);
  const folder = options.serviceAccountFolder ?? serviceAccountFolder;
  const inside = await inClusterAccess(environment, clock, folder);
  if (inside) return inside;
  throw nothing(`there is no ${places[0]}, KUBECONFIG is not set, and this is no pod`, places);
}

function nothing(words: string, files: readonly string[]): CodedError {
  return new CodedError('KubeconfigInvalid', words, { details: { files: [...files] } });
}
