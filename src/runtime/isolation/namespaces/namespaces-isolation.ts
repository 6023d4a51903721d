import { join } from 'node:path';
import { CodedError } from '../../../base/coded-error.ts';
import type { ContainerSpec, PodSandbox } from '../../container/containers.ts';
import { AddressPool } from '../address-pool.ts';
import { type AddressRange, podRange } from '../address-range.ts';
import type {
  ExecPlace,
  ExecPlan,
  Isolation,
  PodAddresses,
  Refusal,
  RunPlace,
  StartPlan,
} from '../isolation.ts';
import { leadToProgram, systemProgram } from '../program-lead.ts';
import { startLead } from '../start-lead.ts';
import { planMounts, rootOf } from './plan-mounts.ts';
import { PodNetwork } from './pod-network.ts';

/**
 * Pods with a network of their own, containers with their own mounts, host name and process numbers, as on a cluster: a program is
 * the first process of its container, and with it all others end. Needs root.
 */
export class NamespacesIsolation implements Isolation {
  readonly kind = 'namespaces';
  readonly endsTogether = true;
  readonly #pool: AddressPool;
  readonly #network: PodNetwork;

  /** The folder is named as it really is: mount points are compared with it. */
  constructor(stateFolder: string, range: AddressRange) {
    this.#pool = new AddressPool(podRange(range), join(stateFolder, 'next-address'));
    this.#network = new PodNetwork(stateFolder, range);
  }

  open(): Promise<void> {
    return this.#network.open();
  }

  addressFor(pod: PodSandbox, taken: ReadonlySet<string>): PodAddresses {
    const { hostIp } = this.#network;
    return { ip: pod.hostNetwork ? hostIp : this.#pool.take(taken), hostIp };
  }

  async openPod(pod: PodSandbox, { ip }: PodAddresses, alive: number | undefined): Promise<void> {
    if (!pod.hostNetwork) await this.#network.connect({ uid: pod.uid, ip, alive });
  }

  closePod(podUid: string): Promise<void> {
    return this.#network.disconnect(podUid);
  }

  async plan(pod: PodSandbox, spec: ContainerSpec, place: RunPlace): Promise<StartPlan | Refusal> {
    const network = pod.hostNetwork ? undefined : this.#network.fileOf(pod.uid);
    if (!pod.hostNetwork && network === undefined)
      throw new CodedError('PodNetworkFailed', `the Pod ${pod.namespace}/${pod.name} has no network`);
    const mounts = planOrRefusal(spec, place);
    if ('refused' in mounts) return mounts;
    const workingDir = spec.workingDir ?? '/';
    const { root } = mounts;
    return {
      enter: [
        ...(network === undefined ? [] : ['nsenter', `--net=${network}`]),
        'unshare',
        '--pid',
        '--fork',
        '--kill-child',
        '--uts',
        '--mount',
        '--propagation',
        'slave',
      ],
      hostname: pod.hostname,
      mounts: `${mounts.lines.join('\n')}\n`,
      // From the run's folder, where the shim is: mounts may cover its full name.
      lead: startLead(place.runFolder, '.', leadToProgram(spec, { root, workingDir })),
      seesMachine: root === undefined,
      podRoot: '',
    };
  }

  planExec({ spec, runFolder, firstPid }: ExecPlace, command: readonly string[]): ExecPlan {
    const workingDir = spec.workingDir ?? '/';
    const root = rootOf(runFolder);
    const enter = [
      ...[systemProgram('nsenter') ?? 'nsenter', `--target=${firstPid}`],
      ...['--mount', '--uts', '--net', '--pid'],
    ];
    // The root is changed to by its name: the first process itself may be just about to do so.
    const lead = root
      ? ['--', ...leadToProgram(spec, { root, workingDir })]
      : [`--wdns=${workingDir}`, '--', ...leadToProgram(spec)];
    return { command: [...enter, ...lead, ...command], waitsOutside: true };
  }

  takeDown(): Promise<void> {
    return this.#network.takeDown();
  }
}

function planOrRefusal(spec: ContainerSpec, place: RunPlace): ReturnType<typeof planMounts> | Refusal {
  try {
    return planMounts(spec, place);
  } catch (error) {
    // A source that is not there, or a volume that cannot be written: the run cannot start, and says why.
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}
