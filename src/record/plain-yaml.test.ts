import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseYaml } from './parse-yaml.ts';
import { readPlainYaml } from './plain-yaml.ts';

/** What the whole parser says of a text that is one right document; undefined otherwise. */
const whole = (text: string) => {
  const { manifests, findings } = parseYaml('a.yaml', text, 'go');
  return manifests.length === 1 && findings.every(({ code }) => code === 'FieldDuplicate')
    ? { object: manifests[0]?.object, line: manifests[0]?.locate([])?.line }
    : undefined;
};

const manifest = `# a comment
apiVersion: v1 # another
kind: Secret

metadata:
  name: "a b"
  annotations: {}
  labels:
    'app.kubernetes.io/name': it''s
    on: yes
spec:
  mode: 0444
  list:
  - a
  - name: x
    value: "1"
    deep:
      - - 1
        - 2
      -
        k: v
  - 'it''s'
  none:
  empty: []
data:
  run.sh: |
    #!/bin/sh

    if true; then
      echo "\${1}" # no comment
    fi
  kept: |+
    a

  stripped: |-
    b
last: 1e3
`;

describe('the reader of plain documents', () => {
  test('reads a manifest as the whole parser does', () => {
    expect(readPlainYaml(manifest)).toEqual(whole(manifest));
    expect(readPlainYaml(manifest)?.object['spec']).toMatchObject({ mode: 292, none: null, empty: [] });
  });

  test.each([
    ['an anchor', 'a: &b 1'],
    ['an alias', 'a: 1\nb: *a'],
    ['a tag', 'a: !!str 1'],
    ['a folded text', 'a: >\n  b\n'],
    ['a text over two lines', 'a: b\n  c'],
    ['a quoted text over two lines', 'a: "b\n  c"'],
    ['two documents', 'a: 1\n---\nb: 1'],
    ['a flow map', 'a: { b: 1 }'],
    ['a key that is a question', '? a\n: b'],
    ['a merge', '<<: 1'],
    ['a tab', 'a:\t1'],
    ['a value with a colon', 'a: b: c'],
    ['less indentation than any block', 'a:\n    b: 1\n  c: 2'],
    ['a list at the top', '- a'],
    ['nothing', ''],
    ['a number that is too large', 'a: 12345678901234567890'],
    ['an escape', String.raw`a: "\x41"`],
    [
      'depth without measure',
      `a:\n${Array.from({ length: 80 }, (_, at) => `${' '.repeat(at + 1)}a:`).join('\n')}`,
    ],
  ])('says nothing of %s', (_, text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });

  const word = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom(
      'yes',
      'off',
      '~',
      '0444',
      '1:30',
      '1e3',
      '-',
      '- a',
      'a: b',
      'a #b',
      '#a',
      "it's",
      '"q"',
      'a\nb',
      'a\n\n',
      ' a',
      '|',
      '{}',
      '<<',
      '',
      '...',
      '---',
    ),
  );
  const { value } = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      word,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(word, tie('value'), { maxKeys: 4 }),
    ),
  }));

  test('never reads anything otherwise than the whole parser', () => {
    fc.assert(
      fc.property(
        fc.dictionary(word, value, { minKeys: 1, maxKeys: 4 }),
        fc.boolean(),
        (object, indentSeq) => {
          const text = stringify(object, { version: '1.1', indentSeq, lineWidth: 0 });
          const plain = readPlainYaml(text);
          if (plain) expect(plain).toEqual(whole(text));
        },
      ),
    );
  });

  test('nor of texts that nobody meant to be YAML', () => {
    const part = fc.constantFrom(
      'a',
      ' ',
      '  ',
      '\n',
      ':',
      ': ',
      '- ',
      '-',
      '#',
      ' #',
      '|',
      '|-',
      '"',
      "'",
      '{}',
      '[]',
      '1',
      '.',
      '\n  ',
      '\n- ',
      '>',
      '&',
      '*',
      '!',
      ',',
      '~',
      'y',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), parts => {
        const text = `k: ${parts.join('')}\n`;
        const plain = readPlainYaml(text);
        if (plain) expect(plain).toEqual(whole(text));
      }),
      { numRuns: 3000 },
    );
  });
});
