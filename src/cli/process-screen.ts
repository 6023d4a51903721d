import { createInterface } from 'node:readline/promises';
import { fitLine } from './fit-line.ts';
import type { Screen } from './terminal.ts';

/** How many lines stand on the screen that the next ones replace. */
let drawn = 0;

/** The screen of this very process: lines are drawn over those that were drawn last, and never wider or higher than the screen. */
export const processScreen: Screen = {
  redraw: lines => {
    // A terminal that does not know its size says zero.
    const [columns, rows] = [process.stdout.columns || 80, process.stdout.rows || 24];
    const fits = lines.slice(0, Math.max(1, rows - 1)).map(line => fitLine(line, columns));
    const back = drawn > 0 ? `\r\u001b[${drawn}A` : '';
    // Each line is cleared to its end, and what was longer below is cleared after the last: nothing flickers.
    process.stdout.write(`${back}${fits.map(line => `${line}\u001b[K\n`).join('')}\u001b[J`);
    drawn = fits.length;
  },
  ask: async question => {
    drawn = 0; // what is asked stays where it is
    const asking = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const answer = await asking.question(`\n${question} [y/N] `);
      return /^y(es)?$/i.test(answer.trim());
    } finally {
      asking.close();
    }
  },
};
