import { describe, expect, test } from 'vitest';
import { parseRendered } from './parse-rendered.ts';

/** A piece as Helm writes it. */
const piece = (file: string, text: string) => `---\n# Source: c/${file}\n${text}\n`;
const configMap = (name: string, more = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`;
const parse = (...pieces: readonly string[]) => parseRendered(pieces.join(''), 'charts/c');

describe('what Helm wrote', () => {
  test('gives every object with its file and the line in what was made of that file', () => {
    const { objects, findings } = parse(
      piece('templates/a.yaml', configMap('one')),
      piece('templates/a.yaml', `# a comment\n${configMap('two')}`),
      piece('charts/sub/templates/b.yaml', configMap('three')),
    );
    expect(findings).toEqual([]);
    expect(objects.map(({ file, line }) => [file, line])).toEqual([
      ['templates/a.yaml', 1],
      ['templates/a.yaml', 7],
      ['charts/sub/templates/b.yaml', 1],
    ]);
  });

  test('gives hooks, weight and policies as Helm reads them', () => {
    const annotations = `  annotations:
    helm.sh/hook: "post-install, Post-Upgrade"
    helm.sh/hook-weight: "-5"
    helm.sh/hook-delete-policy: before-hook-creation
    helm.sh/resource-policy: keep
`;
    const { objects } = parse(piece('templates/a.yaml', configMap('a', annotations)));
    expect(objects).toMatchObject([
      {
        hooks: ['post-install', 'post-upgrade'],
        weight: -5,
        deletePolicies: ['before-hook-creation'],
        resourcePolicy: 'keep',
      },
    ]);
  });

  test.each([
    ['a weight that is no number counts as none', '"heavy"'],
    ['no weight', '""'],
  ])('%s', (_, weight) => {
    const annotations = `  annotations: { helm.sh/hook: test, helm.sh/hook-weight: ${weight} }\n`;
    expect(parse(piece('templates/a.yaml', configMap('a', annotations))).objects[0]?.weight).toBe(0);
  });

  test('reads words as Helm and Kubernetes do', () => {
    const { objects } = parse(
      piece(
        'templates/a.yaml',
        configMap('a', 'spec: { mode: 0444, on: yes, at: 1:30, day: 2020-01-01, big: 1e3 }'),
      ),
    );
    expect(objects[0]?.object['spec']).toEqual({
      mode: 292,
      on: true,
      at: '1:30',
      day: '2020-01-01',
      big: 1000,
    });
  });

  test('takes lists of objects apart, with the hooks of the list', () => {
    const item = (name: string) => `- { apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} } }`;
    const list = `apiVersion: v1\nkind: List\nmetadata: { annotations: { helm.sh/hook: test } }\nitems:\n${item('a')}\n${item('b')}`;
    const { objects, findings } = parse(piece('templates/a.yaml', list));
    expect(findings).toEqual([]);
    expect(objects.map(({ object, hooks }) => [object['metadata'], hooks])).toMatchObject([
      [{ name: 'a' }, ['test']],
      [{ name: 'b' }, ['test']],
    ]);
  });

  test('leaves out what is only comments, and takes the last of two keys of one name', () => {
    const { objects, findings } = parse(
      piece('templates/off.yaml', '# switched off'),
      piece('templates/a.yaml', `${configMap('a')}data: { a: one, a: two }`),
    );
    expect(findings).toEqual([]);
    expect(objects.map(({ object }) => object['data'])).toEqual([{ a: 'two' }]);
  });

  test('a source line inside a document does not change the file', () => {
    const text = configMap('a', 'data:\n  a: |\n    # Source: c/templates/b.yaml\n');
    expect(parse(piece('templates/a.yaml', text)).objects).toMatchObject([{ file: 'templates/a.yaml' }]);
  });

  test.each([
    ['broken YAML', 'apiVersion: v1\nkind: [', 'YamlSyntax'],
    ['a document that is no map', '- a', 'FieldType'],
    ['an object without a name', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {}', 'ManifestInvalid'],
    ['an object without a kind', 'apiVersion: v1\nmetadata: { name: a }', 'ManifestInvalid'],
  ])('%s is a finding at its file', (_, text, code) => {
    const { findings } = parse(piece('templates/a.yaml', text));
    expect(findings).toMatchObject([{ code, file: 'charts/c/templates/a.yaml' }]);
    expect(findings[0]?.line).toBeUndefined();
  });
});
