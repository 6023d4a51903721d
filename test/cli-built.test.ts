/** The program as it is shipped: bundled, started by its launcher, with real streams and shells around it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../src/cli/commands.ts';
import { buildProgram } from './cli/build-program.ts';
import { root, runAfloat } from './cli/run-afloat.ts';
import { isShownBy, runPage } from './cli/run-page.ts';

const cloud = 'examples/cloud.yaml';
const afloat = join(root, 'bin', 'afloat.js');

let folder: string;
beforeAll(() => {
  buildProgram();
  folder = mkdtempSync(join(tmpdir(), 'afloat-built-'));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

function start(program: string, words: readonly string[], input: string | Uint8Array = '') {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: root, encoding: 'utf8', input });
  return { code: status, out: stdout, err: stderr };
}

function launch(...words: string[]) {
  return start(process.execPath, [afloat, ...words]);
}

/** Runs a line of bash in which `afloat` is the program. */
function shell(line: string) {
  return start('bash', ['-c', `afloat() { '${process.execPath}' '${afloat}' "$@"; }; ${line}`]);
}

function isThere(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

test.each([
  { words: ['version', '-o', 'json'] },
  { words: ['help'] },
  { words: ['plan', cloud] },
  { words: ['plan', cloud, '--from', 'examples/state-running.yaml'] },
  { words: ['validate', cloud, '-o', 'yaml'] },
  { words: ['explain', 'examples/packages/compute/2.0.0'] },
  { words: ['completion', 'bash'] },
  { words: ['plan', 'test/bad-inputs/testdata/records/circle.yaml'] },
  { words: ['plan', 'test/bad-inputs/testdata/records/tabs.yaml', '-o', 'json'] },
  { words: ['validate', 'test/bad-inputs/testdata/packages/no-such-task/1.0.0'] },
  { words: ['pln'] },
])('the bundle does what the sources do: afloat $words', async ({ words }) => {
  expect(launch(...words)).toEqual(await runAfloat(words, { folder: root }));
});

test('npx finds it in a built tree', () => {
  const { code, out } = start('npx', ['--no-install', 'afloat', 'plan', cloud]);
  expect({ code, out }).toEqual({ code: 2, out: launch('plan', cloud).out });
});

describe('streams', () => {
  test('a reader that goes away is no failure, and the exit code still tells', () => {
    expect(shell(`afloat explain ${cloud} -o yaml | head -n 1; echo "\${PIPESTATUS[0]}"`)).toEqual({
      code: 0,
      out: 'manifests:\n0\n',
      err: '',
    });
    const { out, err } = shell(`afloat plan ${cloud} -o json | head -n 1; echo "\${PIPESTATUS[0]}"`);
    expect({ out, err }).toEqual({ out: '{\n2\n', err: '' });
    expect(shell('afloat plan nowhere 2>&1 | true; echo "${PIPESTATUS[0]}"').out).toBe('3\n');
  });

  // Only Linux has a device that is always full.
  test.skipIf(process.platform !== 'linux')('a full disk is said in one line', () => {
    const { code, err } = shell('afloat version > /dev/full');
    expect(code).toBe(1);
    expect(err).toMatch(/^afloat: .*\n$/);
  });

  test('bytes on standard input that are no text are refused', () => {
    const { code, out, err } = start(process.execPath, [afloat, 'plan', '-'], Uint8Array.from([0x61, 0xff]));
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain('FileNotText');
  });

  test('standard input that never ends is refused', () => {
    const { out } = shell('yes | afloat validate -; true');
    expect(out).toContain('FileTooLarge');
  });

  test('a pipe in place of a file is read', () => {
    const { out } = shell(`afloat plan <(sed 's#packages/#${root}/examples/packages/#' ${cloud}) -o json`);
    expect(JSON.parse(out).plan.steps).toHaveLength(6);
  });
});

describe('colours', () => {
  const hasScript = isThere('script'); // the one of util-linux gives a program a terminal
  const onTerminal = (line: string) => start('script', ['-qec', line, '/dev/null']).out.includes('\u001b[');
  const plan = `'${process.execPath}' '${afloat}' plan ${cloud}`;

  test.skipIf(!hasScript)('are for terminals, and only when they are wanted', () => {
    expect({
      terminal: onTerminal(`TERM=xterm ${plan}`),
      off: onTerminal(`TERM=xterm ${plan} --no-color`),
      environment: onTerminal(`TERM=xterm NO_COLOR=1 ${plan}`),
      dumb: onTerminal(`TERM=dumb ${plan}`),
      pipe: onTerminal(`TERM=xterm ${plan} | cat`),
      remarks: onTerminal(`TERM=xterm ${plan} 2>/dev/null`),
    }).toEqual({
      terminal: true,
      off: false,
      environment: false,
      dumb: false,
      pipe: false,
      remarks: false,
    });
  });
});

describe('completion', () => {
  test.for(['bash', 'zsh', 'fish'])('is a script that %s can read', (name, context) => {
    if (!isThere(name)) context.skip(`${name} is not installed here`);
    const script = join(folder, `completion.${name}`);
    writeFileSync(script, launch('completion', name).out);
    expect(start(name, ['-n', script])).toEqual({ code: 0, out: '', err: '' });
  });

  /** What bash would offer for the last of these words. */
  function offers(...words: string[]): string[] {
    writeFileSync(join(folder, 'a file.yaml'), '');
    const script = join(folder, 'bash-completion');
    writeFileSync(script, launch('completion', 'bash').out);
    const lines = [
      `cd '${folder}'; source '${script}'`,
      `COMP_WORDS=(afloat ${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`,
      '_afloat; printf "%s\\n" "${COMPREPLY[@]}"',
    ];
    return start('bash', ['--norc', '-c', lines.join('\n')])
      .out.split('\n')
      .slice(0, -1);
  }

  test('of bash completes commands', () => {
    expect(offers('')).toEqual(expect.arrayContaining(commands.map(({ name }) => name)));
    expect(offers('pl')).toEqual(['plan']);
    expect(offers('help', 'val')).toEqual(['validate']);
  });

  test('of bash completes options, their values and shells', () => {
    expect(offers('plan', '--f')).toEqual(['--from']);
    expect(offers('plan', '-o', '')).toEqual(['text', 'json', 'yaml', 'markdown']);
    expect(offers('explain', '--output', 'y')).toEqual(['yaml']);
    expect(offers('rollback', 'keystone', '--w')).toEqual(['--wait']);
    expect(offers('retry', 'keystone', '--y')).toEqual(['--yes']);
    expect(offers('push', '--k')).toEqual(['--kubeconfig']);
    expect(offers('completion', '')).toEqual(['--help', 'bash', 'zsh', 'fish']);
  });

  test('of bash completes files, with blanks in their names', () => {
    expect(offers('plan', 'a')).toEqual(['a file.yaml']);
    expect(offers('plan', '--from', 'a')).toEqual(['a file.yaml']);
    expect(offers('status', '--kubeconfig', 'a')).toEqual(['a file.yaml']);
    expect(offers('plan', '--contract', 'a')).toEqual(['']);
  });

  test('of fish completes', context => {
    if (!isThere('fish')) context.skip('fish is not installed here');
    const line = `'${process.execPath}' '${afloat}' completion fish | source; complete -C 'afloat plan -o y'`;
    expect(start('fish', ['--no-config', '-c', line]).out).toMatch(/^yaml\t/);
  });
});

describe('the guide', () => {
  const pages = readdirSync(join(root, 'docs', 'guide')).filter(name => name !== 'README.md');

  // A whole cloud is walked through, process by process, on a machine that may have other work.
  test.each(pages)('%s shows what happens', { timeout: 300_000 }, name => {
    const home = mkdtempSync(join(folder, 'guide-'));
    const commands = runPage(`docs/guide/${name}`, { folder: home, program: afloat });
    expect(commands.filter(({ line }) => line.includes('afloat ')).length).toBeGreaterThan(3);
    for (const { line, shown, printed } of commands) {
      const isRight = isShownBy(shown, printed);
      expect(isRight ? '' : `$ ${line}\n${printed}`, `${name} shows\n${shown.join('\n')}`).toBe('');
    }
  });

  test.each(pages)('%s is in the index', name => {
    expect(readFileSync(join(root, 'docs', 'guide', 'README.md'), 'utf8')).toContain(`](${name})`);
  });
});

test('the commands of README.md work', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const lines = [...text.matchAll(/^npx (afloat [^#\n]*)/gm)].map(match => match[1] ?? '');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect([0, 2], line).toContain(shell(line).code);
});
