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
    { path: `${folder}/program.mjs`, text: program },
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

const placeholder = (inner: string): string => ['$', '{', inner, '}'].join('');

const lifecycle = `# What the service needs to live, at this version.
service: hello
version: "1.0.0"
tier: controlplane
strategy: bluegreen
traffic: { service: hello, port: 8080, stepSeconds: 2, settleSeconds: 1 }
estimates: { install: 10, upgrade: 20 }
phases: { install: [api.yaml], test: [test.yaml] }
images: # what runs where there is no container engine: afloat up
  - name: example/hello:${placeholder('version')}
    command: [node, "${placeholder('package')}/program.mjs"]
    isolation: none # it listens on $POD_IP
`;

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
          ports: [{ name: http, containerPort: 8080 }]
          readinessProbe: { periodSeconds: 1, httpGet: { path: /, port: http } }
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
          args: [test]
`;

const program = `// Says hello; with the word "test" it is the test: it asks the service by its name, as a client does.
import { createServer } from 'node:http';

const { POD_IP, HELLO_SERVICE_HOST = 'hello', HELLO_SERVICE_PORT = '8080' } = process.env;

if (process.argv[2] === 'test') {
  const answer = await fetch(\`http://\${HELLO_SERVICE_HOST}:\${HELLO_SERVICE_PORT}/\`);
  const text = await answer.text();
  console.log(answer.status, text.trim());
  process.exit(answer.ok && text.startsWith('hello') ? 0 : 1);
}

const server = createServer((_, response) => response.end('hello from 1.0.0\\n'));
server.listen(8080, POD_IP, () => console.log('listening'));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
`;
