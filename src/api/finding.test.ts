import { describe, expect, test } from 'vitest';
import { errorCatalog } from './error-catalog.ts';
import { finding, findingOf, formatPath } from './finding.ts';

describe('a path', () => {
  test.each<[string, (string | number)[]]>([
    ['', []],
    ['spec', ['spec']],
    ['spec.services[0].name', ['spec', 'services', 0, 'name']],
    ['[0]', [0]],
    ['labels["app.kubernetes.io/name"]', ['labels', 'app.kubernetes.io/name']],
    ['values["a\\"b"]', ['values', 'a"b']],
    ['values[""]', ['values', '']],
    ['host-groups', ['host-groups']],
  ])('is written %s', (want, path) => {
    expect(formatPath(path)).toBe(want);
  });
});

describe('a finding', () => {
  test("has the catalogue's advice, unless there is better", () => {
    expect(finding('NoRecord', 'x').advice).toBe(errorCatalog.NoRecord.advice);
    expect(finding('NoRecord', 'x', {}, 'Do this.').advice).toBe('Do this.');
  });

  test('of a problem says where it is', () => {
    const problem = {
      code: 'FieldMissing',
      path: ['spec', 'services', 2, 'version'],
      message: 'is missing',
    } as const;
    expect(findingOf(problem, { file: 'cloud.yaml', line: 7, column: 3 })).toMatchObject({
      code: 'FieldMissing',
      field: 'spec.services[2].version',
      file: 'cloud.yaml',
      line: 7,
      column: 3,
    });
  });

  test('of a slip of the pen names what was meant', () => {
    const unknown = {
      code: 'FieldUnknown',
      path: ['spec', 'servces'],
      message: 'x',
      written: 'servces',
    } as const;
    expect(findingOf({ ...unknown, candidates: ['services', 'stages'] }, {}).advice).toContain('`services`');
    expect(findingOf({ ...unknown, candidates: ['approval'] }, {}).advice).toBe(
      errorCatalog.FieldUnknown.advice,
    );
  });
});
