import type { Node } from '../../../scripts/kubernetes/node/start-node.ts';
import { waitUntil } from '../../../scripts/kubernetes/process/wait-until.ts';
import type { TestNode } from '../../../scripts/kubernetes/test-node.ts';
import { leaseName } from '../../../src/app/operator/lease-name.ts';
import type { Cluster, StoredObject } from '../../../src/cluster/cluster.ts';
import { findObject } from '../../../src/cluster/find-object.ts';
import { processesOfContainer } from './processes-of-container.ts';

/** A node that nobody else uses: what runs on it may be killed. */
export type OwnNode = Node & TestNode & { readonly ctr: readonly string[] };

/** The operator's images on the node, the same program twice: the second is what an upgrade of the operator goes to. */
export const operatorImages = { repository: 'afloat.test/operator', tags: ['1', '2'] } as const;

const podType = { apiVersion: 'v1', kind: 'Pod' };

interface PodStatus {
  readonly podIP?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly containerStatuses?: readonly { readonly containerID?: string; readonly restartCount: number }[];
}
const statusOf = (pod: StoredObject) => (pod['status'] ?? {}) as PodStatus;

/** A pod that may be killed at any moment. */
export interface Aim {
  readonly name: string;
  /** Its processes are gone with kill -9 when this returns, with no word to anybody. */
  readonly kill: () => void;
}

function killProcess(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch (error) {
    // What a process of the operator had started may be over by now.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The pods of the operator, and what can be done to them. */
export class OperatorPods {
  readonly #node: OwnNode;
  readonly #cluster: Cluster;
  readonly #namespace: string;

  constructor(node: OwnNode, cluster: Cluster, namespace: string) {
    this.#node = node;
    this.#cluster = cluster;
    this.#namespace = namespace;
  }

  async untilReady(count: number): Promise<void> {
    await waitUntil(`${count} operators are ready`, 240, async () => {
      const pods = await this.#pods();
      const ready = pods.filter(pod =>
        statusOf(pod).conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
      );
      return ready.length === count && pods.length === count;
    });
  }

  /** Waits for a pod that has the lead and is not this one. It is the beginning of who holds the lease. */
  async untilLeads(but = ''): Promise<string> {
    return waitUntil('an operator leads', 120, async () => {
      const lease = await findObject(this.#cluster, this.#lease);
      const { holderIdentity = '' } = (lease?.['spec'] ?? {}) as { holderIdentity?: string };
      const [name = ''] = holderIdentity.split('_');
      return name !== '' && name !== but && name;
    });
  }

  /** Finds the processes of a pod beforehand, so that the kill itself takes no time. */
  async aimAt(name: string): Promise<Aim> {
    const processes = await waitUntil(`processes of ${name}`, 30, async () => {
      const pod = await this.#cluster.get(this.#ref(name));
      const id = statusOf(pod).containerStatuses?.[0]?.containerID?.split('//')[1];
      const found = id === undefined ? [] : await processesOfContainer(id);
      return found.length > 0 && found;
    });
    return { name, kill: () => processes.forEach(killProcess) };
  }

  /** Takes the Pod of a killed one away, so that another comes without a back-off. */
  async replace(name: string): Promise<void> {
    await this.#cluster.delete(this.#ref(name), { gracePeriodSeconds: 0 });
  }

  /** What time would do: nobody has the lease any more. Only where its holder is dead for certain. */
  async vacateLead(): Promise<void> {
    await this.#cluster.patch(this.#lease, { type: 'merge', value: { spec: { holderIdentity: '' } } });
  }

  /** Drops everything that this pod sends to the API server, without a word; gives how to let it through again. */
  async cutOff(name: string): Promise<() => Promise<void>> {
    const { podIP = '' } = statusOf(await this.#cluster.get(this.#ref(name)));
    const nft = (words: string) => this.#node.runInside(['nft', ...words.split(' ')]);
    await nft('add table ip cutoff');
    // Before the rules of Services: what is dropped is what is sent to the API server's ClusterIP.
    await nft('add chain ip cutoff sent { type filter hook prerouting priority -350 ; }');
    await nft(`add rule ip cutoff sent ip saddr ${podIP} tcp dport 443 drop`);
    return async () => void (await nft('delete table ip cutoff'));
  }

  async restarts(name: string): Promise<number> {
    const pod = await this.#cluster.get(this.#ref(name));
    return statusOf(pod).containerStatuses?.[0]?.restartCount ?? 0;
  }

  async #pods(): Promise<readonly StoredObject[]> {
    const { items } = await this.#cluster.list(podType, { namespace: this.#namespace });
    return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  get #lease() {
    const type = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
    return { ...type, namespace: this.#namespace, name: leaseName };
  }

  #ref(name: string) {
    return { ...podType, namespace: this.#namespace, name };
  }
}
