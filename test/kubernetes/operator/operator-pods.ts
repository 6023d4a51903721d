import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeOperatorImage } from '../../../scripts/kubernetes/node/operator-image.ts';
import type { Node } from '../../../scripts/kubernetes/node/start-node.ts';
import { waitUntil } from '../../../scripts/kubernetes/process/wait-until.ts';
import type { TestNode } from '../../../scripts/kubernetes/test-node.ts';
import { leaseName } from '../../../src/app/operator/lease-name.ts';
import type { Cluster, StoredObject } from '../../../src/cluster/cluster.ts';
import { findObject } from '../../../src/cluster/find-object.ts';

const run = promisify(execFile);

/** A node that nobody else uses: what runs on it may be killed. */
export type OwnNode = Node & TestNode & { readonly ctr: readonly string[] };

/** The name of the operator's image on the node. */
export const operatorImage = 'afloat.test/operator:1';

/** Builds the operator and brings its image onto a node. */
export async function loadOperatorImage(node: OwnNode): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'afloat-operator-image-'));
  try {
    const [ctr = '', ...line] = node.ctr;
    await run(ctr, [...line, 'images', 'import', await writeOperatorImage(operatorImage, folder)]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const podType = { apiVersion: 'v1', kind: 'Pod' };

interface PodStatus {
  readonly podIP?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly containerStatuses?: readonly { readonly containerID?: string; readonly restartCount: number }[];
}
const statusOf = (pod: StoredObject) => (pod['status'] ?? {}) as PodStatus;

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
      const ready = (await this.#pods()).filter(pod =>
        statusOf(pod).conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
      );
      return ready.length === count;
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

  /** Its process is gone with kill -9, with no word to anybody; then its Pod, so that another comes without a back-off. */
  async killHard(name: string): Promise<void> {
    const pod = await this.#cluster.get(this.#ref(name));
    const id = statusOf(pod).containerStatuses?.[0]?.containerID?.split('//')[1] ?? '';
    const [ctr = '', ...line] = this.#node.ctr;
    await run(ctr, [...line, 'tasks', 'kill', '--signal', 'SIGKILL', id]);
    await this.#cluster.delete(this.#ref(name), { gracePeriodSeconds: 0 });
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
