import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../../../base/coded-error.ts';
import { shellWord } from '../../container/shim/run-script.ts';
import { identityLine, type ProcessIdentity } from '../../process/process-identity.ts';
import type { AddressRange } from '../address-range.ts';
import { type Bridge, bridgeOf, linkName, openBridge, podHardwareAddress, removeBridge } from './bridge.ts';
import { endKeeper, findKeeper, keeperOf } from './network-keeper.ts';
import { runProgram } from './run-program.ts';

interface Connection {
  readonly uid: string;
  readonly ip: string;
  /** A process that is in the Pod's network already, after its keeper was lost. */
  readonly alive: number | undefined;
}

interface Request {
  readonly connection: Connection;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A script's length is bounded, and so is what is lost when one of many fails. */
const mostAtOnce = 64;

/**
 * The networks of Pods: a namespace each, with an end of a connection to the bridge. Pods that are asked for while others are being
 * connected are connected together, by one script.
 */
export class PodNetwork {
  readonly #stateFolder: string;
  readonly #folder: string;
  readonly #range: AddressRange;
  readonly #bridge: Bridge;
  #waiting: Request[] = [];
  #isConnecting = false;

  constructor(stateFolder: string, range: AddressRange) {
    this.#stateFolder = stateFolder;
    this.#folder = join(stateFolder, 'networks');
    this.#range = range;
    this.#bridge = bridgeOf(stateFolder, range);
  }

  get hostIp(): string {
    return this.#bridge.ip;
  }

  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o711 });
    await openBridge(this.#bridge, this.#range);
    await keeperOf(this.#stateFolder);
  }

  /** The file that stands for a Pod's network; undefined when the Pod has none. */
  fileOf(uid: string): string | undefined {
    const keeper = findKeeper(this.#stateFolder);
    if (!keeper || !this.#isConnected(uid, keeper)) return undefined;
    return `/proc/${keeper.pid}/root${join(this.#folder, uid)}`;
  }

  async connect(connection: Connection): Promise<void> {
    if (this.fileOf(connection.uid) !== undefined) return;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ connection, resolve, reject });
      if (!this.#isConnecting) void this.#connectWaiting();
    });
  }

  /** Taking the file away unmounts the namespace; the kernel removes both ends of the connection with its last process. */
  async disconnect(uid: string): Promise<void> {
    await rm(join(this.#folder, `${uid}.ready`), { force: true });
    await rm(join(this.#folder, uid), { force: true });
  }

  async takeDown(): Promise<void> {
    endKeeper(this.#stateFolder);
    await rm(this.#folder, { recursive: true, force: true });
    await removeBridge(this.#bridge, this.#range);
  }

  #isConnected(uid: string, keeper: ProcessIdentity): boolean {
    try {
      return readFileSync(join(this.#folder, `${uid}.ready`), 'utf8') === identityLine(keeper);
    } catch {
      return false;
    }
  }

  async #connectWaiting(): Promise<void> {
    this.#isConnecting = true;
    // After whatever else happens in this turn: it may ask for more.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, mostAtOnce);
      try {
        await this.#connectAll(group.map(({ connection }) => connection));
        for (const { resolve } of group) resolve();
      } catch {
        for (const one of group) await this.#connectAll([one.connection]).then(one.resolve, one.reject);
      }
    }
    this.#isConnecting = false;
  }

  async #connectAll(connections: readonly Connection[]): Promise<void> {
    const keeper = await keeperOf(this.#stateFolder);
    const lost = connections.filter(({ uid }) => !this.#isConnected(uid, keeper));
    const script = [
      `exec 9>>${shellWord(join(this.#stateFolder, 'networks.lock'))}`,
      // The script of a manager that was killed meanwhile goes to its end first.
      'flock 9 || exit 1',
      ...lost.map(connection => this.#scriptOf(connection)),
      'ip -batch - <<END || exit 1',
      ...lost.map(({ ip }) => `link set ${linkName(this.#range, ip)} master ${this.#bridge.name} up`),
      'END',
      ...lost.map(
        ({ uid }) => `echo ${identityLine(keeper).trim()} >${shellWord(join(this.#folder, `${uid}.ready`))}`,
      ),
    ];
    const command = ['nsenter', `--mount=/proc/${keeper.pid}/ns/mnt`, 'sh', '-c', script.join('\n')];
    const { code, stderr } = await runProgram(command);
    if (code !== 0) {
      const pods = lost.map(({ uid }) => uid);
      throw new CodedError('PodNetworkFailed', `no network for Pods: ${stderr}`, { details: { pods } });
    }
  }

  #scriptOf({ uid, ip, alive }: Connection): string {
    const path = join(this.#folder, uid);
    const file = shellWord(path);
    const link = linkName(this.#range, ip);
    const again = existsSync(path) ? [`umount ${file} 2>/dev/null`] : [];
    if (alive !== undefined) {
      return [...again, `: >${file}`, `mount --bind /proc/${alive}/ns/net ${file} || exit 1`].join('\n');
    }
    return [
      ...again,
      ...(again.length > 0 ? [`ip link del ${link} 2>/dev/null`] : []),
      `: >${file}`,
      `unshare --net=${file} ip -batch - <<END || exit 1`,
      // The shell of this script is in the machine's network: the other end goes there.
      `link add eth0 address ${podHardwareAddress(ip)} type veth peer name ${link} netns $$`,
      'link set lo up',
      `addr add ${ip}/${this.#bridge.prefix} dev eth0`,
      'link set eth0 up',
      `route add default via ${this.#bridge.ip}`,
      'END',
    ].join('\n');
  }
}
