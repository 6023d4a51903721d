import type { StartPlan } from '../../isolation/isolation.ts';
import { executableNotFound } from './start-error.ts';

/** A text as one word of a shell, whatever it holds. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const words = (list: readonly string[]): string => list.map(shellWord).join(' ');

/** Names that a shell gives a meaning of its own, or that one of the usual shells does not let others set. */
const ownNames =
  /^(?:_|IFS|PWD|OLDPWD|PPID|UID|EUID|GROUPS|ENV|PS[0-4]|OPT[A-Z]+|LINENO|RANDOM|SECONDS|SHLVL|SHELLOPTS|FUNCNAME|DIRSTACK|HISTCMD|BASH.*)$/;

/**
 * Variables that a shell can hand on go by `export`: as arguments of `env` they could be read by everybody for a moment. The few
 * with other names (Kubernetes allows dots and dashes) go that way.
 */
function canBeExported(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !ownNames.test(name);
}

/** The part of a run that differs from others: functions that the shim calls (shim-script.ts). */
export function runScript(
  plan: StartPlan,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): string {
  const [program = ''] = command;
  const entries = Object.entries(env);
  const exported = entries.filter(([name]) => canBeExported(name) && name !== 'PATH');
  const other = entries.filter(([name]) => !canBeExported(name)).map(([name, value]) => `${name}=${value}`);
  const lead = [...(other.length > 0 ? ['/usr/bin/env', ...other] : []), ...plan.lead];
  const path = env['PATH'];
  return `${[
    plan.enter.length > 0
      ? `afloat_enter() { ${words(plan.enter)} sh "$0" "$run" inside; }`
      : 'afloat_enter() ( inside "$1" )',
    'afloat_prepare() {',
    ...(plan.hostname === undefined
      ? []
      : [
          `  printf %s ${shellWord(plan.hostname)} >/proc/sys/kernel/hostname || fail 'the host name cannot be set'`,
        ]),
    ...(plan.mounts === undefined
      ? []
      : ['  mount -n -a -T ./fstab >mount-messages 2>&1 || fail "$(cat mount-messages)"']),
    '  :',
    '}',
    'afloat_program() {',
    ...(plan.workingDir === undefined
      ? []
      : [`  [ -d ${shellWord(plan.workingDir)} ] || fail ${shellWord(noFolder(plan.workingDir))}`]),
    path === undefined ? '  unset PATH' : `  export PATH=${shellWord(path)}`,
    ...(plan.seesMachine && !program.includes('/')
      ? [`  command -v -- ${shellWord(program)} >/dev/null || fail ${shellWord(executableNotFound(program))}`]
      : []),
    '  echo running >>pid',
    '  tell running',
    ...(plan.workingDir === undefined
      ? []
      : [`  cd ${shellWord(plan.workingDir)} 2>/dev/null || fail ${shellWord(noEntry(plan.workingDir))}`]),
    // Made by the shell, not asked for by anybody.
    '  unset PWD OLDPWD SHLVL',
    // Last: one may have the name of a variable of the shim. From here on only `$1` is sure to be the run's folder.
    ...exported.map(([name, value]) => `  export ${name}=${shellWord(value)}`),
    `  trap 'not_led ${plan.workingDir === undefined ? '.' : '"$1"'}' EXIT`,
    `  exec ${words([...lead, ...command])}`,
    '}',
  ].join('\n')}\n`;
}

const noFolder = (folder: string) =>
  `chdir to cwd ("${folder}") set in config.json failed: no such file or directory`;

const noEntry = (folder: string) => `chdir to cwd ("${folder}") set in config.json failed: permission denied`;
