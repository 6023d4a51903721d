/** A small chart that was never written for us: names by release, a config map, a test by hook. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ClusterObject } from '../../../src/cluster/cluster.ts';
import type { JourneyPlace } from '../../journeys/engine/journey-place.ts';

/** What a release of the chart is like. */
export interface WebChartWish {
  readonly release: string;
  readonly version: string;
  /** Where its programs keep their data. */
  readonly data: string;
  readonly place: Pick<JourneyPlace, 'container'>;
  /** What keeps its pods running. */
  readonly kind?: 'Deployment' | 'StatefulSet';
}

/** The volume that the claim of a release wants. */
export function webVolume(release: string, namespace: string, data: string): ClusterObject {
  return {
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: `${namespace}-${release}` } },
    spec: {
      ...{ accessModes: ['ReadWriteMany'], capacity: { storage: '1Mi' }, storageClassName: '' },
      hostPath: { path: data, type: 'Directory' },
    },
  };
}

/** Writes the chart into a folder, in the place of what is there. */
export function writeWebChart(folder: string, wish: WebChartWish): void {
  const { release, version, kind = 'Deployment' } = wish;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'templates/tests'), { recursive: true });
  const file = (path: string, value: unknown) => writeFileSync(join(folder, path), stringify(value));
  file('Chart.yaml', { apiVersion: 'v2', name: 'web', version, appVersion: version });
  file('values.yaml', { replicas: 2, setting: 'usual' });
  file('templates/configmap.yaml', {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: meta('{{ .Release.Name }}-etc') },
    data: { PORT: '8080', SETTING: '{{ .Values.setting }}', SLICE: 'found' },
  });
  file('templates/service.yaml', {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: meta('{{ .Release.Name }}') },
    spec: {
      selector: { app: '{{ .Release.Name }}' },
      ports: [{ name: 'api', port: 8080, targetPort: 'api' }],
    },
  });
  file('templates/pvc.yaml', {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: meta('{{ .Release.Name }}-data') },
    spec: {
      ...{ accessModes: ['ReadWriteMany'], storageClassName: '' },
      volumeName: '{{ .Release.Namespace }}-{{ .Release.Name }}',
      resources: { requests: { storage: '1Mi' } },
    },
  });
  const pods = {
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: '{{ .Release.Name }}-data' } }],
  };
  const labels = { app: '{{ .Release.Name }}' };
  const workload = stringify({
    ...{ apiVersion: 'apps/v1', kind, metadata: meta('{{ .Release.Name }}') },
    spec: {
      ...{ replicas: 2, selector: { matchLabels: labels } },
      ...(kind === 'StatefulSet' ? { serviceName: '{{ .Release.Name }}' } : {}),
      template: {
        metadata: { labels },
        spec: {
          ...pods,
          containers: [
            {
              ...container(wish, 'api'),
              envFrom: [{ configMapRef: { name: '{{ .Release.Name }}-etc' } }],
              ports: [{ name: 'api', containerPort: 8080 }],
              readinessProbe: {
                httpGet: { path: '/healthz', port: 'api' },
                periodSeconds: 1,
                timeoutSeconds: 5,
              },
            },
          ],
        },
      },
    },
  });
  writeFileSync(
    join(folder, 'templates/workload.yaml'),
    workload.replace('replicas: 2', 'replicas: {{ .Values.replicas }}'),
  );
  file('templates/tests/test.yaml', {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { ...meta(`${release}-test`), annotations: { 'helm.sh/hook': 'test' } },
    spec: { ...pods, restartPolicy: 'Never', containers: [container(wish, 'test')] },
  });
}

function meta(name: string): object {
  return { name, labels: { 'app.kubernetes.io/managed-by': '{{ .Release.Service }}' } };
}

function container({ release, version, data, place }: WebChartWish, task: string): object {
  const env = {
    ...{ SERVICE: release, VERSION: version, DATA: data, HEAD: '1', DATABASE: '', FAULTS: '' },
    MESSAGE_FILE: '/run/afloat/message',
  };
  return {
    ...{ name: task, image: `journey/${release}:${version}`, args: [task] },
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
    ...place.container,
  };
}
