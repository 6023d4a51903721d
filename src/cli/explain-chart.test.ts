import { expect, test } from 'vitest';
import { renderChart } from '../package/chart/render-chart.ts';
import { piece, ScriptedCharts } from '../package/chart/scripted-charts.contract.ts';
import { filesOf } from '../package/memory-source.contract.ts';
import { readPackage } from '../package/read-package.ts';
import { explainChart } from './explain-chart.ts';

const hook = (words: string, weight: string) =>
  `  annotations: { helm.sh/hook: "${words}", helm.sh/hook-weight: "${weight}" }\n`;
const pod = 'restartPolicy: Never, containers: [{ name: a, image: "keys:1" }]';
const rendered = [
  piece(
    'templates/secret-keys.yaml',
    'apiVersion: v1\nkind: Secret\nmetadata:\n  name: keys\n  annotations: { helm.sh/resource-policy: keep }\n',
  ),
  piece(
    'templates/configmap-etc.yaml',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: keys-etc\ndata: { a: "${HOME}" }\n',
  ),
  piece(
    'templates/service-api.yaml',
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: keys-api\nspec: { selector: { app: keys }, ports: [{ port: 80 }] }\n',
  ),
  piece(
    'templates/deployment-api.yaml',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: keys-api\nspec:\n  selector: { matchLabels: { app: keys } }\n  template:\n    metadata: { labels: { app: keys } }\n    spec:\n      containers: [{ name: a, image: "keys:1" }]\n      volumes: [{ name: etc, configMap: { name: keys-etc } }]\n',
  ),
  piece(
    'templates/job-db-sync.yaml',
    `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: keys-db-sync\n${hook('post-install,post-upgrade', '-4')}spec: { template: { spec: { ${pod} } } }\n`,
  ),
  piece(
    'templates/job-bootstrap.yaml',
    `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: keys-bootstrap\n${hook('post-install,post-upgrade', '5')}spec: { template: { spec: { ${pod} } } }\n`,
  ),
  piece(
    'templates/pod-test.yaml',
    `apiVersion: v1\nkind: Pod\nmetadata:\n  name: keys-test\n${hook('test', '0')}spec: { ${pod} }\n`,
  ),
  piece(
    'templates/pod-forever.yaml',
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: keys-forever\nspec: { restartPolicy: Always, containers: [{ name: a, image: "keys:1" }] }\n',
  ),
].join('');

test('a chart is explained object by object, with order, phases, slice rule and reasons, and what has no place', async () => {
  const files = filesOf({
    'Chart.yaml': 'apiVersion: v2\nname: keys\nversion: 1.0.0\n',
    'templates/l.yaml': '{{ (lookup "v1" "Secret" "a" "b") }}',
  });
  const { package: pkg } = readPackage(files, 'charts/keys');
  if (!pkg) expect.unreachable();
  const wish = { namespace: 'default', values: {}, shared: {}, standIns: [], use: 'planned' } as const;
  const chart = await renderChart(pkg, wish, new ScriptedCharts(() => rendered));
  if (!chart.package || !chart.decided) expect.unreachable();
  const { text, value } = explainChart(chart.package, chart.decided);
  const { objects, unplaced } = value as { objects: unknown[]; unplaced: unknown[] };
  // Nothing is dropped: what is there twice is config that both sliced and other pods use.
  expect(objects.length + unplaced.length).toBeGreaterThanOrEqual(8);
  await expect(text).toMatchFileSnapshot('testdata/explain-a-chart.txt');
});
