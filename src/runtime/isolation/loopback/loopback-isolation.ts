import { readFileSync } from 'node:fs';
import type { ContainerSpec, PodSandbox } from '../../container/containers.ts';
import { AddressPool } from '../address-pool.ts';
import { type AddressRange, addressNumber, podRange, rangeOf, wholeRange } from '../address-range.ts';
import type {
  ExecPlace,
  ExecPlan,
  Isolation,
  PodAddresses,
  Refusal,
  RunPlace,
  StartPlan,
} from '../isolation.ts';
import { leadToProgram, refusedUser } from '../program-lead.ts';
import { startLead } from '../start-lead.ts';
import { linkMounts } from './link-mounts.ts';

/**
 * Pods on loopback addresses of their own: no rights are needed. Programs share the machine's files and see each other; they must listen
 * on `$POD_IP` and find their volumes under `$POD_ROOT`.
 */
export class LoopbackIsolation implements Isolation {
  readonly kind = 'loopback';
  readonly endsTogether = false;
  readonly #pool: AddressPool;

  constructor(range: AddressRange) {
    this.#pool = new AddressPool(podRange(range));
  }

  async open(): Promise<void> {}

  addressFor(pod: PodSandbox, taken: ReadonlySet<string>): PodAddresses {
    return { ip: pod.hostNetwork ? '127.0.0.1' : this.#pool.take(taken), hostIp: '127.0.0.1' };
  }

  async openPod(): Promise<void> {}

  async closePod(): Promise<void> {}

  async plan(_pod: PodSandbox, spec: ContainerSpec, place: RunPlace): Promise<StartPlan | Refusal> {
    const refused =
      spec.root === undefined ? refusedUser(spec) : 'a root of its own needs namespaces, that is, root';
    if (refused !== undefined) return { refused };
    const links = await linkMounts(spec.mounts, place.runFolder);
    if ('refused' in links) return links;
    return {
      enter: [],
      lead: startLead(place.runFolder, place.runFolder, leadToProgram(spec)),
      workingDir: spec.workingDir ?? '/',
      seesMachine: true,
      podRoot: links.root,
    };
  }

  planExec({ spec }: ExecPlace, command: readonly string[]): ExecPlan {
    return {
      command,
      waitsOutside: false,
      workingDir: spec.workingDir ?? '/',
      ...(spec.user === undefined ? {} : { user: spec.user }),
      ...(spec.group === undefined ? {} : { group: spec.group }),
    };
  }

  async takeDown(): Promise<void> {}
}

/** The range of a state folder on loopback: one in which nobody listens. */
export function loopbackRange(stateFolder: string): Promise<AddressRange> {
  const used = listeningAddresses();
  return rangeOf(stateFolder, 'loopback', range => {
    const { first, count } = wholeRange(range);
    return !used.some(address => address >= first && address < first + count);
  });
}

/** The addresses that some process listens on, from the kernel's table. */
function listeningAddresses(): number[] {
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return lines.flatMap(line => {
    // The four bytes stand in the order of the machine, which is the last one first wherever Node runs today.
    const bytes = /^\s*\d+: ([0-9A-F]{8}):/.exec(line)?.[1]?.match(/../g);
    if (!bytes) return [];
    return addressNumber(
      bytes
        .toReversed()
        .map(byte => Number.parseInt(byte, 16))
        .join('.'),
    );
  });
}
