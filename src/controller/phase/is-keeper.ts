import type { PhaseObject } from '../our-objects.ts';

/** Whether a phase is over and put a service in order: such a one keeps it so, as long as what it brought is what runs. */
export function isKeeper({ spec, status }: PhaseObject): boolean {
  const { task } = spec.move ?? {};
  return (task === 'settle' || task === 'adjust') && status?.actualState === 'deployed';
}
