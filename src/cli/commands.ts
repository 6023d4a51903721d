import { clusterCommands } from './cluster-commands.ts';
import type { CommandFacts, CommandOption } from './command.ts';
import { where, worldCommands } from './world-commands.ts';

const formats = ['text', 'json', 'yaml'] as const;

const output = (choices: readonly string[]): CommandOption => ({
  flags: '-o, --output <format>',
  description: 'How the result is written.',
  choices,
  default: 'text',
});

const from: CommandOption = {
  flags: '--from <file>',
  description:
    'A file that says what runs now (see the reference page of the observed state); `-` is standard input. Without it the world that runs is asked.',
  path: true,
};

const records = {
  flags: '<files...>',
  description: 'Files or folders with the record; `-` is standard input.',
};

const first = [
  {
    name: 'init',
    summary: 'write a first record and package to start from',
    description:
      'Writes a record and the package of one small service into a folder. Nothing that is there is overwritten.',
    argument: {
      flags: '[folder]',
      description: 'The folder; it is made when it is not there. This folder by default.',
    },
    options: [{ flags: '--name <name>', description: 'Name of the cloud.', default: 'my-cloud' }],
    examples: [{ line: 'afloat init my-cloud', does: 'a record and a package to change as you like' }],
  },
  {
    name: 'validate',
    summary: 'check records, manifests and packages',
    description:
      'Checks manifests of every kind and the packages that records name. Prints every finding with file, line, column, field and what to do. A folder with a lifecycle.yaml is checked as a package.',
    argument: { flags: '<paths...>', description: 'Files, folders or packages; `-` is standard input.' },
    options: [output(formats)],
    examples: [
      { line: 'afloat validate examples/cloud.yaml', does: 'a record and its packages' },
      { line: 'afloat validate examples/packages/identity/2.0.0', does: 'one package' },
    ],
  },
  {
    name: 'plan',
    summary: 'show what would change, in which order, why, and the way back',
    description:
      'Makes the plan from what runs to what the record says and prints it. What runs is asked of the world of this machine, or of the cluster that is named; a file can say it instead. Changes nothing. The exit code tells whether there is anything to do.',
    argument: records,
    options: [
      from,
      {
        flags: '--contract <service>',
        description: 'The plan that contracts the databases of one service instead: its point of no return.',
      },
      {
        flags: '--runtime <runtime>',
        description:
          '`embedded`: also check that this machine can run it without a container engine: that every image is a program here, and whether it needs root. Without it, what the world that runs is.',
        choices: ['embedded', 'kubernetes'],
      },
      {
        flags: '--offline',
        description: 'Ask no world what runs: plan as if nothing does.',
      },
      ...where,
      output([...formats, 'markdown']),
    ],
    examples: [
      { line: 'afloat plan examples/cloud.yaml', does: 'the plan of a fresh cloud' },
      {
        line: 'afloat plan examples/cloud-patched.yaml --from examples/state-running.yaml',
        does: 'the plan of a patch',
      },
      { line: 'afloat plan examples/cloud.yaml -o markdown', does: 'for a pull request' },
    ],
  },
  {
    name: 'explain',
    summary: 'print each hand-over of the walk for a record or a package',
    description:
      'Shows what Afloat makes of a record, stage by stage: manifests, resolved record, packages and where each object belongs, plan, flows. For a package: what it says and where each of its objects belongs; for a Helm chart also in which order, and what is there once a slice.',
    argument: {
      flags: '<path>',
      description: 'A record, or the folder or archive of a package or Helm chart.',
    },
    options: [from, output(formats)],
    examples: [
      { line: 'afloat explain examples/cloud.yaml', does: 'the whole walk' },
      { line: 'afloat explain examples/packages/compute/2.0.0', does: 'one package' },
    ],
  },
] as const satisfies readonly CommandFacts[];

const last = [
  {
    name: 'completion',
    summary: 'print the completion script of a shell',
    description: 'Prints a script that completes commands, options and files.',
    argument: { flags: '<shell>', description: 'The shell.', choices: ['bash', 'zsh', 'fish'] },
    options: [],
    examples: [{ line: 'source <(afloat completion bash)', does: 'completion in this shell' }],
  },
  {
    name: 'version',
    summary: 'print the version',
    description: 'Prints the version of Afloat and of Node.',
    options: [output(formats)],
    examples: [{ line: 'afloat version -o json', does: 'for programs' }],
  },
] as const satisfies readonly CommandFacts[];

const table = [...first, ...worldCommands, ...clusterCommands, ...last] as const;

/** The name of a command. */
export type CommandName = (typeof table)[number]['name'];

/** Every command, in the order a newcomer meets them. */
export const commands: readonly (CommandFacts & { readonly name: CommandName })[] = table;
