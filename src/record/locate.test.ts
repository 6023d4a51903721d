import { describe, expect, it } from 'vitest';
import type { FieldPath } from '../api/schema/problem.ts';
import type { FieldPart } from './locate.ts';
import { parseYaml } from './parse-yaml.ts';

const text = `# a comment
base: &base
  source: { type: local }
  version: "1.0"
spec:
  services:
    - name: keystone
      version: "22"
    - <<: *base
      name: glance
      version: "25"
    - *base
  empty:
  text: |
    line
`;

describe('locate', () => {
  const rows: { name: string; path: FieldPath; part?: FieldPart; want: string }[] = [
    { name: 'the top is the first key', path: [], want: '2:1' },
    { name: 'a value', path: ['spec', 'services', 0, 'version'], want: '8:16' },
    { name: 'a key', path: ['spec', 'services', 0, 'version'], part: 'key', want: '8:7' },
    { name: 'an item of a list', path: ['spec', 'services', 1], want: '9:7' },
    { name: 'a map, at its first key', path: ['spec', 'services'], want: '7:5' },
    { name: 'the key of a map', path: ['spec', 'services'], part: 'key', want: '6:3' },
    {
      name: 'a value that a merge brought in',
      path: ['spec', 'services', 1, 'source', 'type'],
      want: '3:19',
    },
    { name: 'a value that wins over a merge', path: ['spec', 'services', 1, 'version'], want: '11:16' },
    { name: 'an alias, where it is written', path: ['spec', 'services', 2], want: '12:7' },
    { name: 'a value behind an alias', path: ['spec', 'services', 2, 'version'], want: '4:12' },
    { name: 'a block of text', path: ['spec', 'text'], want: '14:9' },
    { name: 'an empty value, behind its key', path: ['spec', 'empty'], want: '13:9' },
    { name: 'a missing field is at its parent', path: ['spec', 'services', 0, 'source'], want: '7:7' },
    { name: 'a missing item is at its list', path: ['spec', 'services', 7, 'name'], want: '7:5' },
    { name: 'below a scalar is at the scalar', path: ['base', 'version', 'x', 0], want: '4:12' },
    { name: 'nothing on the way is at the top', path: ['status', 'x'], want: '2:1' },
    { name: 'a name of every object is not found', path: ['constructor'], want: '2:1' },
  ];
  it.each(rows)('$name', ({ path, part, want }) => {
    const [manifest] = parseYaml('a.yaml', text).manifests;
    const place = manifest?.locate(path, part);
    expect(`${place?.line}:${place?.column}`).toBe(want);
  });

  it('counts lines over documents and CRLF', () => {
    const [, second] = parseYaml('a.yaml', 'a: 1\r\n---\r\nb:\r\n  c: 2\r\n').manifests;
    expect(second?.locate(['b', 'c'])).toEqual({ line: 4, column: 6 });
  });
});
