import { apiVersion } from '../api/group.ts';

/** The files `afloat init` writes: one record, and one package small enough to read in a minute. */
export function firstCloud(name: string): { readonly path: string; readonly text: string }[] {
  const folder = 'packages/hello/1.0.0';
  return [
    { path: 'cloud.yaml', text: record(name) },
    { path: `${folder}/lifecycle.yaml`, text: lifecycle },
    { path: `${folder}/values.yaml`, text: 'replicas: 2\n' },
    { path: `${folder}/api.yaml`, text: api },
    { path: `${folder}/test.yaml`, text: test },
  ];
}

function record(name: string): string {
  return `# The record: what this cloud shall be. Change a version or a value, then: afloat plan cloud.yaml
apiVersion: ${apiVersion}
kind: OpenstackDeployment
metadata: { name: ${name} }
spec:
  source: { type: local, location: "packages/{name}/{version}" }
  services:
    - { name: hello, version: "1.0.0", values: { replicas: 2 } }
`;
}

const lifecycle = `# What the service needs to live, at this version.
service: hello
version: "1.0.0"
tier: controlplane
strategy: bluegreen
traffic: { service: hello, port: 8080 }
phases: { install: [api.yaml], test: [test.yaml] }
`;

const placeholder = (inner: string): string => ['$', '{', inner, '}'].join('');

const api = `apiVersion: v1
kind: Service
metadata: { name: hello }
spec:
  selector: { app: hello }
  ports: [{ port: 8080 }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: "hello-${placeholder('slice')}" }
spec:
  replicas: "${placeholder('values.replicas')}"
  selector: { matchLabels: { app: hello, slice: "${placeholder('slice')}" } }
  template:
    metadata: { labels: { app: hello, slice: "${placeholder('slice')}" } }
    spec:
      containers:
        - name: hello
          image: "example/hello:${placeholder('version')}"
          ports: [{ containerPort: 8080 }]
`;

const test = `apiVersion: batch/v1
kind: Job
metadata: { name: hello-test }
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: test
          image: "example/hello:${placeholder('version')}"
          command: [wget, -q, -O, "-", "http://hello:8080/"]
`;
