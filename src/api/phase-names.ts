/** The nine phases of a service's life, by their one-word names. */
export const phaseNames = [
  'planning',
  'install',
  'test',
  'trafficrollout',
  'operational',
  'trafficdrain',
  'upgrade',
  'rollback',
  'delete',
] as const;
export type PhaseName = (typeof phaseNames)[number];

/** The states of a phase or flow, as the older programs of the group know them. */
export const phaseStates = [
  'uninitialized',
  'unknown',
  'initialized',
  'pending',
  'running',
  'deployed',
  'uninstalled',
  'failed',
  'error',
] as const;
