import type { CommandFacts, RunCommand } from './command.ts';
import { commands } from './commands.ts';

/** Prints the completion script of a shell, made from the same table as the help. */
export const run: RunCommand = async ({ words: [shell] }, terminal) => {
  const scripts: Readonly<Record<string, () => string>> = {
    bash: bashScript,
    zsh: zshScript,
    fish: fishScript,
  };
  terminal.print(scripts[shell ?? 'bash']?.() ?? '');
  return 'ok';
};

const names = [...commands.map(command => command.name), 'help'];

/** The words of an option: `-o, --output <format>` has `-o` and `--output`. */
function flagWords({ flags }: CommandFacts['options'][number]): string[] {
  return flags.split(/[ ,]+/).filter(word => word.startsWith('-'));
}

/** Every option of a command, as it is typed. */
export function optionWords({ options }: CommandFacts): string[] {
  return [...options.flatMap(flagWords), '--help'];
}

function bashScript(): string {
  const list = (words: readonly string[]) => `$'${words.join('\\n')}'`;
  const cases = commands.map(command => {
    const values = command.options.flatMap(option => {
      const label = flagWords(option).join('|');
      if (option.choices) return [`      ${label}) words=${list(option.choices)} files= ;;`];
      return option.flags.includes('<') ? [`      ${label})${option.path ? '' : ' files='} ;;`] : [];
    });
    const words = [...optionWords(command), ...(command.argument?.choices ?? [])];
    return [
      `  ${command.name})`,
      '    case "$before" in',
      ...values,
      `      *) words=${list(words)}${command.argument?.choices ? ' files=' : ''} ;;`,
      '    esac ;;',
    ].join('\n');
  });
  // One word a line, so that a file whose name holds a blank stays one word.
  return `# bash completion of afloat: source <(afloat completion bash)
_afloat() {
  local IFS=$'\\n' word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words="" files=yes
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${list([...names, '--help', '--verbose', '--no-color', '--version'])} -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  help) words=${list(names)} files= ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"; [ -z "$files" ] || compgen -f -- "$word"))
}
complete -o filenames -F _afloat afloat
`;
}

function zshScript(): string {
  const list = commands.map(command => `    '${command.name}:${quoted(command.summary)}'`).join('\n');
  const cases = commands.map(command => {
    const options = command.options.map(option => {
      const value = option.choices
        ? `:value:(${option.choices.join(' ')})`
        : option.flags.includes('<')
          ? `:value:${option.path ? '_files' : ''}`
          : '';
      const words = flagWords(option);
      const both = words.length > 1 ? `'(${words.join(' ')})'{${words.join(',')}}` : `${words[0]}`;
      return `      ${both}'[${quoted(option.description)}]${value}'`;
    });
    const rest = command.argument?.choices
      ? `'*:word:(${command.argument.choices.join(' ')})'`
      : `'*:file:_files'`;
    return `    ${command.name}) _arguments '--help[show help]' \\\n${[...options, `      ${rest}`].join(' \\\n')} ;;`;
  });
  return `#compdef afloat
# zsh completion of afloat: afloat completion zsh > a folder of $fpath, as _afloat
_afloat() {
  local -a known=(
${list}
  )
  if (( CURRENT == 2 )); then
    _describe command known
    return
  fi
  local called="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$called" in
${cases.join('\n')}
  esac
}
# Loaded from $fpath this file is the body of the function; sourced, it has to be made known.
if [ "$funcstack[1]" = "_afloat" ]; then _afloat "$@"; else compdef _afloat afloat; fi
`;
}

function fishScript(): string {
  const none = '__fish_use_subcommand';
  const lines = commands.flatMap(command => [
    `complete -c afloat -n ${none} -f -a ${command.name} -d '${quoted(command.summary)}'`,
    ...command.options.map(option => {
      const [short] = flagWords(option).filter(word => !word.startsWith('--'));
      const long = flagWords(option).at(-1)?.slice(2);
      const value = option.choices
        ? ` -x -a '${option.choices.join(' ')}'`
        : option.flags.includes('<')
          ? option.path
            ? ' -r'
            : ' -x'
          : '';
      return `complete -c afloat -n '__fish_seen_subcommand_from ${command.name}'${short ? ` -s ${short.slice(1)}` : ''} -l ${long}${value} -d '${quoted(option.description)}'`;
    }),
    ...(command.argument?.choices
      ? [
          `complete -c afloat -n '__fish_seen_subcommand_from ${command.name}' -f -a '${command.argument.choices.join(' ')}'`,
        ]
      : []),
  ]);
  return `# fish completion of afloat: afloat completion fish | source\n${lines.join('\n')}\n`;
}

/** Text that is safe between single quotes and brackets of all three shells. */
function quoted(text: string): string {
  return text.replaceAll(/['[\]`:$\\]/g, '').trim();
}
