import { CodedError } from '../base/coded-error.ts';
import { plainPaint } from '../base/paint.ts';
import type { Terminal } from './terminal.ts';

/** The terminal of this very process. */
export async function processTerminal(words: readonly string[]): Promise<Terminal> {
  return {
    print: text => void process.stdout.write(text),
    tell: text => void process.stderr.write(text),
    paint: hasColours(words) ? (await import('./colours.ts')).colours : plainPaint,
    folder: process.cwd(),
    readStdin,
    untilStopped,
    ...(hasPerson() ? { screen: (await import('./process-screen.ts')).processScreen } : {}),
  };
}

/** Somebody sits there who sees the output and can answer. */
function hasPerson(): boolean {
  const isTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY);
  return isTerminal && process.env['TERM'] !== 'dumb';
}

/** A second Ctrl-C ends the program at once, whatever it does. */
function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

/** Results and remarks share one paint, so both must go to a terminal. */
function hasColours(words: readonly string[]): boolean {
  const isTerminal = Boolean(process.stdout.isTTY && process.stderr.isTTY) && process.env['TERM'] !== 'dumb';
  return isTerminal && !words.includes('--no-color') && !process.env['NO_COLOR'];
}

/** Above every limit on a file: what is longer is refused without reading on, and an endless stream must end here. */
const mostBytes = 8 * 1024 * 1024;

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > mostBytes) break;
  }
  const bytes = Buffer.concat(chunks);
  if (size > mostBytes) return bytes.toString('latin1'); // too long, whatever it says
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CodedError('FileNotText', 'standard input holds bytes that are not UTF-8', { cause });
  }
}
