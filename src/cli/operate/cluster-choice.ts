import type { Call } from '../command.ts';
import { textOption } from './call-options.ts';

/** The cluster that is meant, as commands are told that are about a cluster and nothing else. */
export function clusterChoice(call: Call): { readonly kubeconfig?: string; readonly context?: string } {
  const kubeconfig = textOption(call, 'kubeconfig');
  const context = textOption(call, 'context');
  return {
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
}
