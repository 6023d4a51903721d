import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../base/json.ts';
import { type Parsed, parseYaml } from './parse-yaml.ts';

function objectsOf({ manifests }: Parsed): Json[] {
  return manifests.map(manifest => manifest.object);
}

/** Findings as `code line:column field`, the parts a program reads. */
function briefly({ findings }: Parsed): string[] {
  return findings.map(({ code, line, column, field }) =>
    [code, line === undefined ? '' : `${line}:${column}`, field ?? ''].join(' ').trim(),
  );
}

describe('parseYaml reads', () => {
  const rows: { name: string; text: string; want: Json[] }[] = [
    { name: 'one document', text: 'a: 1\n', want: [{ a: 1 }] },
    { name: 'several documents', text: 'a: 1\n---\nb: 2\n', want: [{ a: 1 }, { b: 2 }] },
    { name: 'past empty documents', text: '---\n---\na: 1\n---\n# nothing\n---\n', want: [{ a: 1 }] },
    { name: 'CRLF line ends', text: 'a: 1\r\nb: x\r\n', want: [{ a: 1, b: 'x' }] },
    { name: 'a byte order mark', text: '\uFEFFa: 1\n', want: [{ a: 1 }] },
    { name: 'JSON', text: '{"a": [1, null, true], "b": {}}', want: [{ a: [1, null, true], b: {} }] },
    {
      name: 'yes, on and dates as text',
      text: 'a: [yes, on, 2026-01-31]',
      want: [{ a: ['yes', 'on', '2026-01-31'] }],
    },
    {
      name: 'keys that look like numbers as text',
      text: '1: a\n1.10: b\ntrue: c\n',
      want: [{ 1: 'a', '1.10': 'b', true: 'c' }],
    },
    { name: 'an empty value as null', text: 'a:\nb: ~\n', want: [{ a: null, b: null }] },
    { name: 'tags of the core schema', text: 'a: !!str 1\nb: !!int "2"\n', want: [{ a: '1', b: 2 }] },
    { name: 'an alias', text: 'a: &x { k: 1 }\nb: *x\n', want: [{ a: { k: 1 }, b: { k: 1 } }] },
    {
      name: 'the last anchor before an alias',
      text: 'a: [&x 1, &x 2, *x, &x 3]',
      want: [{ a: [1, 2, 2, 3] }],
    },
    {
      name: 'a merge key, where own keys win',
      text: 'a: &x { k: 1, l: 2 }\nb: { <<: *x, l: 3 }\n',
      want: [{ a: { k: 1, l: 2 }, b: { k: 1, l: 3 } }],
    },
    {
      name: 'a list of merge keys, where the first wins',
      text: 'x: [&a { k: 1 }, &b { k: 2, l: 2 }]\ny: { <<: [*a, *b] }\n',
      want: [{ x: [{ k: 1 }, { k: 2, l: 2 }], y: { k: 1, l: 2 } }],
    },
    {
      name: 'a merge key in quotes as a name like any other',
      text: '"<<": { a: 1 }\n',
      want: [{ '<<': { a: 1 } }],
    },
    {
      name: 'a thousand aliases of one anchor',
      text: `a: &x { k: 1 }\nb: [${'*x,'.repeat(1000)}]`,
      want: [{ a: { k: 1 }, b: Array(1000).fill({ k: 1 }) }],
    },
    {
      name: 'sixty-four levels',
      text: `a: ${'['.repeat(63)}${']'.repeat(63)}`,
      want: [{ a: JSON.parse(`${'['.repeat(63)}${']'.repeat(63)}`) }],
    },
    {
      name: 'a long line of small maps',
      text: `a: [${'{b: 1, c: 2}, '.repeat(500)}]`,
      want: [{ a: Array(500).fill({ b: 1, c: 2 }) }],
    },
  ];
  it.each(rows)('$name', ({ text, want }) => {
    const parsed = parseYaml('a.yaml', text);
    expect(briefly(parsed)).toEqual([]);
    expect(objectsOf(parsed)).toEqual(want);
  });

  it('__proto__ as plain data that changes nothing', () => {
    const [manifest] = parseYaml(
      'a.yaml',
      '__proto__: { polluted: true }\nb: { <<: { __proto__: 1 } }\n',
    ).manifests;
    expect(Object.hasOwn(manifest?.object ?? {}, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(manifest?.object)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('the documents around a broken one', () => {
    const parsed = parseYaml('a.yaml', 'a: 1\n---\nb: ]\n---\nc: 3\n');
    expect(parsed.manifests.map(({ index }) => index)).toEqual([0, 2]);
    expect(briefly(parsed)).toEqual(['YamlSyntax 3:4']);
  });
});

describe('parseYaml finds', () => {
  const deep = 1_000_000;
  const rows: { name: string; text: string; want: string[] }[] = [
    { name: 'no text', text: '', want: ['FileEmpty'] },
    { name: 'nothing but comments', text: '# a\n---\n# b\n', want: ['FileEmpty'] },
    { name: 'nothing but blanks', text: ' '.repeat(1000), want: ['FileEmpty'] },
    { name: 'a NUL byte', text: 'a: 1\nb: \0\n', want: ['FileNotText 2:4'] },
    { name: 'a text without measure', text: 'a'.repeat(2 * 1024 * 1024 + 1), want: ['FileTooLarge'] },
    {
      name: 'every syntax error',
      text: 'a: [1\n---\nb: @x\nc: @y\n',
      want: ['YamlSyntax 2:1', 'YamlSyntax 3:4', 'YamlSyntax 4:4'],
    },
    { name: 'a tab as indentation', text: 'a:\n\tb: 1\n', want: ['YamlSyntax 2:1'] },
    { name: 'a key that is there twice', text: 'a:\n  b: 1\n  b: 2\n', want: ['FieldDuplicate 3:3 a.b'] },
    { name: 'a key that is a list', text: '? [a]\n: b\n', want: ['YamlSyntax 1:3'] },
    { name: 'an alias without anchor', text: 'a: *x\n', want: ['YamlSyntax 1:4 a'] },
    {
      name: 'a merge of something else than maps',
      text: 'a: { <<: [1] }\n',
      want: ['YamlSyntax 1:6 a["<<"]'],
    },
    { name: 'not a number', text: 'a: { b: .nan }\n', want: ['FieldInvalid 1:9 a.b'] },
    { name: 'an endless number', text: 'a: -.inf\n', want: ['FieldInvalid 1:4 a'] },
    {
      name: 'a whole number that would be rounded',
      text: 'a: +9007199254740993\n',
      want: ['FieldInvalid 1:4 a'],
    },
    { name: 'binary data', text: 'a: !!binary aGk=\n', want: ['YamlSyntax 1:4'] },
    { name: 'a set', text: 'a: !!set { b }\n', want: ['YamlSyntax 1:4'] },
    { name: 'a tag of somebody else', text: 'a: !vault x\n', want: ['YamlSyntax 1:4'] },
    { name: 'a list at the top', text: '- a\n', want: ['FieldType 1:1'] },
    { name: 'a text at the top', text: '\n  hello\n', want: ['FieldType 2:3'] },
    {
      name: 'one level too many',
      text: `a: ${'['.repeat(65)}${']'.repeat(65)}`,
      want: ['YamlTooComplex 1:68'],
    },
    { name: 'a million brackets', text: '['.repeat(deep), want: ['YamlTooComplex 1:65'] },
    {
      name: 'a million braces behind a quoted one',
      text: `"}": ${'{'.repeat(deep)}`,
      want: ['YamlTooComplex 1:70'],
    },
    { name: 'a million dashes', text: '- '.repeat(deep), want: ['YamlTooComplex 1:513'] },
    {
      name: 'a million pairs in a bracket',
      text: `[${'a: '.repeat(deep / 2)}`,
      want: ['YamlTooComplex 1:195'],
    },
    {
      name: 'a thousand levels of indentation',
      text: Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
      want: ['YamlTooComplex 257:258'],
    },
    {
      name: 'sixty-six levels of indentation',
      text: Array.from({ length: 66 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
      want: [`YamlTooComplex 66:66 a${'.a'.repeat(64)}`],
    },
    { name: 'too many documents', text: '---\na: 1\n'.repeat(1001), want: ['YamlTooComplex 2001:1'] },
    {
      name: 'more tokens than a parser should see',
      text: 'a: 1\n'.repeat(200_000),
      want: ['YamlTooComplex 100000:5'],
    },
    { name: 'an alias inside its own anchor', text: 'a: &x { b: *x }\n', want: ['YamlTooComplex 1:12 a.b'] },
    { name: 'a map that merges itself', text: 'a: &x { <<: *x }\n', want: ['YamlTooComplex 1:13 a'] },
  ];
  it.each(rows)('$name', ({ text, want }) => {
    const before = process.cpuUsage();
    expect(briefly(parseYaml('a.yaml', text))).toEqual(want);
    // Of its own time, whatever else the machine does.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });

  it('a few lines that stand for billions of values', () => {
    const lines = Array.from(
      { length: 12 },
      (_, i) =>
        `a${i}: &a${i} [${Array(9)
          .fill(i === 0 ? 'x' : `*a${i - 1}`)
          .join(',')}]`,
    );
    const { manifests, findings } = parseYaml('a.yaml', lines.join('\n'));
    expect(manifests).toEqual([]);
    expect(findings.map(({ code, line }) => ({ code, line }))).toEqual([{ code: 'YamlTooComplex', line: 6 }]);
  });

  it('mistakes in one line of text that repeats nothing of the file', () => {
    const { findings } = parseYaml('a.yaml', 'password: "s3cret" s3cret\n- s3cret: [s3cret\n');
    expect(findings.length).toBeGreaterThan(0);
    for (const { message } of findings) {
      expect(message).not.toContain('s3cret');
      expect(message).not.toContain('\n');
    }
  });

  it('no more than findings in whatever it is given', () => {
    const piece = fc.constantFrom(
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '&x ',
      '*x',
      '<<',
      '!!x ',
      '"',
      "'",
      '|',
      '>',
      '#',
      '---\n',
      '...',
      '%',
      '\t',
      '\r',
      '?',
      '1',
      '~',
      '\0',
      '\uFEFF',
      '__proto__',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 60 }).map(pieces => pieces.join('')),
    );
    fc.assert(
      fc.property(text, written => {
        const { manifests, findings } = parseYaml('a.yaml', written);
        expect(manifests.length + findings.length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  it('nothing in what JSON can say', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), value => {
        const text = JSON.stringify(value);
        expect(objectsOf(parseYaml('a.yaml', text))).toEqual([JSON.parse(text)]);
      }),
    );
  });
});
