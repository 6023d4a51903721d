import type { CommandFacts } from './command.ts';
import { commands } from './commands.ts';
import { optionWords } from './completion.ts';
import type { Terminal } from './terminal.ts';

/** What kubectl is told to do beside the words that it gets: nothing, or offer no files. */
const directives = { files: 0, none: 4 } as const;

interface Offer {
  readonly words: readonly string[];
  readonly files: boolean;
}

/** Prints how a line may go on, as kubectl asks its plugins: a word a line, with what it means, then what to do about files. */
export function printCompletion(words: readonly string[], terminal: Terminal): void {
  const last = words.at(-1) ?? '';
  const { words: offered, files } = offerAfter(words.slice(0, -1));
  const fitting = offered.filter(word => word.startsWith(last));
  const lines = fitting.map(word => {
    const summary = commands.find(({ name }) => name === word)?.summary;
    return words.length > 1 || summary === undefined ? word : `${word}\t${summary}`;
  });
  terminal.print(`${[...lines, `:${files ? directives.files : directives.none}`].join('\n')}\n`);
}

function offerAfter(before: readonly string[]): Offer {
  const names = [...commands.map(({ name }) => name), 'help'];
  const [called, ...others] = before;
  if (called === undefined) return { words: names, files: false };
  if (called === 'help') return { words: others.length === 0 ? names : [], files: false };
  const command: CommandFacts | undefined = commands.find(({ name }) => name === called);
  if (!command) return { words: [], files: false };
  const option = command.options.find(({ flags }) => flags.split(/[ ,]+/).includes(before.at(-1) ?? ''));
  if (option?.choices) return { words: option.choices, files: false };
  if (option?.flags.includes('<')) return { words: [], files: option.path === true };
  const { choices } = command.argument ?? {};
  return {
    words: [...(choices ?? []), ...optionWords(command)],
    files: command.argument !== undefined && choices === undefined,
  };
}
