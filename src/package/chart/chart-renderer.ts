import type { Finding } from '../../api/finding.ts';
import type { Digest } from '../../base/digest.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ChartObject } from './chart-object.ts';

/** One file of a chart; its path leads nowhere else. */
export interface ChartFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A chart, and what it is rendered for. */
export interface ChartRequest {
  readonly files: readonly ChartFile[];
  readonly digest: Digest;
  /** Where the chart was read from, for messages. */
  readonly location: string;
  readonly release: string;
  readonly namespace: string;
  /** What is laid over the chart's own values. */
  readonly values: JsonObject;
  /**
   * `planned`: rendered twice, and what differs is told apart, so that chance enters no digest. `real`: rendered once, with secret values,
   * for the cluster.
   */
  readonly use: 'planned' | 'real';
  /** Whether some values are only stand-ins, which no schema needs to like. */
  readonly hasStandIns: boolean;
}

/** What a chart gives. Where there are findings it must not be used. */
export interface ChartRender {
  readonly objects: readonly ChartObject[];
  /** What a person should know and what stops nothing: what differs each time, what Helm leaves out. */
  readonly notes: readonly Finding[];
  readonly findings: readonly Finding[];
}

/**
 * Makes objects of charts. The same request gives the same answer, but for what a chart itself invents. A chart that cannot be rendered is a
 * finding, within bounds of time and memory, never an exception; nothing that a chart holds reaches the cluster, the network, a file outside
 * the chart, or our environment.
 */
export interface ChartRenderer {
  render(request: ChartRequest): Promise<ChartRender>;
}
