import type { MoveTask, Side } from '../api/flow-kinds.ts';

/** What the id of a move says: `main/give-traffic:new#2`. */
export interface MoveWords {
  /** `main`, or the way back it belongs to. */
  readonly path: string;
  readonly task: MoveTask;
  readonly side: Side;
  readonly slice?: number;
}

/** Reads the id of a move; undefined for one of a flow that somebody brought along. */
export function moveWords(id: string): MoveWords | undefined {
  const found = /^([^/]+)\/([a-z-]+):(old|new)(?:#(\d+))?$/.exec(id);
  if (!found) return undefined;
  const [, path = '', task, side, slice] = found;
  return {
    path,
    task: task as MoveTask,
    side: side as Side,
    ...(slice === undefined ? {} : { slice: Number(slice) }),
  };
}

const says: Record<MoveTask, string> = {
  check: 'checks before anything is touched',
  'list-loss': 'lists what a restore would drop',
  'create-data': 'creates the databases',
  'back-up': 'backs up the data',
  'verify-backup': 'verifies the backup',
  expand: 'expands the schema',
  migrate: 'migrates the schema',
  'move-rows': 'moves rows to the new schema',
  contract: 'contracts the schema',
  restore: 'restores the data',
  reconcile: 'reconciles state outside the databases',
  'clean-up': 'cleans up while the software is there',
  'remove-data': 'removes the databases it created',
  'purge-data': 'removes the data for good',
  apply: 'puts the software in place',
  adjust: 'adjusts it in place',
  test: 'tests',
  'give-traffic': 'gives traffic',
  'take-traffic': 'takes traffic away',
  stop: 'stops the software',
  settle: 'puts drift repair and schedules in place',
  soak: 'watches the new version, the old one is kept',
  remove: 'removes the software',
};

/** Tasks of which it must be said of which version they are. */
const ofSide: ReadonlySet<MoveTask> = new Set([
  ...(['apply', 'test', 'give-traffic', 'take-traffic', 'stop', 'remove'] as const),
]);

/** The two versions of a way back: which of them is newer is not what matters there. */
const sidesOfWayBack: Record<Side, string> = {
  new: 'the version it goes back to',
  old: 'the version it leaves',
};

/** A move as people read it: `gives traffic, new version, slice 2`. `flow`: the kind of flow it belongs to, where that is known. */
export function sayMoveId(id: string, flow?: string): string {
  const words = moveWords(id);
  if (!words) return id;
  const isBack = flow === 'rollback';
  if (isBack && words.task === 'soak') return `watches ${sidesOfWayBack.new}, the other one is kept`;
  const which = isBack ? sidesOfWayBack[words.side] : `${words.side} version`;
  const side = ofSide.has(words.task) ? `, ${which}` : '';
  return `${says[words.task] ?? words.task}${side}${words.slice === undefined ? '' : `, slice ${words.slice}`}`;
}
