/** Who brings requests to Pods says here when none comes to a Pod any more. */
export interface TrafficGate {
  /** The Pod is to end, no new request is sent to it, and none is in flight. */
  isOut(podUid: string): boolean;
  /** Told when that may have changed. */
  onChange(listener: (podUid: string) => void): void;
}

/** Where nothing brings requests. */
export const noTraffic: TrafficGate = { isOut: () => true, onChange: () => {} };
