import type { Move } from './move.ts';
import type { FlowFacts } from './next-move.ts';

/** Moves that can be broken off: what follows the others is the way to a settled service, and on a way back there is no way back. */
const breakable: ReadonlySet<Move['task']> = new Set([
  ...([
    'check',
    'list-loss',
    'create-data',
    'back-up',
    'verify-backup',
    'expand',
    'migrate',
    'apply',
    'adjust',
  ] as const),
  ...(['test', 'give-traffic', 'take-traffic', 'stop', 'soak', 'contract'] as const),
]);

/** Whether a person's wish to get out ends this move. */
export function canAbort({ id, task }: Pick<Move, 'id' | 'task'>): boolean {
  return id.startsWith('main/') && breakable.has(task);
}

/** Whoever wants out has said no to what cannot be undone, also where the answer was yes: what has not begun does not begin. */
export function answersOnAbort(answers: FlowFacts['answers']): FlowFacts['answers'] {
  return { ...answers, contract: 'no', purge: 'no', unclean: 'no' };
}
