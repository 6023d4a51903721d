import type { CommandFacts, CommandOption } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { type GeneratedFile, pageHeader } from './generated-file.ts';
import { anchorOf, table } from './markdown.ts';

const intro = `\`afloat <command> --help\` says the same in a terminal. The result goes to standard output, everything else to
standard error. What changes something that runs asks first on a terminal; elsewhere nothing is ever asked, and \`--yes\` is needed. \`--verbose\` says more
when something fails; \`--no-color\`, the variable \`NO_COLOR\` and any output that is no terminal turn colours off; \`--version\` is short for
\`afloat version\`.

With \`-o json\` or \`-o yaml\` there is one value on standard output, also where a command fails: then it has \`findings\`, each with
\`code\` (see the [errors](errors.md)), \`message\`, \`advice\`, and the place or \`details\` where there are some.

Commands for a running world mean the one on this machine (\`--state\`, or the variable \`AFLOAT_STATE\`), unless a cluster is named: by \`--kubeconfig\`, by the
variable \`AFLOAT_KUBECONFIG\`, or by \`--context\`. \`KUBECONFIG\` alone names none.

Where a command takes files it takes folders too (every \`*.yaml\` and \`*.yml\` right in it), and \`-\` for standard input. Packages are
looked for from the folder of the record, or from the current folder when the record comes in on standard input.`;

/** The page of the command line, from the table that help and completion are made from. */
export function cliPage(): GeneratedFile {
  const overview = commands.map(({ name, summary }) => [
    `[\`afloat ${name}\`](#${anchorOf(`afloat ${name}`)})`,
    summary,
  ]);
  const codes = Object.values(exitCodes).map(({ code, means }) => [String(code), means]);
  return {
    path: 'docs/reference/cli.md',
    content: `${[
      pageHeader,
      '# Command line',
      intro,
      table(['command', 'what it does'], overview),
      '## Exit codes',
      table(['code', 'what it means'], codes),
      ...commands.flatMap(commandSection),
    ].join('\n\n')}\n`,
  };
}

function commandSection({ name, description, argument, options, examples }: CommandFacts): string[] {
  const usage = ['afloat', name, ...(options.length > 0 ? ['[options]'] : []), argument?.flags ?? ''];
  const words = [
    ...(argument ? [[`\`${argument.flags}\``, argument.description, oneOf(argument.choices)]] : []),
    ...options.map(option => [`\`${option.flags}\``, option.description, valuesOf(option)]),
  ];
  const width = Math.max(...examples.map(({ line }) => line.length));
  const lines = examples.map(({ line, does }) => `${line.padEnd(width)}   # ${does}`);
  return [
    `## afloat ${name}`,
    description,
    `\`\`\`\n${usage.join(' ').trim()}\n\`\`\``,
    ...(words.length > 0 ? [table(['word', 'what it is', 'values'], words)] : []),
    `\`\`\`\n${lines.join('\n')}\n\`\`\``,
  ];
}

function valuesOf({ choices, default: value }: CommandOption): string {
  const start = value === undefined ? '' : `default \`${value}\``;
  return [oneOf(choices), start].filter(text => text !== '').join('; ');
}

function oneOf(choices: readonly string[] | undefined): string {
  return choices?.map(choice => `\`${choice}\``).join(', ') ?? '';
}
