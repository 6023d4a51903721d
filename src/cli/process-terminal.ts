import { plainPaint } from '../base/paint.ts';
import type { Terminal } from './terminal.ts';

/** The terminal of this very process. */
export async function processTerminal(words: readonly string[]): Promise<Terminal> {
  const colours = Boolean(process.stdout.isTTY) && !words.includes('--no-color') && !process.env['NO_COLOR'];
  return {
    print: text => void process.stdout.write(text),
    tell: text => void process.stderr.write(text),
    paint: colours ? (await import('./colours.ts')).colours : plainPaint,
    folder: process.cwd(),
    readStdin: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}
