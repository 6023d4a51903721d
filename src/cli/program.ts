import { Command, CommanderError, Option } from 'commander';
import { didYouMean } from '../base/did-you-mean.ts';
import type { Call, CommandFacts, RunCommand } from './command.ts';
import { type CommandName, commands } from './commands.ts';
import { type Exit, exitCodes } from './exit-codes.ts';
import { sayMisuse, sayStop } from './say-stop.ts';
import type { Terminal } from './terminal.ts';

/** Runs the program with these words, under the name that a person called it by; never throws, never leaves the process by itself. */
export async function runProgram(
  words: readonly string[],
  terminal: Terminal,
  name = 'afloat',
): Promise<Exit> {
  let exit: Exit = 'ok';
  const unknown = unknownCommand(words, name);
  if (unknown !== undefined) return sayMisuse(unknown, words, terminal);
  let complaint = '';
  const note = (text: string) => {
    complaint += text;
  };
  const listening = { ...terminal, tell: note };
  const program = programOf(name, listening, async (command, call) => {
    const { run } = await load[command]();
    exit = await run(call, terminal);
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exit;
  } catch (error) {
    if (!(error instanceof CommanderError)) return sayStop(error, words, terminal);
    return error.exitCode === 0 ? 'ok' : sayMisuse(complaint, words, terminal);
  }
}

/** Commander would speak of too many arguments, because `afloat` alone is a call too. */
function unknownCommand(words: readonly string[], name: string): string | undefined {
  const [first, second] = words.filter(word => !word.startsWith('-'));
  const called = first === 'help' ? second : first;
  const names = [...commands.map(({ name }) => name), 'help'];
  if (called === undefined || names.includes(called)) return undefined;
  const near = didYouMean(called, names);
  const hint = near === undefined ? '' : `(Did you mean ${near}?)\n`;
  return `error: unknown command ${JSON.stringify(called)}\n${hint}${seeHelp(name)}\n`;
}

const seeHelp = (name: string) => `See \`${name} help\` for all commands.`;

/** The code of each command, loaded only when it runs: `--help` must not wait for a YAML parser. */
const load: Record<CommandName, () => Promise<{ readonly run: RunCommand }>> = {
  init: () => import('./init.ts'),
  validate: () => import('./validate.ts'),
  plan: () => import('./plan.ts'),
  explain: () => import('./explain.ts'),
  up: () => import('./operate/up.ts'),
  down: () => import('./operate/down.ts'),
  apply: () => import('./operate/apply.ts'),
  push: () => import('./operate/push.ts'),
  adopt: () => import('./operate/adopt.ts'),
  status: () => import('./operate/status.ts'),
  watch: () => import('./operate/watch.ts'),
  logs: () => import('./operate/logs.ts'),
  history: () => import('./operate/history.ts'),
  diff: () => import('./operate/diff.ts'),
  approve: () => import('./operate/approve.ts'),
  pause: () => import('./operate/pause.ts'),
  resume: () => import('./operate/resume.ts'),
  abort: () => import('./operate/abort.ts'),
  rollback: () => import('./operate/rollback.ts'),
  retry: () => import('./operate/retry.ts'),
  doctor: () => import('./operate/doctor.ts'),
  install: () => import('./install.ts'),
  uninstall: () => import('./uninstall.ts'),
  operator: () => import('./operator.ts'),
  completion: () => import('./completion.ts'),
  version: () => import('./version.ts'),
};

type OnCall = (name: CommandName, call: Call) => Promise<void>;

function programOf(name: string, terminal: Terminal, onCall: OnCall): Command {
  const program = new Command(name)
    .description('Keeps an OpenStack cloud running while its parts are replaced.')
    .option('--verbose', 'say more when something fails')
    .option('--no-color', 'no colours')
    .option('-V, --version', 'print the version')
    .exitOverride()
    .showHelpAfterError(seeHelp(name))
    .configureOutput({ writeOut: terminal.print, writeErr: terminal.tell })
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', `\n${exitCodeHelp()}`);
  program.action(({ version }: { version?: boolean }) =>
    version ? onCall('version', { words: [], options: {} }) : program.help(),
  );
  for (const facts of commands)
    program.addCommand(commandOf(facts, program, call => onCall(facts.name, call)));
  return program;
}

function commandOf(facts: CommandFacts, program: Command, onCall: (call: Call) => Promise<void>): Command {
  const command = new Command(facts.name)
    .copyInheritedSettings(program)
    .summary(facts.summary)
    .description(facts.description);
  if (facts.argument) {
    const argument = command.createArgument(facts.argument.flags, facts.argument.description);
    if (facts.argument.choices) argument.choices([...facts.argument.choices]);
    command.addArgument(argument);
  }
  for (const { flags, description, choices, default: value, many } of facts.options) {
    const option = new Option(flags, description);
    if (choices) option.choices([...choices]);
    if (value !== undefined) option.default(value);
    if (many) option.argParser<readonly string[]>((word, before = []) => [...before, word]);
    command.addOption(option);
  }
  const called = (line: string) => line.replace(/^afloat\b/, program.name());
  const examples = facts.examples.map(({ line, does }) => `  $ ${called(line).padEnd(58)} # ${does}`);
  command.addHelpText(
    'after',
    `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.join('\n')}`,
  );
  command.action(() => onCall({ words: command.args, options: command.opts() }));
  return command;
}

function exitCodeHelp(): string {
  const rows = Object.values(exitCodes).map(({ code, means }) => `  ${String(code).padEnd(3)} ${means}`);
  return ['Exit codes:', ...rows].join('\n');
}
