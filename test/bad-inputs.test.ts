/**
 * Hands bad records, packages, states and calls to the program and looks at what a person gets: a documented exit code,
 * the place, advice, and neither a stack trace nor a secret.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Finding } from '../src/api/finding.ts';
import { type BadInput, secret } from './bad-inputs/bad-input.ts';
import { madeCases } from './bad-inputs/made-cases.ts';
import { callCases, packageCases } from './bad-inputs/other-cases.ts';
import { recordCases } from './bad-inputs/record-cases.ts';
import { runAfloat } from './cli/run-afloat.ts';

const folder = join(import.meta.dirname, 'bad-inputs', 'testdata');

/** No case may take long; this is no measure of speed, but the end of one that hangs. */
const hangs = 10_000;

describe('a bad record:', () => {
  test.each(recordCases)('$name', input => answers(input, folder), hangs);

  test('every file has its row', async () => {
    const files = await readdir(join(folder, 'records'));
    expect(files.sort()).toEqual(recordCases.map(({ name }) => `${name}.yaml`).sort());
  });
});

describe('a bad package:', () => {
  test.each(packageCases)('$name', input => answers(input, folder), hangs);
});

describe('a bad call:', () => {
  test.each(callCases)('$name', input => answers(input, folder), hangs);
});

describe('a bad input that is made:', () => {
  let made: string;
  beforeEach(async () => {
    made = await mkdtemp(join(tmpdir(), 'afloat-bad-'));
  });
  afterEach(() => rm(made, { recursive: true }));

  test.for(madeCases)('$name', { timeout: hangs }, async ({ make, skip, ...input }, context) => {
    if (skip !== undefined) context.skip(skip);
    await make(made);
    await answers(input, made);
  });
});

/** Calls the program twice, as a person and as a program would. */
async function answers(input: BadInput, from: string): Promise<void> {
  const { words, stdin = '', code } = input;
  const text = await runAfloat(words, { folder: from, stdin });
  const json = await runAfloat([...words, '-o', 'json'], { folder: from, stdin });
  const said = text.out + text.err;
  expect({ text: text.code, json: json.code }, said).toEqual({ text: code, json: code });
  for (const output of [said, json.out + json.err]) {
    expect(output).not.toMatch(/^ {4}at /m);
    expect(output).not.toContain(secret);
  }
  const findings = findingsIn(json.out, from);
  const found = findings.map(finding => shortly(finding, words[1]));
  expect(found).toEqual(input.andMore ? expect.arrayContaining([...input.want]) : input.want);
  for (const { code: name, message, advice } of findings) {
    expect(advice).toMatch(/^[A-Z].*[.?]$/);
    expect(said.replaceAll(`${from}/`, '')).toContain(message);
    expect(said).toContain(name);
  }
  if (input.suggests !== undefined)
    expect(findings.map(({ advice }) => advice).join('\n')).toContain(input.suggests);
}

function findingsIn(json: string, from: string): Finding[] {
  const { findings } = JSON.parse(json.replaceAll(`${from}/`, '')) as { findings: Finding[] };
  return findings;
}

/** `<code> <file> <line>:<column> <field>`, the file without the path that was named. */
function shortly({ code, file = '', line, column, field = '' }: Finding, named = ''): string {
  const near = file === named ? '' : file.replace(`${named}/`, '');
  const place = line === undefined ? '' : `${line}:${column}`;
  return [code, near, place, field].filter(part => part !== '').join(' ');
}
