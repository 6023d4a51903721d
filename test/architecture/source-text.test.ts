import { describe, expect, test } from 'vitest';
import { codeOf, freeNamesIn, importsOf } from './source-text.ts';

describe('code without comments and texts', () => {
  test.each([
    { says: 'a line comment', source: 'a; // Date\nb', gone: 'Date', kept: 'b' },
    { says: 'a block comment', source: '/** Date\n * process */ b', gone: 'process', kept: 'b' },
    { says: 'a string', source: "const a = 'Date'; b", gone: 'Date', kept: 'b' },
    { says: 'a string with an escaped quote', source: "a = 'it\\'s Date'; b", gone: 'Date', kept: 'b' },
    { says: 'the text of a template', source: `a = \`Date \${b} Date\`; c`, gone: 'Date', kept: 'b' },
    {
      says: 'a template in a template',
      source: `a = \`x \${f({ k: \`Date \${b}\` })} Date\`; c`,
      gone: 'Date',
      kept: 'c',
    },
    { says: 'a regular expression', source: 'a = /Date[/\'"]+/.test(b); c', gone: 'Date', kept: 'c' },
    { says: 'a regular expression after return', source: 'return /Date`/; c', gone: 'Date', kept: 'c' },
    { says: 'a comment that looks like a string', source: "// don't\nb; 'Date'", gone: 'Date', kept: 'b' },
    { says: 'a string that looks like a comment', source: "a = 'http://Date'; b", gone: 'Date', kept: 'b' },
    {
      says: 'wide characters before',
      source: "a = '\u{1F6A2}\u{1F6A2}'; 'Date'; b",
      gone: 'Date',
      kept: 'b',
    },
  ])('blanks $says', ({ source, gone, kept }) => {
    const code = codeOf(source);
    expect(code).not.toContain(gone);
    expect(code).toContain(kept);
    expect(code).toHaveLength(source.length);
  });

  test.each([
    { says: 'what a template inserts', source: `a = \`x \${Date.now()}\`;` },
    { says: 'what stands in braces inside a template', source: `a = \`\${f({ a: { b: Date } })} x\`;` },
    { says: 'code after a template with inserts', source: `a = \`\${b} x \${c}\`; { d } Date` },
    { says: 'a division', source: 'a = b / Date / 2;' },
    { says: 'code after a division', source: 'a = (b) / 2; Date; c / 3' },
    { says: 'code after a regular expression', source: 'a = x.match(/[`]/g); Date' },
  ])('keeps $says', ({ source }) => {
    expect(codeOf(source)).toContain('Date');
  });
});

describe('imports', () => {
  test.each([
    { source: "import { a } from './a.ts';", want: [{ specifier: './a.ts', typeOnly: false }] },
    { source: "import type { A } from './a.ts';", want: [{ specifier: './a.ts', typeOnly: true }] },
    { source: "import { type A, type B } from './a.ts';", want: [{ specifier: './a.ts', typeOnly: true }] },
    { source: "import { type A, b } from './a.ts';", want: [{ specifier: './a.ts', typeOnly: false }] },
    { source: "import {\n  a,\n  b,\n} from './a.ts';", want: [{ specifier: './a.ts', typeOnly: false }] },
    { source: "import * as a from 'yaml';", want: [{ specifier: 'yaml', typeOnly: false }] },
    { source: "import a, { b } from 'yaml';", want: [{ specifier: 'yaml', typeOnly: false }] },
    { source: "import './a.ts';", want: [{ specifier: './a.ts', typeOnly: false }] },
    { source: "await import('./a.ts');", want: [{ specifier: './a.ts', typeOnly: false }] },
    { source: "export { a } from './a.ts';", want: [{ specifier: './a.ts', typeOnly: false }] },
    { source: "export * from './a.ts';", want: [{ specifier: './a.ts', typeOnly: false }] },
    { source: "export type { A } from './a.ts';", want: [{ specifier: './a.ts', typeOnly: true }] },
    { source: "let x: import('./a.ts').A;", want: [{ specifier: './a.ts', typeOnly: false }] },
    { source: "// import { a } from './a.ts'", want: [] },
    { source: "const s = `import { a } from './a.ts'`;", want: [] },
    { source: "export const from = 1; f('./a.ts');", want: [] },
  ])('$source', ({ source, want }) => {
    expect(importsOf(source)).toEqual(want.map(one => ({ dynamic: /import\s*\(/.test(source), ...one })));
  });
});

describe('free names', () => {
  test.each([
    'Date.now()',
    'new Date()',
    'f(Date)',
    '[...Date]',
    'a ? Date : b',
    'let a: Date',
    'typeof Date',
  ])('%s uses it', code => {
    expect(freeNamesIn(code, ['Date'])).toEqual(['Date']);
  });
  test.each([
    'a.Date',
    'a?.Date',
    '{ Date: 1 }',
    'interface A { Date?: string }',
    'isDate',
    'DateText',
    '$Date',
  ])('%s does not', code => {
    expect(freeNamesIn(code, ['Date'])).toEqual([]);
  });
});
