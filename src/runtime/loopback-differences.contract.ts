import type { RuntimeDifference } from './contract/runtime-world.ts';

// Why: Pods share the files, the host name and the ports of the machine, and the manifests of the suite are those for a node.
const files = 'its mounts are below $POD_ROOT, and the manifest names them as on a node';
const sharedFolder = 'its scripts meet in /tmp, which is one for all Pods here';
const termination = 'its termination log is below $POD_ROOT, and the manifest writes to /dev';
const hostname = 'its host name is that of the machine';
const everyAddress = 'its server listens on every address, and two such cannot be on one machine';

function leftOut(because: string, ...all: readonly string[]): RuntimeDifference[] {
  return all.map(leavesOut => ({ leavesOut, because }));
}

/** What the suite leaves out where there are no namespaces. */
export const loopbackDifferences: readonly RuntimeDifference[] = [
  ...leftOut(
    files,
    'volumes',
    'a missing ConfigMap in a volume: ContainerCreating, until it is there',
    'an optional ConfigMap need not be there',
    'logs of this run and of the one before',
    'with restart policy OnFailure the container is tried again in its Pod',
    'restart OnFailure: until it ends well',
    'they run one after the other, before all others',
    'one that fails once, and then not: the Pod runs',
    'one that is restarted always runs beside the others, and does not keep the Pod from its end',
    'deleting a Pod ends all its processes',
    'its volumes stay when it is scaled to nothing and back',
  ),
  ...leftOut(
    sharedFolder,
    'readiness by a program: its exit code',
    'liveness restarts a container that no longer answers',
    'a startup probe keeps the others waiting until it has succeeded',
    'postStart runs beside the container, and one that fails ends it',
  ),
  ...leftOut(
    termination,
    'what a container wrote to its termination log is the message',
    'preStop runs before SIGTERM, within the grace period',
  ),
  ...leftOut(
    hostname,
    'an indexed Job gives each Pod its number',
    'a Pod knows its name: hostname and hosts file',
  ),
  ...leftOut(
    everyAddress,
    'Services',
    'each Pod has a name of its own behind a headless Service',
    'readiness by HTTP: endpoints leave and come back with it, and nothing is restarted',
    'readiness by TCP: only when somebody listens',
    'liveness by HTTP: a page that is not there is a failure, a redirect is not',
  ),
];
