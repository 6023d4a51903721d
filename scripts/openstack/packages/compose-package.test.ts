import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { composePackage, type Variant } from './compose-package.ts';

let folder: string;
const put = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afloat-compose-'));
  put(
    'notes/versions.yaml',
    'headFiles: [A, B]\nversions:\n  "1": { images: { "notes:1": one } }\n  "1.1": { images: { "notes:1.1": one } }\n  "2": { series: zed, images: { "notes:2": two } }\n',
  );
  put('notes/lifecycle.yaml', 'service: notes\ndata: [{ name: notes, driver: mariadb }]\n');
  put('notes/app.yaml', 'name: "notes-program-${slice}"\n');
  put(
    'notes/tasks.yaml',
    'pod: { restartPolicy: Never, containers: [{ name: task, image: i }] }\nsecrets: { root: notes-root }\njobs: { test.yaml: { try: { command: [a], secrets: [root] }, again: { command: [b] } } }\n',
  );
  put('notes/program/run.sh', 'echo ${HOME}\n');
  for (const [root, marks] of Object.entries({ one: 'e1 c1', two: 'e2 c2' }))
    for (const [index, file] of ['A', 'B'].entries())
      put(`roots/${root}/${file}`, `${marks.split(' ')[index]}\n`);
  for (const version of ['1', '2']) await compose(version);
});
const compose = (
  version: string,
  {
    service = 'notes',
    to = 'out',
    ...more
  }: { service?: string; to?: string; variant?: Variant; router?: string } = {},
) =>
  composePackage(version, {
    source: join(folder, service),
    root: name => join(folder, 'roots', name),
    ourPrograms: { 'ours.js': 'ours' },
    to: join(folder, to, version),
    ...more,
  });
afterAll(() => rmSync(folder, { recursive: true }));

it('adds to the lifecycle what the version is, with the schema that its own root knows', () => {
  expect(parse(read('out/2/lifecycle.yaml'))).toEqual({
    ...{ service: 'notes', version: '2', series: 'zed' },
    data: [{ name: 'notes', driver: 'mariadb', head: 'e2' }],
    images: [{ name: 'afloat/notes:2', root: join(folder, 'roots/two') }],
  });
  expect(readdirSync(join(folder, 'out')).toSorted()).toEqual(['1', '2']);
});

it('takes the marks of a schema from the versions where they stand there', async () => {
  put('drawings/versions.yaml', 'versions: { "1": { heads: [e1, c1], images: { "drawings:1": one } } }\n');
  put('drawings/lifecycle.yaml', 'service: drawings\ndata: [{ name: drawings }]\n');
  await compose('1', { service: 'drawings', to: 'drawn' });
  expect(parse(read('drawn/1/lifecycle.yaml')).data).toEqual([{ name: 'drawings', head: 'e1' }]);
  expect(JSON.parse(parse(read('drawn/1/program.yaml')).data['schemas.json'])).toEqual([['e1', 'c1']]);
});

it('names the router that clients are brought by, where there are clients', async () => {
  put('maps/versions.yaml', 'versions: { "1": { images: { "maps:1": one } } }\n');
  const parts = 'components: [{ name: api, traffic: { service: maps } }, { name: worker }]';
  put('maps/lifecycle.yaml', `service: maps\ntraffic: { service: maps, port: 1 }\n${parts}\n`);
  await compose('1', { service: 'maps', to: 'mapped', router: 'haproxy' });
  expect(parse(read('mapped/1/lifecycle.yaml'))).toMatchObject({
    traffic: { service: 'maps', port: 1, router: 'haproxy' },
    components: [{ name: 'api', traffic: { service: 'maps', router: 'haproxy' } }, { name: 'worker' }],
  });
  await compose('1', { service: 'maps', to: 'unmapped' });
  expect(read('unmapped/1/lifecycle.yaml')).not.toContain('router');
});

it('writes tasks out as Jobs', () => {
  const jobs = parseAllDocuments(read('out/1/test.yaml')).map(document => document.toJS());
  expect(jobs.map(({ metadata }) => metadata.name)).toEqual(['try', 'again']);
  expect(jobs[1].spec.template.spec).toEqual({
    restartPolicy: 'Never',
    containers: [{ name: 'task', image: 'i', command: ['b'] }],
  });
});

it('shows a task the secrets that it names, and no other', () => {
  const [first] = parseAllDocuments(read('out/1/test.yaml')).map(document => document.toJS());
  expect(first.spec.template.spec).toEqual({
    restartPolicy: 'Never',
    containers: [
      {
        ...{ name: 'task', image: 'i', command: ['a'] },
        volumeMounts: [{ name: 'root', mountPath: '/run/secrets/root' }],
      },
    ],
    volumes: [{ name: 'root', secret: { secretName: 'notes-root' } }],
  });
});

it('makes a variant of a version: another one that differs in what was changed, with the root and the schema of the first', async () => {
  const changes = { 'program/run.sh': (text: string) => text.replace('echo', 'exit 1 #') };
  await compose('2-broken', { variant: { of: '2', changes } });
  expect(parse(read('out/2-broken/lifecycle.yaml'))).toMatchObject({
    ...{ version: '2-broken', series: 'zed', data: [{ head: 'e2' }] },
    images: [{ name: 'afloat/notes:2-broken', root: join(folder, 'roots/two') }],
  });
  expect(parse(read('out/2-broken/program.yaml')).data['run.sh']).toBe('exit 1 # $${HOME}\n');
  const nothing = { 'app.yaml': (text: string) => text.replace('not there', '') };
  await expect(compose('2-same', { variant: { of: '2', changes: nothing } })).rejects.toThrow(
    'changes nothing of app.yaml',
  );
});

it('puts programs into a ConfigMap of the slice, as they are, with the schemas of this version and those before it', () => {
  const { metadata, data } = parse(read('out/2/program.yaml'));
  expect(metadata.name).toBe('notes-program-${slice}');
  expect(data['run.sh']).toBe('echo $${HOME}\n');
  expect(JSON.parse(data['schemas.json'])).toEqual([
    ['e1', 'c1'],
    ['e2', 'c2'],
  ]);
  expect(data['ours.js']).toBe('ours');
  expect(JSON.parse(parse(read('out/1/program.yaml')).data['schemas.json'])).toEqual([['e1', 'c1']]);
});
