/** What the watchers look at. */
export const watched = {
  type: { apiVersion: 'v1', kind: 'ConfigMap' },
  namespace: 'default',
  labelSelector: 'bench=watch',
} as const;

/** The number of a change, and when it was seen. */
export type SeenChange = readonly [number: number, at: number];

/** Time that is the same in all processes of this machine. */
export function monotonicMilliseconds(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
