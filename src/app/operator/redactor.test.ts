import { describe, expect, it } from 'vitest';
import { openLog } from './operator-log.ts';
import { Redactor, redacted } from './redactor.ts';

const secretOf = (data: Record<string, string>) => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' } },
  data: Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  ),
});

describe('what must not be read', () => {
  it.each([
    ['a password', { password: 'x' }, { password: redacted }],
    [
      'a token, however it is written',
      { apiToken: 'x', API_TOKEN: 1 },
      { apiToken: redacted, API_TOKEN: redacted },
    ],
    ['a field below others', { a: [{ clientSecret: 'x' }] }, { a: [{ clientSecret: redacted }] }],
    ['the content of a Secret', { kind: 'Secret', data: { a: 'x' } }, { kind: 'Secret', data: redacted }],
    [
      'nothing else',
      { kind: 'ConfigMap', key: 'a/b', data: { a: 'x' } },
      { kind: 'ConfigMap', key: 'a/b', data: { a: 'x' } },
    ],
  ])('is %s', (_, given, want) => {
    expect(new Redactor().clean(given)).toEqual(want);
  });

  it('is whatever was read from a Secret, plain or encoded, wherever it turns up', () => {
    const redactor = new Redactor();
    redactor.learn(secretOf({ key: 'hunter2-hunter2\n', small: 'yes' }));
    const encoded = Buffer.from('hunter2-hunter2\n').toString('base64');
    const line = `refused: "hunter2-hunter2" (${encoded}) yes`;
    expect(redactor.clean({ msg: line, more: [line] })).toEqual({
      msg: `refused: "${redacted}" (${redacted}) yes`,
      more: [`refused: "${redacted}" (${redacted}) yes`],
    });
  });

  it('is not what a ConfigMap holds', () => {
    const redactor = new Redactor();
    redactor.learn({ ...secretOf({ key: 'hunter2-hunter2' }), kind: 'ConfigMap' });
    expect(redactor.clean('hunter2-hunter2')).toBe('hunter2-hunter2');
  });
});

describe('the log', () => {
  const clock = { wall: () => Date.parse('2026-01-01T00:00:00Z') };
  const logTo = (lines: string[], format: 'json' | 'text' = 'json') => {
    const redactor = new Redactor();
    redactor.learn(secretOf({ key: 'hunter2-hunter2' }));
    return openLog({ level: 'info', format, redactor, clock, write: line => void lines.push(line) });
  };

  it('is one object a line, without secrets, from its level on', () => {
    const lines: string[] = [];
    const log = logTo(lines);
    log.debug('not this');
    log.warn('pass failed', { controller: 'flow', key: 'a/b', error: new Error('no hunter2-hunter2\nhere') });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\n]*\n$/);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      ...{
        time: '2026-01-01T00:00:00.000Z',
        level: 'warn',
        msg: 'pass failed',
        controller: 'flow',
        key: 'a/b',
      },
      error: `no ${redacted}\nhere`,
    });
  });

  it('is one line a line for people too', () => {
    const lines: string[] = [];
    logTo(lines, 'text').error('lost\nit', { key: 'a', seconds: 2 });
    expect(lines).toEqual(['2026-01-01T00:00:00.000Z error lost it key=a seconds=2\n']);
  });
});
