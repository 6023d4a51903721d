/**
 * Flow: one step of a plan as a walk through phases.
 *
 * In: `PlanStep`. Out: `Flow`, plain data: every move, every way back, every end. Never: looks at the world; where a
 * flow stands is worked out by `nextMove` from what its moves report, and kept nowhere.
 */
import type { FlowKind, MoveTask } from '../api/flow-kinds.ts';
import type { PlanStep } from '../api/lifecycle-plan.ts';
import { contractFlow } from './contract-flow.ts';
import { installFlow } from './install-flow.ts';
import type { Move, Path, Way } from './move.ts';
import { replaceFlow } from './replace-flow.ts';
import { uninstallFlow } from './uninstall-flow.ts';

/** The policies that decide at gates. */
export interface FlowPolicy {
  readonly software: 'auto' | 'ask' | 'hold';
  readonly data: 'auto' | 'ask' | 'never';
  /** Once clients wrote, data is not restored: state outside would no longer fit it. */
  readonly neverOverWrites: boolean;
}

/** A walk through phases, with every fallback. Starts at the path `main`. */
export interface Flow {
  readonly step: string;
  readonly kind: FlowKind;
  readonly strategy: PlanStep['strategy'];
  readonly policy: FlowPolicy;
  /** Moves to the new version, and backups, from which on something may be written that a restore would lose. */
  readonly writesFrom: readonly MoveTask[];
  readonly paths: Readonly<Record<string, Path>>;
}

type Paths = Flow['paths'];

/** What each kind of flow is made by. A kind without an entry does not compile. */
const makers: Record<FlowKind, (step: PlanStep) => Paths> = {
  install: installFlow,
  upgrade: step => replaceFlow(step, { phase: 'upgrade', canGoBack: true }),
  reconfigure: step => replaceFlow(step, { phase: 'upgrade', canGoBack: true }),
  // There is no rollback of a rollback: what fails on the way back stops for a person.
  rollback: step => replaceFlow(step, { phase: 'rollback', canGoBack: false }),
  uninstall: uninstallFlow,
  contract: contractFlow,
};

/** The flow of one step of a plan. */
export function makeFlow(step: PlanStep): Flow {
  return {
    step: step.id,
    kind: step.flow,
    strategy: step.strategy,
    policy: {
      software: step.rollback.software ?? 'auto',
      data: step.rollback.data ?? 'auto',
      neverOverWrites: step.stateOutside === 'unrecoverable',
    },
    writesFrom: writesFrom(step),
    paths: reachable(makers[step.flow](step)),
  };
}

function writesFrom({ flow, data, unrouted }: PlanStep): readonly MoveTask[] {
  const servesMeanwhile = flow === 'upgrade' && data.some(({ servedHere }) => servedHere);
  return [
    'give-traffic',
    ...(servesMeanwhile ? (['back-up'] as const) : []),
    ...(unrouted ? (['apply'] as const) : []), // nothing keeps it from writing once it runs
  ];
}

/** Whether something may be written from this move on that a restore would lose. */
export function opensWrites({ writesFrom }: Flow, { task, side }: Pick<Move, 'task' | 'side'>): boolean {
  return side === 'new' && writesFrom.includes(task);
}

/** The paths that something leads to: a flow without data has no way back for data. */
function reachable(paths: Paths): Paths {
  const found = new Map<string, Path>();
  const open = ['main'];
  for (const name of open) {
    const path = paths[name];
    if (!path || found.has(name)) continue;
    found.set(name, path);
    for (const way of waysOf(path)) if ('path' in way) open.push(way.path);
  }
  return Object.fromEntries(found);
}

/** Every way out of a path: where it leads, where its moves lead that fail, and where a person's no leads. */
export function waysOf({ moves, leadsTo }: Path): readonly Way[] {
  const otherwise = moves
    .flatMap(({ gates }) => gates)
    .flatMap(gate => ('otherwise' in gate ? [{ path: gate.otherwise }] : []));
  return [...moves.map(({ onFailure }) => onFailure), ...otherwise, leadsTo];
}
