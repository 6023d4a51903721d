/**
 * The walks a plan can ask for. `contract` is the second half of a split migration and always a plan of
 * its own; the others are the flows of the two charts.
 */
export const flowKinds = ['install', 'upgrade', 'reconfigure', 'rollback', 'uninstall', 'contract'] as const;
export type FlowKind = (typeof flowKinds)[number];

/**
 * What a flow does to one database. `create` makes it unless it is there, `keep` leaves it alone, `expand` and
 * `contract` are the halves of a split migration, `migrate` is one that is not split, `restore` brings a backup back,
 * `purge` removes it for good.
 */
export const dataActions = ['create', 'keep', 'expand', 'migrate', 'contract', 'restore', 'purge'] as const;
export type DataAction = (typeof dataActions)[number];

/** What one move of a flow does. The phase it belongs to says when; the task says what. */
export const moveTasks = [
  'check', // pre-flight with the target's own software; changes nothing
  'list-loss', // what a restore would drop; changes nothing
  'create-data',
  'back-up',
  'verify-backup',
  'expand',
  'migrate',
  'move-rows', // while both schemas are there, once the new version serves
  'contract',
  'restore',
  'reconcile',
  'clean-up', // what a package runs for its own end, while its software is there
  'remove-data', // databases this very flow created
  'purge-data', // databases that hold what clients wrote
  'apply',
  'adjust', // in place: replica counts, tasks
  'test',
  'give-traffic',
  'take-traffic',
  'stop', // before a backup that may be brought back: nobody writes from then on
  'settle', // drift repair, cron jobs and scheduled tests on again
  'soak',
  'remove',
] as const;
export type MoveTask = (typeof moveTasks)[number];

/** Tasks that only look: a flow that made no other move has touched nothing. */
export const lookingTasks: ReadonlySet<MoveTask> = new Set(['check', 'list-loss']);

/** The version a move is about: the one that ran when the flow began, or the one it goes to. */
export const sides = ['old', 'new'] as const;
export type Side = (typeof sides)[number];

/** What a flow may have to ask a person before it goes on. */
export const questions = ['rollback', 'restore', 'purge', 'contract', 'unclean'] as const;
export type Question = (typeof questions)[number];

/** How a flow can end. What each means is in the flow folder. */
export const flowEnds = [
  'operational',
  'removed',
  'takenback',
  'refused',
  'undone',
  'kept',
  'rolledback',
  'withdrawn',
  'unsettled',
  'held',
  'irreconcilable',
] as const;
export type FlowEnd = (typeof flowEnds)[number];
