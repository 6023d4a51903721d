import type { JsonObject } from '../../base/json.ts';
import { type BoundedEnd, runBounded } from '../bounded-process.ts';

/** How far one call of Helm may go. Many times what the largest charts need. */
export const helmBounds = { seconds: 30, answerBytes: 16 * 1024 ** 2, memoryBytes: 512 * 1024 ** 2 } as const;

export type HelmBounds = { readonly [bound in keyof typeof helmBounds]: number };

/** What a chart is rendered for. */
export interface HelmCall {
  /** The program. */
  readonly helm: string;
  /** The folder of the chart, and one for Helm itself: both are thrown away afterwards. */
  readonly chart: string;
  readonly home: string;
  readonly release: string;
  readonly namespace: string;
  /** What is laid over the values of the chart. Null takes a value away. */
  readonly values: JsonObject;
  /** Whether values that are only stand-ins go in, which no schema needs to like. */
  readonly skipSchema: boolean;
}

/**
 * The Kubernetes that charts are rendered for, wherever that is done: were it the one at hand, a plan that was made on a laptop would not be
 * the one that the operator makes.
 */
export const chartKubernetes = 'v1.36.0';

/**
 * Runs `helm template`: no cluster is asked (`lookup` finds nothing, names are not looked up), nothing is fetched, no plugin runs, and of our
 * environment nothing goes along. Values go in by standard input, since they may be secret.
 */
export function runHelm(call: HelmCall, bounds: HelmBounds = helmBounds): Promise<BoundedEnd> {
  const { home } = call;
  const memory = Math.ceil(bounds.memoryBytes / 1024);
  return runBounded({
    program: call.helm,
    words: [
      ...['template', call.release, call.chart, '--namespace', call.namespace, '--values', '-'],
      ...['--include-crds', '--kube-version', chartKubernetes],
      ...(call.skipSchema ? ['--skip-schema-validation'] : []),
    ],
    folder: home,
    environment: {
      ...{ HOME: home, PATH: '/nonexistent', KUBECONFIG: '/dev/null', LC_ALL: 'C' },
      ...{ HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home, HELM_PLUGINS: home },
      // Go gives memory back before the limit is met; at the limit it ends in two lines, not in a thousand.
      ...{ GOMEMLIMIT: `${Math.floor((memory * 3) / 4)}KiB`, GOTRACEBACK: 'none' },
    },
    limits: { d: memory },
    seconds: bounds.seconds,
    answerBytes: bounds.answerBytes,
    input: JSON.stringify(call.values),
  });
}
