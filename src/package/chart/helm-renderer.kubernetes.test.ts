import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findHelm } from '../../../scripts/kubernetes/build/find-programs.ts';
import { parseYaml } from '../../record/parse-yaml.ts';
import { filesOf, type Texts } from '../memory-source.contract.ts';
import { packageDigest } from '../package-digest.ts';
import { readPackage } from '../read-package.ts';
import { withChartFolder } from './chart-folder.ts';
import type { ChartRequest } from './chart-renderer.ts';
import { chartKubernetes, helmBounds, runHelm } from './helm-process.ts';
import { HelmRenderer } from './helm-renderer.ts';
import { renderChart } from './render-chart.ts';

const run = promisify(execFile);
const chartPage = (name: string, more = '') => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;
const configMap = (name: string, more = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`;

/** Everything that Helm's templates can do, in small. */
const toolbox: Texts = {
  'Chart.yaml': chartPage(
    'tools',
    'dependencies:\n  - { name: one, version: "*", condition: one.enabled }\n  - { name: two, version: "*", condition: two.enabled }\n  - { name: lib, version: "*" }\n',
  ),
  'values.yaml':
    'one: { enabled: true, word: "{{ .Release.Name }}" }\ntwo: { enabled: false }\nmode: 0444\nglobal: { region: north }\n',
  'values.schema.json': '{"type": "object", "properties": {"mode": {"type": "integer"}}}',
  'files/a.conf': 'key = ${not.ours} and $HOME\n',
  'crds/thing.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: things.example.org }\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: others.example.org }\n',
  'templates/_local.tpl': '{{- define "tools.name" -}}{{ .Release.Name }}-{{ .Chart.Name }}{{- end -}}',
  'templates/NOTES.txt': 'Thank you.',
  'templates/a.yaml': `${configMap('{{ include "tools.name" . }}')}data:\n{{ (.Files.Glob "files/*").AsConfig | indent 2 }}\n  mode: {{ .Values.mode | quote }}\n  said: {{ tpl .Values.one.word . }}\n  none: {{ (lookup "v1" "Secret" "a" "b") | toJson | quote }}\n`,
  'templates/off.yaml': '{{- if .Values.absent }}\na: b\n{{- end }}\n# nothing\n',
  'templates/job.yaml': '{{ include "lib.job" . }}',
  '.helmignore': 'templates/ignored.yaml\n',
  'templates/ignored.yaml': 'this is: [no yaml',
  'charts/one/Chart.yaml': chartPage('one'),
  'charts/one/templates/a.yaml': configMap('one-{{ .Values.global.region }}'),
  'charts/two/Chart.yaml': chartPage('two'),
  'charts/two/templates/a.yaml': configMap('two'),
  'charts/lib/Chart.yaml': chartPage('lib', 'type: library\n'),
  'charts/lib/templates/_job.tpl':
    '{{- define "lib.job" -}}\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: sync\n  annotations: { helm.sh/hook: "post-install,post-upgrade", helm.sh/hook-weight: "-4" }\n{{- end -}}',
};

describe('charts, rendered by the real Helm', { timeout: 300_000 }, () => {
  let helm = '';
  let folder = '';
  beforeAll(async () => {
    helm = await findHelm(line => process.stderr.write(`${line}\n`));
    folder = await mkdtemp(join(tmpdir(), 'afloat-real-helm-'));
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const renderer = () => new HelmRenderer({ find: async () => helm });
  const requestOf = (texts: Texts, more: Partial<ChartRequest> = {}): ChartRequest => {
    const files = filesOf(texts);
    return {
      ...{ files, digest: packageDigest(files), location: 'c', release: 'r', namespace: 'openstack' },
      ...{ values: {}, use: 'planned', hasStandIns: false },
      ...more,
    };
  };
  const lay = async (name: string, texts: Texts) => {
    const root = join(folder, name);
    for (const [path, text] of Object.entries(texts)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    return root;
  };
  const asHelmDoes = async (chart: string) => {
    const words = ['--include-crds', '--kube-version', chartKubernetes, '--namespace', 'openstack'];
    return (await run(helm, ['template', 'r', chart, ...words])).stdout;
  };
  const ours = (texts: Texts) =>
    withChartFolder(filesOf(texts), place =>
      runHelm({ helm, ...place, release: 'r', namespace: 'openstack', values: {}, skipSchema: false }),
    );

  test('a chart that uses all of Helm is rendered as `helm template` does, byte for byte', async () => {
    const end = await ours(toolbox);
    const wanted = await asHelmDoes(await lay('tools', toolbox));
    expect(end).toMatchObject({ kind: 'done' });
    expect(end.kind === 'done' && end.bytes.toString('utf8')).toBe(wanted);
    const { objects, findings } = await renderer().render(requestOf(toolbox));
    expect(findings).toEqual([]);
    expect(
      objects.map(({ file, object }) => `${file} ${(object['metadata'] as { name: string }).name}`),
    ).toEqual([
      'crds/thing.yaml things.example.org',
      'crds/thing.yaml others.example.org',
      'charts/one/templates/a.yaml one-north',
      'templates/a.yaml r-tools',
      'templates/job.yaml sync',
    ]);
    expect(objects[3]?.object['data']).toMatchObject({ mode: '292', said: 'r', none: '{}' });
  });

  test('a chart of Helm 2 with a packed chart inside is rendered', async () => {
    const inner = await lay('inner', {
      'Chart.yaml': 'apiVersion: v1\nname: inner\nversion: 0.1.0\n',
      'templates/a.yaml': configMap('inner'),
    });
    await run(helm, ['package', inner, '--destination', folder]);
    const old = filesOf({
      'Chart.yaml': 'apiVersion: v1\nname: old\nversion: 0.1.0\n',
      'requirements.yaml':
        'dependencies: [{ name: inner, version: 0.1.0, repository: "http://localhost:8879/charts" }]\n',
      'templates/a.yaml': configMap('outer'),
    });
    const packed = {
      path: 'charts/inner-0.1.0.tgz',
      bytes: await readFile(join(folder, 'inner-0.1.0.tgz')),
      executable: false,
    };
    const files = [packed, ...old];
    const { objects, findings } = await renderer().render({
      ...requestOf({}),
      files,
      digest: packageDigest(files),
    });
    expect(findings).toEqual([]);
    expect(objects.map(({ file }) => file)).toEqual(['charts/inner/templates/a.yaml', 'templates/a.yaml']);
  });

  test('words are read as Helm reads them', async () => {
    const words = [
      ...[
        'y',
        'N',
        'yes',
        'on',
        'Off',
        'tRUE',
        'True',
        '~',
        'null',
        'nULL',
        '0444',
        '0o17',
        '08',
        '0x1F',
        '0b11',
        '-0b11',
      ],
      ...[
        '1_000',
        '1e3',
        '12e4567',
        '1.',
        '.5',
        '+.5',
        '-.5e-3',
        '+12',
        '-0',
        '1:30',
        '190:20:30',
        '2020-01-01',
        '.',
        '0x',
        '0xZZ',
      ],
      ...[
        '_1',
        '1_',
        '1e',
        'e3',
        '0X1f',
        '1__0',
        '+',
        '00',
        '0_1',
        '1e400',
        '2001-12-14 21:59:43.10 -5',
        "'y'",
        '"on"',
        '=',
        'v1.2',
      ],
    ];
    const texts = {
      'Chart.yaml': chartPage('words'),
      'templates/a.yaml': `${configMap('a')}data:\n{{- range $i, $word := .Values.words }}\n  w{{ $i }}: {{ (fromYaml (printf "a: %s" $word)) | toJson | quote }}\n{{- end }}\n`,
    };
    const { objects, findings } = await renderer().render(requestOf(texts, { values: { words } }));
    expect(findings).toEqual([]);
    const theirs = Object.values(objects[0]?.object['data'] as Record<string, string>).map(
      text => JSON.parse(text) as unknown,
    );
    const read = words.map(word => parseYaml('a', `a: ${word}`, 'go').manifests[0]?.object);
    expect(read).toEqual(theirs);
  });

  test.each<[string, Texts, object]>([
    [
      'loops',
      { 'templates/a.yaml': '{{ range until 2000000000 }}{{ end }}' },
      { code: 'ChartTooMuch', file: 'c' },
    ],
    [
      'includes itself',
      {
        'templates/_a.tpl': '{{ define "x" }}{{ include "x" . }}{{ end }}',
        'templates/a.yaml': '\n{{ include "x" . }}',
      },
      { code: 'ChartRefused', file: 'c/templates/a.yaml', line: 2 },
    ],
    [
      'renders 100 MB',
      {
        'templates/a.yaml': `${configMap('a')}data:\n{{ range until 100000 }}  a{{ . }}: {{ repeat 1000 "x" }}\n{{ end }}`,
      },
      { code: 'ChartTooMuch', file: 'c' },
    ],
    [
      'renders 20 MB',
      {
        'templates/a.yaml': `${configMap('a')}data:\n  a: |\n{{ range until 20000 }}    {{ repeat 1000 "x" }}\n{{ end }}`,
      },
      { code: 'ChartTooMuch', file: 'c' },
    ],
    [
      'is no YAML',
      { 'templates/a.yaml': 'apiVersion: v1\nkind: [ConfigMap\n' },
      { code: 'ChartRefused', file: 'c/templates/a.yaml' },
    ],
    [
      'wants our environment',
      { 'templates/a.yaml': '{{ env "HOME" }}' },
      { code: 'ChartRefused', file: 'c/templates/a.yaml', line: 1 },
    ],
    [
      'wants to expand our environment',
      { 'templates/a.yaml': '{{ expandenv "$HOME" }}' },
      { code: 'ChartRefused', file: 'c/templates/a.yaml', line: 1 },
    ],
    [
      'lacks a chart that it depends on',
      {
        'Chart.yaml': chartPage(
          'c',
          'dependencies: [{ name: gone, version: "1", repository: "https://example.org" }]\n',
        ),
      },
      { code: 'ChartRefused', file: 'c' },
    ],
    [
      'wants a value',
      { 'templates/a.yaml': '{{ required "a name is needed" .Values.name }}' },
      { code: 'ChartRefused', file: 'c/templates/a.yaml', line: 1 },
    ],
    [
      'has a schema that says otherwise',
      { 'values.yaml': 'a: x\n', 'values.schema.json': '{"properties": {"a": {"type": "integer"}}}' },
      { code: 'ChartRefused', file: 'c' },
    ],
  ])('a chart that %s is refused, and told where', async (_, texts, wanted) => {
    const started = performance.now();
    const { findings } = await renderer().render(requestOf({ 'Chart.yaml': chartPage('c'), ...texts }));
    expect(findings).toMatchObject([wanted]);
    expect(performance.now() - started).toBeLessThan(90_000);
  });

  test('a chart that loops and writes nothing is ended when its time is over', async () => {
    const texts = {
      'Chart.yaml': chartPage('c'),
      'templates/a.yaml': '{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}',
    };
    const hurried = new HelmRenderer({ find: async () => helm, bounds: { ...helmBounds, seconds: 3 } });
    expect((await hurried.render(requestOf(texts))).findings).toMatchObject([
      { code: 'ChartTooMuch', file: 'c' },
    ]);
  });

  test('a chart reads no file outside of itself', async () => {
    const reads = ['../../../etc/passwd', '/etc/passwd', '../home/x', 'templates/../../x'];
    const texts = {
      'Chart.yaml': chartPage('c'),
      'templates/a.yaml': `${configMap('a')}data:\n${reads.map((path, index) => `  r${index}: {{ .Files.Get "${path}" | quote }}\n`).join('')}  host: {{ getHostByName "localhost" | quote }}\n`,
    };
    const { objects, findings } = await renderer().render(requestOf(texts));
    expect(findings).toEqual([]);
    expect(objects[0]?.object['data']).toEqual({ r0: '', r1: '', r2: '', r3: '', host: '' });
  });

  const packageOf = (texts: Texts) => {
    const read = readPackage(filesOf(texts), 'c', { service: 'identity', version: '1.0.0' });
    expect(read.findings).toEqual([]);
    if (!read.package) expect.unreachable();
    return read.package;
  };
  const wish = { namespace: 'openstack', values: {}, shared: {}, standIns: [], use: 'planned' } as const;

  test('an object for another namespace is refused where it is', async () => {
    const pkg = packageOf({
      'Chart.yaml': chartPage('c'),
      'templates/a.yaml': configMap('a', '  namespace: kube-system\n'),
    });
    const { findings } = await renderChart(pkg, wish, renderer());
    expect(findings).toMatchObject([
      { code: 'ManifestInvalid', file: 'c/templates/a.yaml', field: 'metadata.namespace' },
    ]);
  });

  test('what is random is named, and a value that is handed in makes it the same each time', async () => {
    const texts = {
      'Chart.yaml': chartPage('c'),
      'lifecycle.yaml': 'service: identity\nversion: 1.0.0\ngenerated: [key]\n',
      'templates/a.yaml': `${configMap('a')}data:\n  key: {{ .Values.key | default (randAlphaNum 32) | quote }}\n  other: {{ randAlphaNum 32 }}\n`,
    };
    const pkg = packageOf(texts);
    const one = renderer();
    const bare = await renderChart(pkg, wish, one);
    expect(bare.package?.notes).toMatchObject([{ field: 'data.key' }, { field: 'data.other' }]);
    const made = await renderChart(pkg, { ...wish, standIns: pkg.lifecycle.generated }, one);
    expect(made.package?.notes).toMatchObject([{ file: 'c/templates/a.yaml', field: 'data.other' }]);
    const real = await renderChart(pkg, { ...wish, values: { key: 'made-once' }, use: 'real' }, one);
    expect(real.package?.manifests[0]?.object['data']).toMatchObject({ key: 'made-once' });
  });

  test('a chart that asks for the phase is rendered once for each', async () => {
    const gate = (phases: string, text: string) =>
      `{{- if has .Values.oslc.stage (list ${phases}) }}\n${text}{{- end }}\n`;
    const job = (name: string) =>
      `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ${name}\nspec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: i }] } } }\n`;
    const pkg = packageOf({
      'Chart.yaml': chartPage('c'),
      'values.yaml': 'oslc: { stage: nil }\n',
      'templates/etc.yaml': gate('"install"', configMap('etc')),
      'templates/job-dump.yaml': gate('"upgrade"', job('dump')),
      'templates/pod-check.yaml': gate('"test"', job('check')),
    });
    const { package: rendered, findings } = await renderChart(pkg, wish, renderer());
    expect(findings).toEqual([]);
    const placed = rendered?.manifests.map(({ object, placed: place }) => [
      (object['metadata'] as { name: string }).name.replace('-${slice}', ''),
      place?.role,
      place?.phases,
    ]);
    expect(placed).toEqual([
      ['etc', 'support', ['install', 'test', 'upgrade']],
      ['check', 'task', ['test']],
      ['dump', 'task', ['upgrade']],
    ]);
  });
});
