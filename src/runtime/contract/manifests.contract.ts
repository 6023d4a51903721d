import type { JsonObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';

/** The command that runs a script. */
export function sh(...lines: readonly string[]): string[] {
  return ['sh', '-c', lines.join('\n')];
}

/**
 * The last line of a script: says that it is up, after all `trap`s, and waits to be told to end. A shell handles signals only while no
 * program runs in its foreground.
 */
export const rest = 'echo up; sleep 100000 & wait';

/** A script that runs until it is told to end, and then does so at once. */
export const runForever = sh('trap "exit 0" TERM', rest);

/**
 * A web server on port 8080 that answers with its hostname at `/`. `/ready` is there until somebody gets `/cgi-bin/unready`, and again
 * after `/cgi-bin/ready`.
 */
export const webServer = sh(
  'mkdir -p /tmp/www/cgi-bin && cd /tmp/www',
  'hostname >index.html; echo yes >ready',
  'answer() { printf "#!/bin/sh\\n%s\\nprintf \'Content-Type: text/plain\\\\r\\\\n\\\\r\\\\ndone\'\\n" "$2" >cgi-bin/$1; chmod +x cgi-bin/$1; }',
  'answer unready "rm -f /tmp/www/ready"; answer ready "echo yes >/tmp/www/ready"',
  'exec httpd -f -p 8080 -h /tmp/www',
);

/** A container called `main` with the world's image. */
export function container(more: JsonObject): JsonObject {
  return { name: 'main', image: 'busybox', ...more };
}

/** The spec of a Pod with one container. The grace period is short, so that the end of a case is. */
export function podSpec(main: JsonObject, more: JsonObject = {}): JsonObject {
  return { terminationGracePeriodSeconds: 1, containers: [container(main)], ...more };
}

export function pod(name: string, main: JsonObject, more: JsonObject = {}): ClusterObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: podSpec(main, more),
  };
}

/** Pods as a workload makes them: labelled `app: <name>`. */
export function template(name: string, main: JsonObject, more: JsonObject = {}): JsonObject {
  return { metadata: { labels: { app: name } }, spec: podSpec(main, more) };
}

/** A Job whose Pods are not restarted in place. */
export function job(
  name: string,
  main: JsonObject,
  more: JsonObject = {},
  pods: JsonObject = {},
): ClusterObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: { spec: podSpec(main, { restartPolicy: 'Never', ...pods }) }, ...more },
  };
}

export function workload(
  kind: 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'DaemonSet',
  name: string,
  main: JsonObject,
  { pods = {}, ...more }: JsonObject & { readonly pods?: JsonObject } = {},
): ClusterObject {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: { selector: { matchLabels: { app: name } }, template: template(name, main, pods), ...more },
  };
}

export function service(name: string, more: JsonObject = {}): ClusterObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }], ...more },
  };
}

export function configMap(name: string, data: JsonObject): ClusterObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

/**
 * A container that runs and is never ready. One that merely ends at once may be seen running first, and without a probe running is
 * ready: whoever counts ready Pods then goes on.
 */
export const neverReady = {
  command: runForever,
  readinessProbe: { exec: { command: ['false'] }, periodSeconds: 1 },
};

/** A probe that asks once a second and believes the first answer. */
export function eachSecond(probe: JsonObject): JsonObject {
  return { periodSeconds: 1, failureThreshold: 1, successThreshold: 1, ...probe };
}

/** A Pod called `one` with one volume, mounted at /v. */
export function podWithVolume(volume: JsonObject, main: JsonObject, more: JsonObject = {}): ClusterObject {
  const mounted = { volumeMounts: [{ name: 'v', mountPath: '/v' }], ...main };
  return pod('one', mounted, { volumes: [{ name: 'v', ...volume }], ...more });
}

export function secret(name: string, stringData: JsonObject): ClusterObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData };
}
