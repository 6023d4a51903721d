import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-afloat.ts';

/** A command of a page, and what the page shows of its output. */
export interface ShownCommand {
  readonly line: string;
  readonly shown: readonly string[];
}

interface Block {
  readonly language: string;
  readonly lines: readonly string[];
  readonly inRepository: boolean;
}

/** Every fenced block of a page, in order. */
function blocksOf(markdown: string): Block[] {
  const fence = /(<!-- in the repository -->\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm;
  return [...markdown.matchAll(fence)].map(([, mark, language = '', text = '']) => ({
    language,
    lines: text.trimEnd().split('\n'),
    inRepository: mark !== undefined,
  }));
}

/** Between the outputs of two commands; no program of ours writes it. */
const separator = '\u001e';

/**
 * Walks through a page in an empty folder, as a reader would: writes each `yaml` block that begins with the path of its
 * file, runs each command of the `console` blocks, all in one shell. Gives each command with what it printed.
 */
export function runPage(
  page: string,
  { folder, program }: { folder: string; program: string },
): (ShownCommand & { readonly printed: string })[] {
  const blocks = blocksOf(readFileSync(join(root, page), 'utf8'));
  const commands = blocks.flatMap(block => (block.language === 'console' ? commandsOf(block) : []));
  const script = [
    `afloat() { '${process.execPath}' '${program}' "$@"; }`,
    ...blocks.flatMap(block => linesOf(block)),
  ].join('\n');
  const { stdout } = spawnSync('bash', ['-c', `exec 2>&1\n${script}`], { cwd: folder, encoding: 'utf8' });
  const printed = stdout.split(separator);
  return commands.map((command, index) => ({ ...command, printed: printed[index] ?? '' }));
}

function commandsOf({ lines }: Block): ShownCommand[] {
  const commands: { line: string; shown: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith('$ ')) commands.push({ line: line.slice(2), shown: [] });
    else commands.at(-1)?.shown.push(line);
  }
  return commands;
}

/** A block as lines of a script. The code of a command is handed on to the next, which may ask for it. */
function linesOf(block: Block): string[] {
  if (block.language === 'console') {
    const commands = commandsOf(block).flatMap(({ line }) => [line, `code=$?; printf '\\x1e'; (exit $code)`]);
    return block.inRepository
      ? [`pushd '${root}' > /dev/null`, ...commands, 'popd_code=$?; popd > /dev/null; (exit $popd_code)']
      : commands;
  }
  const path = /^# (\S+\/\S+|cloud\.yaml)$/.exec(block.lines[0] ?? '')?.[1];
  if (block.language !== 'yaml' || path === undefined) return [];
  return [`mkdir -p "$(dirname ${path})"`, `cat > ${path} <<'END OF FILE'`, ...block.lines, 'END OF FILE'];
}

/** Whether an output is what a page shows of it; `...` stands for anything, as lines or inside one. */
export function isShownBy(shown: readonly string[], printed: string): boolean {
  const pattern = shown
    .map(line => (line === '...' ? '(.*\n)*?' : `${line.split('...').map(escaped).join('.*')}\n`))
    .join('');
  return new RegExp(`^${pattern}$`).test(printed);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
