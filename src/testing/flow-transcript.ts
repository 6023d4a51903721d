import type { Flow } from '../flow/flow.ts';
import { printFlow, sayEnd, sayMove } from '../flow/print-flow.ts';
import type { FlowWorld } from './flow-world.ts';

/** A run of a flow as prose: the flow itself, then every move with what came of it, every question, and the end. */
export function flowTranscript(flow: Flow, { trace }: FlowWorld): string {
  let count = 0;
  const lines = trace.map(({ next, result }) => {
    if (next.do === 'act')
      return `${`${++count}.`.padStart(4)} ${next.move.phase.padEnd(14)} ${sayMove(next.move)}: ${result}`;
    if (next.do === 'ask')
      return `     asks a person: ${next.question}? (${next.because}) before: ${sayMove(next.move)}`;
    if (next.do === 'wait') return `     waits for: ${sayMove(next.move)}`;
    return `     end ${next.end}, because ${next.because}\n     ${sayEnd(next.end)}`;
  });
  return `${printFlow(flow)}\n\nRun\n${lines.join('\n')}\n`;
}
