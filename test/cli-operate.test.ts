/** The commands for a running world, as a person or a pipeline calls them. What they print was computed by `status`. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CodedError } from '../src/base/coded-error.ts';
import { commands } from '../src/cli/commands.ts';
import { exitCodes } from '../src/cli/exit-codes.ts';
import type { Screen } from '../src/cli/terminal.ts';
import { viewOf } from '../src/status/status.ts';
import { at } from '../src/testing/a-cloud.ts';
import { runAfloat } from './cli/run-afloat.ts';
import { scriptedApp, snapshotOf, unreachableApp } from './cli/scripted-app.ts';

const run = (line: string, app = scriptedApp(['all well'])) => runAfloat(line.split(' '), { app });

/** A person before a screen who always says the same. */
function person(answer: boolean): Screen & { readonly drawn: string[]; readonly asked: string[] } {
  const drawn: string[] = [];
  const asked: string[] = [];
  return {
    drawn,
    asked,
    redraw: lines => void drawn.push(lines.join('\n')),
    ask: async question => {
      asked.push(question);
      return answer;
    },
  };
}

const examples = commands.flatMap(({ needsWorld, examples: lines }) =>
  needsWorld ? lines.map(({ line }) => line) : [],
);
test.each(examples)('the example of the help works: %s', async line => {
  const app = scriptedApp(['held after rollback', 'all well']);
  const { code, err } = await runAfloat(line.split(' ').slice(1), { app });
  const well = line.startsWith('afloat diff keystone') ? exitCodes.refused.code : exitCodes.ok.code; // no such revisions here
  const ends = line.includes('watch') || line.includes('--wait') ? exitCodes.undone.code : well;
  expect({ code, err }).toEqual({ code: ends, err });
  expect(app.calls.length).toBeGreaterThan(0);
});

test('every command says where the world is looked for, and lets go of it', async () => {
  const app = scriptedApp(['all well']);
  await run('status --state /tmp/x -n north', app);
  expect(app.calls).toEqual(['connect {"state":"/tmp/x","namespace":"north"}', 'close']);
});

test.each(['status', 'watch', 'retry keystone', 'history', 'apply cloud.yaml'])(
  'where nothing runs, %s says so and what to do',
  async line => {
    const { code, err } = await runAfloat(line.split(' '), { app: unreachableApp() });
    expect(code).toBe(exitCodes.unavailable.code);
    expect(err).toContain('NotUp');
    expect(err).toContain('afloat up');
  },
);

describe('status', () => {
  test('for programs is the view itself', async () => {
    const { out } = await run('status -o json', scriptedApp(['soaking']));
    expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(snapshotOf('soaking').view)));
    expect(parse((await run('status -o yaml')).out)).toMatchObject({ cloud: 'north' });
  });

  test('begins with the five facts', async () => {
    const { out } = await run('status', scriptedApp(['held after rollback']));
    const names = ['Serving now', 'Requests fail?', 'Safe until morning?', 'Next by itself', 'Recommended'];
    const places = names.map(name => out.indexOf(`\n${name}`));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });
});

describe('watch', () => {
  test('writes a line for whatever changed, and tells by its exit code how it ended', async () => {
    const app = scriptedApp([
      'running upgrade',
      'running upgrade',
      'going back by itself',
      'held after rollback',
    ]);
    const { code, out } = await run('watch', app);
    expect(code).toBe(exitCodes.undone.code);
    await expect(out).toMatchFileSnapshot('cli/testdata/watch of an upgrade that is rolled back.golden');
  });

  test('draws in place on a screen', async () => {
    const screen = person(true);
    const { code, out } = await runAfloat(['watch'], {
      app: scriptedApp(['running upgrade', 'soaking']),
      screen,
    });
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(screen.drawn).toHaveLength(2);
    expect(screen.drawn[0]).toContain('[#####...............] 2/8');
  });

  test('goes on while a person is waited for', async () => {
    const { code, out } = await run(
      'watch',
      scriptedApp(['waiting for approval', 'running upgrade', 'all well']),
    );
    expect(code).toBe(0);
    expect(out).toContain('WaitingForApproval');
  });
});

describe('what changes something', () => {
  test.each(['pause', 'resume', 'abort', 'rollback keystone', 'retry keystone', 'approve', 'down --all'])(
    'afloat %s asks, and does nothing without a yes',
    async line => {
      for (const { answer, code } of [
        { answer: true, code: exitCodes.ok.code },
        { answer: false, code: exitCodes.waiting.code },
      ]) {
        const app = scriptedApp(['running upgrade']);
        const screen = person(answer);
        const ran = await runAfloat(line.split(' '), { app, screen });
        expect(ran.code).toBe(code);
        expect(ran.err).toContain('leads to');
        expect(screen.asked).toHaveLength(1);
        expect(app.done).toHaveLength(answer ? 1 : 0);
      }
    },
  );

  test.each([
    'pause',
    'resume',
    'abort keystone',
    'rollback keystone',
    'retry keystone',
    'approve',
    'down --all',
  ])('without a terminal afloat %s is refused unless it says --yes', async line => {
    const app = scriptedApp(['running upgrade']);
    const { code, err } = await run(line, app);
    expect(code).toBe(exitCodes.usage.code);
    expect(err).toContain('--yes');
    expect(app.done).toEqual([]);
    expect((await run(`${line} --yes`, app)).code).toBe(0);
    expect(app.done).toHaveLength(1);
  });

  test('approve hands over all that was named', async () => {
    const app = scriptedApp(['waiting for approval']);
    await run(
      'approve north-2 --digest abc --consent a=purge --consent b=restore --stage x --answer k:restore=no --cut k=3',
      app,
    );
    expect(app.calls[1]).toBe(
      'approve {"plan":"north-2","digest":"abc","consents":["a=purge","b=restore"],"stages":["x"],"answers":["k:restore=no"],"cuts":["k=3"]}',
    );
  });

  test('rollback takes the number of a revision and nothing else', async () => {
    const app = scriptedApp(['all well']);
    await run('rollback keystone --to 3 --yes', app);
    expect(app.calls[1]).toBe('rollback "keystone" 3');
    expect((await run('rollback keystone --to three', app)).code).toBe(exitCodes.usage.code);
  });
});

describe('apply', () => {
  test('returns at once where there is no terminal', async () => {
    const app = scriptedApp(['waiting for approval']);
    const { code, out } = await run('apply cloud.yaml -m patch', app);
    expect(code).toBe(0);
    expect(out).toContain('north in namespace openstack: applied, generation 2');
    expect(app.calls[1]).toBe('apply ["cloud.yaml"] "patch"');
  });

  test('with --wait ends where a person is needed, and says so', async () => {
    const { code } = await run('apply cloud.yaml --wait', scriptedApp(['waiting for approval', 'all well']));
    expect(code).toBe(exitCodes.waiting.code);
  });

  test('with --approve --wait approves the digest of the plan and follows it', async () => {
    const app = scriptedApp(['waiting for approval', 'waiting for approval', 'running upgrade', 'soaking']);
    const { code } = await run('apply cloud.yaml --approve --wait', app);
    expect(code).toBe(0);
    expect(app.done).toEqual(['approve']);
    expect(app.calls.find(call => call.startsWith('approve'))).toContain(
      snapshotOf('waiting for approval').view.plan?.digest,
    );
  });

  test('with --approve alone returns once it is approved', async () => {
    const app = scriptedApp([
      'a record that nobody has looked at',
      'waiting for approval',
      'running upgrade',
    ]);
    const { code } = await run('apply cloud.yaml --approve', app);
    expect({ code, done: app.done }).toEqual({ code: 0, done: ['approve'] });
  });

  test('follows what the record was changed to meanwhile, and says so', async () => {
    const newer = snapshotOf('all well');
    const { record } = newer.objects;
    if (!record) throw new TypeError('the story has a record');
    const { metadata, status } = record;
    const changed = {
      ...record,
      metadata: { ...metadata, generation: 3 },
      status: { ...status, observedGeneration: 3 },
    };
    const app = scriptedApp([], {
      follow: async function* () {
        yield snapshotOf('running upgrade');
        yield { ...newer, objects: { ...newer.objects, record: changed } };
      },
    });
    const { code, out, err } = await run('apply cloud.yaml --wait -o json', app);
    expect(code).toBe(0);
    expect(err).toContain('generation 3');
    expect(JSON.parse(out)).toMatchObject({ generation: 2, followed: 3, outcome: 'done' });
  });

  test.each(['--wait', '--approve'])('with %s gives up where nothing carries it out', async option => {
    const unseen = snapshotOf('a record that nobody has looked at').objects;
    const app = scriptedApp([], {
      follow: async function* () {
        for (const minute of ['02:00', '02:01', '02:02']) {
          const objects = { ...unseen, now: at(minute), operator: { state: 'none' } as const };
          yield { objects, view: viewOf(objects) };
        }
        throw new TypeError('followed for too long');
      },
    });
    const { code, err } = await run(`apply cloud.yaml ${option}`, app);
    expect(code).toBe(exitCodes.unavailable.code);
    expect(err).toContain('(OperatorMissing)');
  });

  test('on a terminal shows the plan and asks', async () => {
    for (const answer of [true, false]) {
      const app = scriptedApp(['waiting for approval', 'running upgrade', 'all well']);
      const screen = person(answer);
      const { code, err } = await runAfloat(['apply', 'cloud.yaml'], { app, screen });
      expect(err).toContain('Plan for north');
      expect(screen.asked).toEqual(['Approve this plan?']);
      expect(code).toBe(answer ? exitCodes.ok.code : exitCodes.waiting.code);
      expect(app.done).toEqual(answer ? ['approve'] : []);
    }
  });

  test('prints findings and writes nothing', async () => {
    const finding = { code: 'NoRecord' as const, message: 'there is none', advice: 'Name one.' };
    const app = scriptedApp(['all well'], { apply: async () => ({ findings: [finding], refused: false }) });
    const { code, err } = await run('apply cloud.yaml', app);
    expect(code).toBe(exitCodes.invalid.code);
    expect(err).toContain('there is none');
  });
});

describe('apply of a record that asks for what is held', () => {
  const waiting = [
    {
      service: 'keystone',
      reason: 'HeldAfterRollback' as const,
      message: '22.0.1 was rolled back here; keystone stays at 22.0.0.',
      advice: 'Change the record, or try the same again: afloat retry keystone',
    },
  ];
  const held = (changed: boolean, stories: readonly string[] = ['held after rollback']) =>
    scriptedApp(stories, {
      apply: async () => ({
        ...{ cloud: 'north', namespace: 'openstack', generation: 2, changed, packages: 2, waiting },
        formerPlans: snapshotOf('held after rollback').objects.plans.map(({ metadata }) => metadata.name),
      }),
    });

  test.each(['apply cloud.yaml', 'apply cloud.yaml --wait', 'apply cloud.yaml --approve --wait'])(
    'afloat %s says what will not happen and which command helps, and that a person is needed',
    async line => {
      const { code, out } = await run(line, held(false));
      expect(code).toBe(exitCodes.waiting.code);
      expect(out).toContain('keystone will not be changed: 22.0.1 was rolled back here');
      expect(out).toContain('afloat retry keystone');
    },
  );

  test('tells programs the same', async () => {
    const { code, out } = await run('apply cloud.yaml -o json', held(false));
    expect(code).toBe(exitCodes.waiting.code);
    expect(JSON.parse(out)).toMatchObject({ changed: false, waiting: [{ service: 'keystone' }] });
    const followed = await run('apply cloud.yaml --wait -o json', held(true));
    expect(JSON.parse(followed.out)).toMatchObject({ outcome: 'waiting', followed: 2, waiting });
  });
});

describe('rollback', () => {
  const back = (stories: readonly string[]) =>
    scriptedApp(stories, {
      rollback: async () => ({
        says: ['traffic moves back'],
        asks: true,
        leadsTo: { flows: ['north-2-keystone-upgrade'] },
        carryOut: async () => ['moving'],
      }),
    });

  test('with --wait follows the way back to its end: the service is held, and that is what was wanted', async () => {
    const app = back(['soaking', 'going back by itself', 'held after rollback']);
    const { code, out } = await run('rollback keystone --yes --wait', app);
    expect(code).toBe(exitCodes.ok.code);
    expect(out).toContain('keystone Held, serves 22.0.0');
  });

  test('with --wait says when it did not come back', async () => {
    const app = back(['soaking', 'irreconcilable, the old version serves']);
    const { code, out } = await run('rollback keystone --yes --wait -o json', app);
    expect(code).toBe(exitCodes.undone.code);
    expect(JSON.parse(out)).toEqual({ says: ['traffic moves back'], done: ['moving'], outcome: 'undone' });
  });

  test('without a terminal returns at once', async () => {
    expect((await run('rollback keystone --yes', back(['soaking']))).out).toBe('moving\n');
  });
});

describe('for programs', () => {
  const lines = [
    ...['apply cloud.yaml', 'push cloud.yaml', 'status', 'history', 'diff', 'approve --yes', 'pause --yes'],
    ...['resume --yes', 'abort --yes', 'rollback keystone --yes', 'retry keystone --yes'],
  ];

  test.each(lines)('afloat %s says in the format that was asked for what stopped it', async line => {
    for (const format of ['json', 'yaml']) {
      const words = [...line.split(' '), '-o', format];
      const { code, out, err } = await runAfloat(words, { app: unreachableApp() });
      expect({ code, err }).toEqual({ code: exitCodes.unavailable.code, err: '' });
      expect(parse(out)).toMatchObject({
        findings: [
          { code: 'NotUp', message: expect.any(String), advice: expect.stringContaining('afloat up') },
        ],
      });
    }
  });

  test.each(['retry', 'rollback', 'abort', 'pause', 'resume', 'approve', 'down --all'])(
    'afloat %s asks nobody, and says so as a finding',
    async verb => {
      const app = scriptedApp(['running upgrade']);
      const service = verb === 'retry' || verb === 'rollback' ? ' keystone' : '';
      const { code, out, err } = await run(`${verb}${service} -o json`, app);
      expect({ code, err, done: app.done }).toEqual({ code: exitCodes.usage.code, err: '', done: [] });
      expect(JSON.parse(out).findings).toMatchObject([{ code: 'UsageInvalid' }]);
      const done = await run(`${verb}${service} -o json --yes`, app);
      expect({ code: done.code, err: done.err }).toEqual({ code: 0, err: '' });
      expect(JSON.parse(done.out)).toMatchObject({ says: [expect.any(String)], done: [expect.any(String)] });
    },
  );

  test.each([
    { words: ['status', '--nonsense', '-o', 'json'], what: 'nonsense' },
    { words: ['retry', '--output=json'], what: 'service' },
    { words: ['staus', '-o', 'json'], what: 'staus' },
  ])('a call nobody understands is a finding too: $words', async ({ words, what }) => {
    const { code, out, err } = await runAfloat(words, { app: scriptedApp(['all well']) });
    expect({ code, err }).toEqual({ code: exitCodes.usage.code, err: '' });
    const { findings } = JSON.parse(out);
    expect(findings).toMatchObject([{ code: 'UsageInvalid', message: expect.stringContaining(what) }]);
  });

  test('what is not fit for what runs has an exit of its own', async () => {
    const app = scriptedApp(['all well'], {
      retry: async () => {
        throw new CodedError('NotNow', 'keystone is not held', { details: { service: 'keystone' } });
      },
    });
    const { code, out } = await run('retry keystone -o json', app);
    expect(code).toBe(exitCodes.refused.code);
    expect(JSON.parse(out).findings).toMatchObject([{ code: 'NotNow', details: { service: 'keystone' } }]);
  });
});

describe('push', () => {
  test('names every package with its digest, and where it is', async () => {
    const app = scriptedApp(['all well']);
    const { code, out } = await run('push cloud.yaml', app);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'aaaaaaaaaaaa a/1\n1 package is in namespace openstack\n',
    });
    expect(app.calls[1]).toBe('push ["cloud.yaml"]');
  });
});

describe('what only shows', () => {
  test('status of one service leaves the others out, and says of an unknown one which there are', async () => {
    const { out } = await run('status keystone -o json');
    expect(JSON.parse(out).services).toMatchObject([{ name: 'keystone' }]);
    const none = await run('status glance');
    expect(none.code).toBe(exitCodes.refused.code);
    expect(none.err).toContain('keystone');
  });

  test('logs have the pod before each line, and what steers a terminal is shown', async () => {
    const app = scriptedApp(['all well']);
    const { out } = await run('logs keystone --task test -f -p', app);
    expect(out).toBe('keystone-1/api ready\\u001b[31m\n');
    expect(app.calls[1]).toBe(
      'logs {"service":"keystone","task":"test","follow":true,"previous":true,"timestamps":false}',
    );
  });

  test('logs from some time ago on ask for that, and a duration that is none is refused', async () => {
    const app = scriptedApp(['all well']);
    const before = Date.now();
    await run('logs keystone --since 1h30m -t', app);
    const asked = JSON.parse(app.calls[1]?.replace('logs ', '') ?? '');
    expect(asked).toMatchObject({ timestamps: true });
    expect(Date.parse(asked.since)).toBeGreaterThanOrEqual(before - 5400_000);
    expect(Date.parse(asked.since)).toBeLessThanOrEqual(Date.now() - 5400_000);
    const wrong = await run('logs keystone --since yesterday');
    expect(wrong.code).toBe(exitCodes.usage.code);
    expect(wrong.err).toContain('10m');
  });

  test('history is a table, the newest first', async () => {
    const { out } = await run('history', scriptedApp(['held after rollback']));
    await expect(out).toMatchFileSnapshot('cli/testdata/history.golden');
    expect((await run('history glance')).out).toBe('Nothing has happened yet.\n');
  });

  test('diff of the record against what runs', async () => {
    expect((await run('diff')).out).toBe(
      'keystone: serves 22.0.0, the record says 22.0.1\n  ~ Deployment/keystone-<slice> its image\n',
    );
    expect((await run('diff keystone 3')).code).toBe(exitCodes.usage.code);
    expect((await run('diff keystone 3 3')).out).toContain('nothing differs');
  });

  test('doctor says of each thing whether it is well, and of what is not what to do', async () => {
    const well = await run('doctor');
    expect(well.code).toBe(0);
    expect(well.out).toContain('ok       node: version 20\n');
    const ill = await run('doctor', scriptedApp(['withdrawn']));
    expect(ill.code).toBe(exitCodes.waiting.code);
    expect(ill.out).toContain('failed   requests');
    const none = await runAfloat(['doctor', '-o', 'json'], { app: unreachableApp() });
    expect(none.code).toBe(exitCodes.waiting.code);
    expect(JSON.parse(none.out).checks.at(-1)).toMatchObject({ name: 'world', state: 'failed' });
  });

  test('what a person must know of the world is one line beside the result; a doctor says it as a check', async () => {
    const app = scriptedApp(['nothing there']);
    const check = async () => [{ name: 'definitions', state: 'failed', says: 'they are older' } as const];
    const warned = {
      ...app,
      connect: async () => ({
        ...(await app.connect({})),
        ...{ warning: 'the definitions are older', check },
      }),
    };
    const history = await runAfloat(['history', '-o', 'json'], { app: warned });
    expect(history.err).toBe('warning: the definitions are older\n');
    JSON.parse(history.out);
    const doctor = await runAfloat(['doctor', '-o', 'json'], { app: warned });
    expect(doctor.err).toBe('');
    expect(doctor.code).toBe(exitCodes.waiting.code);
    expect(JSON.parse(doctor.out).checks).toContainEqual(await check().then(([one]) => one));
  });
});
