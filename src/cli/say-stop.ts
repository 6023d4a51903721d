import { CodedError } from '../base/coded-error.ts';
import type { Exit } from './exit-codes.ts';
import { type Failure, failureOf, sayFailure } from './say-failure.ts';
import type { Terminal } from './terminal.ts';

/** Says what an error stopped, the trace only when it is asked for, and gives the exit for it. */
export async function sayStop(error: unknown, words: readonly string[], terminal: Terminal): Promise<Exit> {
  const failure = failureOf(error);
  const exit = await stopped(failure, sayFailure(failure), words, terminal);
  if (words.includes('--verbose') && error instanceof Error) terminal.tell(`${error.stack ?? ''}\n`);
  return exit;
}

/** Says that nobody understands the words. People read the whole complaint with its hints, programs its first line. */
export function sayMisuse(complaint: string, words: readonly string[], terminal: Terminal): Promise<Exit> {
  const message = complaint.replace(/^error: /, '').split('\n')[0] ?? complaint;
  return stopped(failureOf(new CodedError('UsageInvalid', message)), complaint, words, terminal);
}

/** To a program that asked for a format in that format, as findings are; to people in words. */
async function stopped(
  { finding, exit }: Failure,
  text: string,
  words: readonly string[],
  terminal: Terminal,
): Promise<Exit> {
  const format = formatOf(words);
  if (format === undefined) terminal.tell(text);
  else {
    // Loaded only now, as the code of a command is.
    const { structured } = await import('./structured.ts');
    terminal.print(structured({ findings: [finding] }, format));
  }
  return exit;
}

/** The format for programs that the words ask for; they may be too wrong to be parsed. */
function formatOf(words: readonly string[]): 'json' | 'yaml' | undefined {
  for (const [index, word] of words.entries()) {
    const [, joined] = /^(?:--output=|-o=?)(\w+)$/.exec(word) ?? [];
    const value = word === '-o' || word === '--output' ? words[index + 1] : joined;
    if (value === 'json' || value === 'yaml') return value;
  }
  return undefined;
}
