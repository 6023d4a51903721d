import type { MoveTask } from '../api/flow-kinds.ts';
import { ends } from './ends.ts';
import type { Flow } from './flow.ts';
import type { Gate, Move, Path, Way } from './move.ts';

/** A flow as people read it: every path, its moves in order, their gates, and where a failure leads. */
export function printFlow(flow: Flow): string {
  const strategy = flow.strategy === 'inplace' ? '' : `, ${flow.strategy}`;
  const policy = `software ${flow.policy.software}, data ${flow.policy.data}`;
  return [
    `Flow ${flow.step} (${flow.kind}${strategy}; policy: ${policy})`,
    ...Object.entries(flow.paths).flatMap(pathLines),
  ].join('\n');
}

function pathLines([name, path]: [string, Path]): string[] {
  return [`  ${name}`, ...path.moves.map(moveLine), `    => ${sayWay(path.leadsTo)}`];
}

function moveLine(move: Move): string {
  const gates = move.gates.length > 0 ? ` [${move.gates.map(sayGate).join('; ')}]` : '';
  return `    ${move.phase.padEnd(14)} ${sayMove(move)}${gates}  else ${sayWay(move.onFailure)}`;
}

/** Tasks whose name alone does not read as a sentence. */
const taskWords: Partial<Record<MoveTask, string>> = {
  'list-loss': 'list what a restore would drop of',
  'create-data': 'create',
  'back-up': 'back up',
  'verify-backup': 'verify the backup of',
  'move-rows': 'move rows of',
  'clean-up': 'clean up after',
  'remove-data': 'remove what was created of',
  'purge-data': 'purge',
  'give-traffic': 'give traffic to',
  'take-traffic': 'take traffic from',
};

/** A move in words: `test the new version`. */
export function sayMove({ task, side, slice, databases }: Move): string {
  const what = databases ? databases.join(', ') : `the ${side} version`;
  const where = slice === undefined ? '' : ` of slice ${slice}`;
  return `${taskWords[task] ?? task} ${what}${where}`;
}

function sayWay(way: Way): string {
  return 'path' in way ? `go to ${way.path}` : way.end;
}

function sayGate(gate: Gate): string {
  switch (gate.kind) {
    case 'rollback':
      return 'if the software policy allows';
    case 'restore':
      return 'if the data policy allows, with consent where clients wrote';
    case 'asks-restore':
      return 'only where a person is asked about the data';
    case 'consent':
      return `with consent to ${gate.question}`;
    case 'unclean':
      return `with consent to go on without the clean-up, otherwise go to ${gate.otherwise}`;
    case 'no-old-process':
      return 'if no old process is left';
    case 'created-here':
      return 'only what this flow created';
    case 'started':
      return `only if ${gate.move} began`;
  }
}

/** The meaning of an end, for the last line of a transcript. */
export function sayEnd(end: keyof typeof ends): string {
  return ends[end].says;
}
