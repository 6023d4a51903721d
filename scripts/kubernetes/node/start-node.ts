import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type ApiCall, apiCall } from '../api-call.ts';
import type { NodePrograms, Programs } from '../build/parts.ts';
import { type ControlPlane, startControlPlane } from '../control-plane.ts';
import { makeRunFolder } from '../process/run-folder.ts';
import { startWatched, type WatchedProcess } from '../process/watched-process.ts';
import { whenReady } from '../process/when-ready.ts';
import type { DebianTools } from './debian-tools.ts';
import { writeImages } from './image-from-folder.ts';
import { killContainers } from './kill-containers.ts';
import { writeContainerdFiles, writeNodeFiles } from './node-files.ts';
import { type NodeFiles, nodeFiles, nodeName } from './node-paths.ts';
import { type NodeRoom, openNodeRoom } from './node-room.ts';
import { healthPorts } from './node-settings.ts';

const run = promisify(execFile);

export interface NodeOptions {
  readonly programs: Programs & NodePrograms;
  readonly tools: DebianTools;
  readonly beforeControllers?: (call: ApiCall) => Promise<unknown>;
}

/** A whole Kubernetes of one node. Everything of it dies with this process, whatever happens to it. */
export interface Node {
  readonly folder: string;
  /** Path; a member of system:masters. */
  readonly kubeconfig: string;
  readonly server: string;
  /** The name of an image whose root has busybox and nothing else. */
  readonly image: string;
  /** The command line of containerd's own client, with which images are brought onto the node. */
  readonly ctr: readonly string[];
  readonly plane: ControlPlane;
  /** Runs a command inside: it sees the processes, links and rules of the node. Gives what it prints. */
  runInside(command: readonly string[]): Promise<string>;
  /**
   * What a reboot does to pods: kubelet, containerd and every container are killed, then both are started on what they left. Returns when
   * they answer; pods come up later. Control plane, proxy and name server run on, as on another machine.
   */
  rebootPods(): Promise<void>;
  /** Ends everything and removes the folder. Safe to call again. */
  stop(): Promise<void>;
}

const image = 'afloat.test/busybox:1';
const pauseImage = 'afloat.test/pause:1';

/**
 * Starts control plane, scheduler, containerd, kubelet, proxy and name server in namespaces of their own, in about ten
 * seconds. Ready means: pods are scheduled and run, Services have rules, names resolve. Needs root.
 */
export async function startNode(options: NodeOptions): Promise<Node> {
  const folder = await makeRunFolder();
  let room: NodeRoom | undefined;
  const stop = async () => {
    await room?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    room = await openNodeRoom(folder);
    const { enter } = room;
    const { plane, rebootPods } = await startInside(options, folder, room);
    const { kubeconfig, server } = plane;
    const runInside = async (command: readonly string[]) => {
      const [program = '', ...words] = [...enter, ...command];
      const { environment } = options.tools;
      return (await run(program, words, { env: { ...process.env, ...environment } })).stdout;
    };
    const ctr = ctrLine(options, nodeFiles(folder));
    return { folder, kubeconfig, server, image, ctr, plane, runInside, rebootPods, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startInside(
  options: NodeOptions,
  folder: string,
  room: NodeRoom,
): Promise<Pick<Node, 'plane' | 'rebootPods'>> {
  const { programs, tools } = options;
  const { node, serviceRange, firstServiceAddress } = room.addresses;
  const files = nodeFiles(folder);
  const launch = launcher(options, files, room);
  const place = { address: node, serviceRange, firstServiceAddress, enter: room.enter };
  const [plane, firstContainerd] = await Promise.all([
    startControlPlane({
      programs,
      folder,
      place,
      ...(options.beforeControllers ? { beforeControllers: options.beforeControllers } : {}),
    }),
    writeContainerdFiles(files, room, { node: programs, runc: tools.runc, pauseImage }).then(() =>
      startContainerd(launch, options, files),
    ),
  ]);
  await writeNodeFiles(files, room, plane);
  const kubeletNeeds = { node, call: apiCall(plane.admin) };
  let [kubelet] = await Promise.all([
    startKubelet(launch, files, kubeletNeeds),
    startScheduler(launch, files),
    startServing(launch, files, node),
  ]);
  let containerd = firstContainerd;
  const rebootPods = async () => {
    await kubelet.kill();
    await containerd.kill();
    await killContainers(room.controlGroup, files.containerdSocket);
    containerd = await startContainerd(launch, options, files);
    kubelet = await startKubelet(launch, files, kubeletNeeds);
  };
  return { plane, rebootPods };
}

type Launch = (name: keyof NodePrograms, flags: readonly string[]) => Promise<WatchedProcess>;

function launcher({ programs, tools }: NodeOptions, files: NodeFiles, room: NodeRoom): Launch {
  // containerd looks for its shim on the path.
  const path = `${dirname(programs.containerd)}:${tools.environment['PATH']}`;
  return (name, flags) => {
    const [program = '', ...words] = [...room.enter, programs[name], ...flags];
    return startWatched({
      name,
      program,
      arguments: words,
      logFile: join(files.folder, `${name}.log`),
      folder: files.folder,
      environment: { ...tools.environment, PATH: path },
    });
  };
}

async function startContainerd(
  launch: Launch,
  options: NodeOptions,
  files: NodeFiles,
): Promise<WatchedProcess> {
  const layers = [{ folder: options.tools.busyboxRoot }];
  const images = [
    { name: image, layers, command: ['sh'] },
    { name: pauseImage, layers, command: ['sleep', '2147483647'] }, // it holds a pod's namespaces, and is killed in the end
  ];
  const file = join(files.folder, 'images/own.tar');
  const [program = '', ...line] = ctrLine(options, files);
  const ctr = (words: readonly string[]) => run(program, [...line, ...words]);
  const containerd = await launch('containerd', ['--config', files.containerdFile]);
  await writeImages(images, file);
  await whenReady(containerd, 'containerd answers', async () => ctr(['version']).then(() => true));
  await ctr(['images', 'import', file]);
  return containerd;
}

function ctrLine({ programs }: NodeOptions, files: NodeFiles): string[] {
  return [programs.ctr, '--address', files.containerdSocket, '--namespace', 'k8s.io'];
}

async function startScheduler(launch: Launch, files: NodeFiles): Promise<void> {
  const kubeconfig = files.kubeconfigOf('kube-scheduler');
  const access = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'];
  // Not waited for: a pod waits for it by itself.
  await launch('kube-scheduler', [
    ...access.map(name => `--${name}=${kubeconfig}`),
    '--leader-elect=false',
    '--profiling=false',
  ]);
}

async function startKubelet(
  launch: Launch,
  files: NodeFiles,
  { node, call }: { node: string; call: ApiCall },
): Promise<WatchedProcess> {
  const kubelet = await launch('kubelet', [
    `--config=${files.kubeletFile}`,
    `--kubeconfig=${files.kubeconfigOf('kubelet')}`,
    `--root-dir=${files.kubeletFolder}`,
    `--cert-dir=${join(files.kubeletFolder, 'pki')}`,
    `--hostname-override=${nodeName}`,
    `--node-ip=${node}`,
  ]);
  await whenReady(kubelet, 'the node is ready', async () => {
    const { body } = await call('GET', `/api/v1/nodes/${nodeName}`);
    const { spec, status } = body as NodeObject;
    // Ready and still tainted: nothing would be scheduled.
    return (
      spec.taints === undefined &&
      status.conditions.some(one => one.type === 'Ready' && one.status === 'True')
    );
  });
  return kubelet;
}

interface NodeObject {
  readonly spec: { readonly taints?: readonly unknown[] };
  readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
}

async function startServing(launch: Launch, files: NodeFiles, node: string): Promise<void> {
  const answers = async (port: number, path: string) => (await fetch(`http://${node}:${port}${path}`)).ok;
  const proxy = await launch('kube-proxy', [`--config=${files.proxyFile}`]);
  const dns = await launch('coredns', ['-conf', files.corefile]);
  await Promise.all([
    whenReady(proxy, 'the proxy has its rules', () => answers(healthPorts.proxy, '/healthz')),
    whenReady(dns, 'the name server answers', () => answers(healthPorts.dns, '/ready')),
  ]);
}
