/** The objects of the journey: a web server, and Jobs of every bad habit. */
import type { ClusterObject } from '../../../src/cluster/cluster.ts';

export const namespace = 'default';
const place = (name: string) => ({ name, namespace });

/** A server on its Pod's own address that says its version; `SIGTERM` ends it without a word to its clients. */
const webProgram = `
const http = require('node:http');
http.createServer((request, response) => response.end(process.env.VERSION))
  .listen(8080, process.env.POD_IP);
`;

/** Every program of this journey is one of the machine's own. */
export const images: ClusterObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...place('images'), labels: { 'openstacklcm.airshipit.org/images': 'true' } },
  data: {
    journey: JSON.stringify({
      web: { command: ['node', '-e', webProgram] },
      shell: { command: ['sh', '-c'] },
    }),
  },
};

export const service: ClusterObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: place('web'),
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
};

/** What the Pods of the web server are like at a version. */
export function webTemplate(version: string): object {
  const readinessProbe = { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 };
  const env = [{ name: 'VERSION', value: version }];
  return {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'web', env, readinessProbe }] },
  };
}

export const deployment: ClusterObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: place('web'),
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    template: webTemplate('1'),
  },
};

/** A Job that runs one script, once. */
export function job(name: string, script: string, more: object = {}): ClusterObject {
  const container = { name: 'task', image: 'shell', args: [script] };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: place(name),
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { labels: { task: name } },
        spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 1, containers: [container] },
      },
      ...more,
    },
  };
}

/** How each bad habit ends. */
export interface BadJob {
  readonly says: string;
  readonly object: ClusterObject;
  /** Reason of the Job's condition `Failed`, or `Complete`. */
  readonly ends: string;
}

/** `mark` goes into every command line, so that what is left of them can be looked for. */
export function badJobs(mark: string): readonly BadJob[] {
  const missing = job('cannot-start', '');
  const spec = missing['spec'] as { template: { spec: { containers: { command?: string[] }[] } } };
  for (const container of spec.template.spec.containers) container.command = ['no-such-program'];
  return [
    {
      says: 'hangs past its deadline',
      object: job('hangs', `: ${mark}; trap '' TERM; while :; do sleep 1; done`, {
        activeDeadlineSeconds: 3,
      }),
      ends: 'DeadlineExceeded',
    },
    {
      says: 'leaves children behind that went their own way',
      object: job(
        'forks',
        `setsid sh -c ': ${mark}; sleep 600' & setsid setsid sleep 600.${mark.length} & exit 0`,
      ),
      ends: 'Complete',
    },
    {
      says: 'fills its log',
      object: job(
        'talks',
        `: ${mark}; i=0; while [ $i -lt 2000 ]; do printf '%01000d\\n' $i; i=$((i+1)); done; exit 3`,
      ),
      ends: 'BackoffLimitExceeded',
    },
    { says: 'cannot start', object: missing, ends: 'BackoffLimitExceeded' },
  ];
}
