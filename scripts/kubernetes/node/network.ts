import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The addresses of one node. Each node on this machine has others, so that several can run. */
export interface NodeAddresses {
  /** The machine's end of the line to the node. */
  readonly machine: string;
  readonly node: string;
  readonly podRange: string;
  readonly serviceRange: string;
  readonly firstServiceAddress: string;
}

const most = 64;

/**
 * Blocks of 198.18.0.0/16, which is set aside for tests of network devices (RFC 2544): no network that somebody uses is
 * hidden by them.
 */
export function addressesOf(number: number): NodeAddresses {
  const block = (offset: number) => `198.18.${offset + number}`;
  return {
    machine: `${block(0)}.1`,
    node: `${block(0)}.2`,
    podRange: `${block(most)}.0/24`,
    serviceRange: `${block(2 * most)}.0/24`,
    firstServiceAddress: `${block(2 * most)}.1`,
  };
}

/**
 * Lays a line between this machine and the network namespace of that process, and routes to pods and Services over it. The
 * kernel takes all of it away when the namespace ends.
 */
export async function connectNode(pid: number): Promise<NodeAddresses> {
  const { number, link } = await addLink(pid);
  const addresses = addressesOf(number);
  const inside = ['-t', String(pid), '-n', 'ip'];
  await run('ip', ['address', 'add', `${addresses.machine}/24`, 'dev', link]);
  await run('ip', ['link', 'set', link, 'up']);
  await run('nsenter', [...inside, 'address', 'add', `${addresses.node}/24`, 'dev', 'eth0']);
  await run('nsenter', [...inside, 'link', 'set', 'eth0', 'up']);
  // kube-proxy and kubelet look for a default route to learn which address is theirs.
  await run('nsenter', [...inside, 'route', 'add', 'default', 'via', addresses.machine]);
  for (const range of [addresses.podRange, addresses.serviceRange]) {
    await run('ip', ['route', 'add', range, 'via', addresses.node]);
  }
  // Pods that are there have routes of their own. What is sent to one that is gone is answered, instead of going to and fro on this line.
  await run('nsenter', [...inside, 'route', 'add', 'unreachable', addresses.podRange]);
  return addresses;
}

/** The first number whose link is not there yet: the kernel makes sure that only one of us gets it. */
async function addLink(pid: number): Promise<{ number: number; link: string }> {
  let refusal: unknown;
  for (let number = 0; number < most; number += 1) {
    const link = `afloat${number}`;
    try {
      await run('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid)]);
      return { number, link };
    } catch (error) {
      refusal = error;
      if (!String(error).includes('File exists')) break;
    }
  }
  throw new Error('no line could be laid to the node', { cause: refusal });
}
