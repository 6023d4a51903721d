/** Every command as a person or a pipeline calls it. What it prints was computed by a stage that has tests of its own. */
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { plainPaint } from '../src/base/paint.ts';
import { clusterCommands } from '../src/cli/cluster-commands.ts';
import { colours } from '../src/cli/colours.ts';
import { commands } from '../src/cli/commands.ts';
import { exitCodes } from '../src/cli/exit-codes.ts';
import { runProgram } from '../src/cli/program.ts';
import type { Terminal } from '../src/cli/terminal.ts';
import { stateAfter } from './cli/example-state.ts';
import { root, runAfloat } from './cli/run-afloat.ts';

const cloud = 'examples/cloud.yaml';
const patched = 'examples/cloud-patched.yaml';
const running = 'examples/state-running.yaml';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat cli ')); // a blank, because people have them
});
afterEach(() => rm(folder, { recursive: true }));

describe('help', () => {
  test.each(commands)('of $name has what it does, its options and an example', async ({ name, ...facts }) => {
    const { code, out, err } = await runAfloat([name, '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Usage: afloat ${name}`);
    for (const { flags } of facts.options) expect(out).toContain(flags);
    for (const { line } of facts.examples) expect(out).toContain(`$ ${line}`);
    expect(facts.examples.length).toBeGreaterThan(0);
    expect(await runAfloat(['help', name])).toEqual({ code, out, err });
  });

  const examples = commands
    .filter(({ needsWorld }) => needsWorld !== true) // those are tried in cli-operate.test.ts
    .filter(({ name }) => !clusterCommands.some(one => one.name === name)) // no test reaches for a cluster of this machine's user
    .flatMap(({ examples: lines }) => lines.map(({ line }) => line));
  test.each(examples.filter(line => line.startsWith('afloat')))('says what works: %s', async line => {
    const words = line.split(' ').slice(1);
    // What writes is tried elsewhere than in this repository.
    const { code, err } = await runAfloat(words, words[0] === 'init' ? { folder } : {});
    expect([exitCodes.ok.code, exitCodes.changes.code], err).toContain(code);
  });

  test('without a command lists all of them, and every exit code', async () => {
    const { code, out, err } = await runAfloat([]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const { name } of commands) expect(out).toContain(`  ${name} `);
    for (const exit of Object.values(exitCodes)) expect(out).toMatch(new RegExp(`^  ${exit.code} `, 'm'));
  });
});

describe('a call nobody understands', () => {
  test.each([
    { name: 'a command that is misspelt', words: ['pln', cloud], suggests: 'plan' },
    {
      name: 'a command that is misspelt, after an option',
      words: ['--verbose', 'vlidate'],
      suggests: 'validate',
    },
    { name: 'help for a command that is misspelt', words: ['help', 'expain'], suggests: 'explain' },
    { name: 'an option that is misspelt', words: ['plan', cloud, '--form', running], suggests: '--from' },
    { name: 'a format that is not there', words: ['plan', cloud, '-o', 'xml'], suggests: 'markdown' },
    { name: 'a shell that is not known', words: ['completion', 'tcsh'], suggests: 'fish' },
    { name: 'no file', words: ['plan'], suggests: 'files' },
    { name: 'a word too many', words: ['version', 'now'], suggests: 'afloat help' },
    { name: 'a name that is none', words: ['init', '--name', 'North Cloud'], suggests: 'small letters' },
  ])('$name', async ({ words, suggests }) => {
    const { code, out, err } = await runAfloat(words, { folder: root });
    expect({ code, out }).toEqual({ code: exitCodes.usage.code, out: '' });
    expect(err).toContain(suggests);
    expect(err).toContain('afloat help');
  });
});

describe('plan', () => {
  test.each([
    { name: 'changes', words: [cloud], exit: 'changes' },
    { name: 'nothing to do', words: [cloud, '--from', running], exit: 'ok' },
    { name: 'wrong input', words: ['nowhere.yaml'], exit: 'invalid' },
    { name: 'no plan', words: [cloud, '--contract', 'identity'], exit: 'refused' },
  ] as const)('ends with a code of its own for $name', async ({ words, exit }) => {
    for (const format of ['text', 'json', 'yaml', 'markdown']) {
      const { code } = await runAfloat(['plan', ...words, '-o', format]);
      expect(code).toBe(exitCodes[exit].code);
    }
  });

  test('says the same as JSON and as YAML, and nothing beside it', async () => {
    const json = await runAfloat(['plan', patched, '--from', running, '-o', 'json']);
    const yaml = await runAfloat(['plan', patched, '--from', running, '-o', 'yaml']);
    expect(parse(yaml.out)).toEqual(JSON.parse(json.out));
    expect(JSON.parse(json.out)).toMatchObject({
      digest: expect.stringMatching(/^sha256:/),
      plan: { steps: [{ service: 'identity', flow: 'upgrade' }] },
    });
    expect(json.err + yaml.err).toBe('');
  });

  test('as Markdown is for a pull request: a heading, the service, the digest', async () => {
    const { out, err } = await runAfloat(['plan', patched, '--from', running, '-o', 'markdown']);
    const json = await runAfloat(['plan', patched, '--from', running, '-o', 'json']);
    expect(out).toMatch(/^#+ /);
    expect(out).toContain('identity');
    expect(out).toContain(JSON.parse(json.out).digest.slice('sha256:'.length, 'sha256:'.length + 12));
    expect(err).toBe('');
  });

  test('says when it was made without knowing what runs', async () => {
    expect((await runAfloat(['plan', cloud])).err).toContain('as if nothing runs yet');
  });

  test('takes the record from standard input, with packages from this folder', async () => {
    const stdin = await readFile(cloud, 'utf8');
    const piped = await runAfloat(['plan', '-'], { folder: join(root, 'examples'), stdin });
    expect(piped).toEqual(await runAfloat(['plan', cloud]));
  });

  test('takes the state from standard input', async () => {
    const stdin = await readFile(running, 'utf8');
    expect(await runAfloat(['plan', patched, '--from', '-'], { stdin })).toEqual(
      await runAfloat(['plan', patched, '--from', running]),
    );
  });

  test('takes a folder, odd names, Windows line ends and a byte order mark', async () => {
    const text = await readFile(cloud, 'utf8');
    await symlink(join(root, 'examples', 'packages'), join(folder, 'packages'));
    const file = join(folder, 'wölkchen (1) ☁.yaml');
    await writeFile(file, `\uFEFF${text.replaceAll('\n', '\r\n')}`);
    const plain = await runAfloat(['plan', cloud]);
    expect(await runAfloat(['plan', file])).toEqual(plain);
    expect(await runAfloat(['plan', folder])).toEqual(plain);
  });

  test('of a contract is a plan of its own, once there is one to offer', async () => {
    const upgraded = join(folder, 'cloud.yaml');
    const text = await readFile(cloud, 'utf8');
    await symlink(join(root, 'examples', 'packages'), join(folder, 'packages'));
    await writeFile(upgraded, text.replace('identity, version: "1.0.0"', 'identity, version: "2.0.0"'));
    const state = join(folder, 'state.json');
    await writeFile(state, JSON.stringify(await stateAfter(upgraded, running)));
    const rest = await runAfloat(['plan', upgraded, '--from', state, '-o', 'json']);
    expect({ code: rest.code, steps: JSON.parse(rest.out).plan.steps }).toEqual({ code: 0, steps: [] });
    const contract = await runAfloat([
      ...['plan', upgraded, '--from', state],
      ...['--contract', 'identity', '-o', 'json'],
    ]);
    expect(contract.code).toBe(exitCodes.changes.code);
    expect(JSON.parse(contract.out).plan.steps).toMatchObject([{ service: 'identity', flow: 'contract' }]);
  });
});

describe('findings', () => {
  const bad = 'test/bad-inputs/testdata/records/dependency that is not there.yaml';

  test.each(['plan', 'validate', 'explain'])('of %s are a value for programs', async command => {
    const json = await runAfloat([command, bad, '-o', 'json']);
    const yaml = await runAfloat([command, bad, '-o', 'yaml']);
    expect(JSON.parse(json.out).findings).toMatchObject([
      { code: 'ReferenceUnknown', file: bad, line: 7, column: 52, field: 'spec.services[0].dependsOn[0]' },
      { code: 'ReferenceUnknown', file: bad, line: 8, column: 52, field: 'spec.services[1].dependsOn[0]' },
    ]);
    expect(parse(yaml.out)).toEqual(JSON.parse(json.out));
    expect({ code: json.code, err: json.err }).toEqual({ code: exitCodes.invalid.code, err: '' });
  });

  test('name files that can be opened from here', async () => {
    const { out } = await runAfloat([
      ...['validate', 'test/bad-inputs/testdata/records/value that nobody gives.yaml'],
      ...['-o', 'json'],
    ]);
    const files: string[] = JSON.parse(out).findings.map((found: { file: string }) => found.file);
    for (const file of files) expect(await readFile(file, 'utf8')).toContain('${values.port}');
    expect(files).toHaveLength(4);
  });

  test('show what would steer a terminal, and do not send it there', async () => {
    const stdin = 'apiVersion: openstacklcm.airshipit.org/v1alpha1\nkind: "a\\e[31mb\\x9bc"\n';
    const { out } = await runAfloat(['validate', '-'], { stdin });
    expect(out).toContain('a\\u001b[31mb\\u009bc');
    expect([...out].filter(sign => sign !== '\n' && /\p{Cc}/u.test(sign))).toEqual([]);
  });
});

describe('validate', () => {
  test('names what it looked at', async () => {
    const { code, out, err } = await runAfloat(['validate', cloud]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const name of ['north', 'database', 'identity', 'image', 'compute']) expect(out).toContain(name);
  });

  test.each(['examples/packages/identity/2.0.0', 'examples/packages/identity/2.0.0/lifecycle.yaml'])(
    'takes the package %s',
    async path => {
      expect(await runAfloat(['validate', path])).toMatchObject({
        code: 0,
        out: 'valid: package identity 2.0.0\n',
      });
    },
  );

  test('as JSON says yes or no in one word', async () => {
    const { out } = await runAfloat(['validate', cloud, '-o', 'json']);
    expect(JSON.parse(out)).toEqual({ valid: true, findings: [], warnings: [] });
  });

  test('warns of fields that are kept without a meaning, and accepts them', async () => {
    const stdin = [
      'apiVersion: openstacklcm.airshipit.org/v1alpha1',
      'kind: TestPhase',
      'metadata: { name: a }',
      'spec:',
      '  openstackServiceName: keystone',
      '  source: { type: tar, location: keystone.tar }',
      '  targetSate: tested',
    ].join('\n');
    const { code, err } = await runAfloat(['validate', '-'], { stdin });
    expect({ code, warning: err.startsWith('warning <stdin>:7:3: ') }).toEqual({ code: 0, warning: true });
  });
});

describe('explain', () => {
  const handOvers = ['Manifest', 'ResolvedRecord', 'ServicePackage', 'ObservedState', 'Plan', 'Flow'];

  test('of a record prints each hand-over of the walk, in order', async () => {
    const { code, out, err } = await runAfloat(['explain', cloud]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect([...out.matchAll(/^== (\w+):/gm)].map(match => match[1])).toEqual(handOvers);
  });

  test('of a record is a value for programs, the same in both formats', async () => {
    const json = await runAfloat(['explain', patched, '--from', running, '-o', 'json']);
    const yaml = await runAfloat(['explain', patched, '--from', running, '-o', 'yaml']);
    const walk = JSON.parse(json.out);
    expect(Object.keys(walk)).toEqual(['manifests', 'record', 'packages', 'observed', 'plan', 'flows']);
    expect(walk.flows).toHaveLength(walk.plan.steps.length);
    expect(parse(yaml.out)).toEqual(walk);
  });

  test('of a package says where each of its objects belongs, and why', async () => {
    const path = 'examples/packages/compute/2.0.0';
    const { code, out } = await runAfloat(['explain', path]);
    expect(code).toBe(0);
    expect(out).toMatch(/^compute 2\.0\.0: /);
    const { objects } = JSON.parse((await runAfloat(['explain', path, '-o', 'json'])).out);
    for (const { object, because } of objects) {
      expect(out).toContain(object);
      expect(because).not.toBe('');
    }
    expect(objects.length).toBeGreaterThan(5);
  });
});

describe('init', () => {
  test('writes a cloud that validates and plans', async () => {
    const { code, out } = await runAfloat(['init', 'new cloud', '--name', 'north'], { folder });
    expect(code).toBe(0);
    const record = join(folder, 'new cloud', 'cloud.yaml');
    expect(out).toContain("afloat plan 'new cloud/cloud.yaml'");
    expect(await runAfloat(['validate', record])).toMatchObject({ code: 0 });
    const plan = await runAfloat(['plan', record, '-o', 'json']);
    expect(plan.code).toBe(exitCodes.changes.code);
    expect(JSON.parse(plan.out).plan).toMatchObject({ cloud: 'north' });
  });

  test('leaves alone what is there, and then writes nothing at all', async () => {
    await runAfloat(['init'], { folder });
    await writeFile(join(folder, 'cloud.yaml'), 'mine\n');
    await rm(join(folder, 'packages'), { recursive: true });
    const { code, out, err } = await runAfloat(['init'], { folder });
    expect({ code, out }).toEqual({ code: exitCodes.invalid.code, out: '' });
    expect(err).toContain('cloud.yaml');
    expect(await readdir(folder)).toEqual(['cloud.yaml']);
    expect(await readFile(join(folder, 'cloud.yaml'), 'utf8')).toBe('mine\n');
  });

  test('does not write through a link that leads nowhere', async () => {
    await symlink(join(folder, 'elsewhere'), join(folder, 'cloud.yaml'));
    expect(await runAfloat(['init'], { folder })).toMatchObject({ code: exitCodes.invalid.code });
    expect(await readdir(folder)).toEqual(['cloud.yaml']);
  });

  test('says so where it cannot write, and leaves nothing behind', async () => {
    await writeFile(join(folder, 'file'), '');
    await cp(join(folder, 'file'), join(folder, 'packages'));
    const below = await runAfloat(['init', 'file/cloud'], { folder });
    const half = await runAfloat(['init'], { folder });
    for (const { code, err } of [below, half]) {
      expect(code).toBe(exitCodes.invalid.code);
      expect(err).toContain('FileUnwritable');
    }
    expect((await readdir(folder)).sort()).toEqual(['file', 'packages']);
  });
});

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('of %s knows every command and every option', async shell => {
    const { out } = await runAfloat(['completion', shell]);
    const flags = commands.flatMap(({ name, options }) => [
      name,
      ...options.flatMap(option => option.flags.match(/--[\w-]+/)?.[0].slice(2) ?? []),
    ]);
    expect(flags.filter(flag => !out.includes(flag))).toEqual([]);
  });
});

describe('version', () => {
  test('is the one of package.json, however it is asked for', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const plain = await runAfloat(['version']);
    expect(plain.out).toBe(`afloat ${version} (Node ${process.versions.node})\n`);
    expect(await runAfloat(['--version'])).toEqual(plain);
    expect(await runAfloat(['-V'])).toEqual(plain);
    const json = await runAfloat(['version', '-o', 'json']);
    expect(JSON.parse(json.out)).toEqual({ afloat: version, node: process.versions.node });
  });
});

describe('a failure of Afloat itself', () => {
  const told: string[] = [];
  const broken: Terminal = {
    print: () => {
      throw new TypeError('the pen is broken');
    },
    tell: text => void told.push(text),
    paint: plainPaint,
    folder: root,
    readStdin: async () => '',
  };
  beforeEach(() => {
    told.length = 0;
  });

  test('is one line and what to do', async () => {
    expect(await runProgram(['version'], broken)).toBe('failed');
    expect(told.join('')).toMatch(/^afloat: the pen is broken \(Bug\)\n {4}.+--verbose\.\n$/);
  });

  test('shows the trace when it is asked for', async () => {
    expect(await runProgram(['version', '--verbose'], broken)).toBe('failed');
    expect(told.join('')).toMatch(/^ {4}at /m);
  });
});

test('colours change how a plan looks and not what it says', async () => {
  let painted = '';
  const exit = await runProgram(['plan', cloud], {
    print: text => {
      painted += text;
    },
    tell: () => undefined,
    paint: colours,
    folder: root,
    readStdin: async () => '',
  });
  const { out } = await runAfloat(['plan', cloud]);
  expect(exit).toBe('changes');
  expect(painted).not.toBe(out);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(painted.replaceAll(/\u001b\[\d+m/g, '')).toBe(out);
});
