import { expect, test } from 'vitest';
import { releaseChart } from './release-chart.ts';

const release = {
  ...{ name: 'keystone', namespace: 'openstack', revision: 1, values: {} },
  chart: { name: 'keystone', version: '2026.1.0', appVersion: '27.0.0' },
};
const text = (files: ReturnType<typeof releaseChart>, path: string) => {
  const found = files.find(file => file.path === path);
  return found && Buffer.from(found.bytes).toString('utf8');
};

test('files keep their names, hooks are among them, and what a chart inside brought is in a folder of its name', () => {
  const files = releaseChart({
    ...release,
    manifest: [
      '---\n# Source: keystone/templates/api.yaml\nkind: Service\n',
      '---\n# Source: keystone/charts/cache/templates/cache.yaml\nkind: Deployment\n',
      '---\n# Source: keystone/templates/api.yaml\nkind: Deployment\n',
    ].join(''),
    hooks: [{ path: 'keystone/templates/job-db-sync.yaml', manifest: 'kind: Job' }],
  });
  expect(files.map(({ path }) => path)).toEqual([
    'Chart.yaml',
    'templates/api.yaml',
    'templates/cache/cache.yaml',
    'templates/job-db-sync.yaml',
  ]);
  expect(text(files, 'templates/api.yaml')).toBe('kind: Service\n---\nkind: Deployment\n');
  expect(JSON.parse(text(files, 'Chart.yaml') ?? '')).toMatchObject({
    name: 'keystone',
    appVersion: '27.0.0',
  });
});

test('what looks like a template is text', () => {
  const files = releaseChart({
    ...release,
    manifest: '---\n# Source: keystone/templates/bin.yaml\nrun: "echo {{ .Values.x }} }}"\n',
    hooks: [],
  });
  expect(text(files, 'templates/bin.yaml')).toBe('run: "echo {{ "{{" }} .Values.x }} }}"\n');
});
