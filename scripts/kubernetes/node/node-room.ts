import { access, mkdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processIdentity } from '../process/process-identity.ts';
import { startWatched, type WatchedProcess } from '../process/watched-process.ts';
import { whenReady } from '../process/when-ready.ts';
import { makeControlGroup, removeControlGroup } from './control-groups.ts';
import { connectNode, type NodeAddresses } from './network.ts';

/** Namespaces of their own, in which the processes of a node see a machine of their own. */
export interface NodeRoom {
  readonly addresses: NodeAddresses;
  readonly controlGroup: string;
  /** What stands before a command line to run it inside. Paths must be absolute: the working folder is the root. */
  readonly enter: readonly string[];
  /** Ends everything inside at once and removes what the kernel does not. Safe to call again. */
  close(): Promise<void>;
}

/** Settings of the kernel that a kubelet changes for the whole machine; it gets files instead. */
const sysctls = {
  'vm/overcommit_memory': '1',
  'vm/panic_on_oom': '0',
  'kernel/panic': '10',
  'kernel/panic_on_oops': '1',
  'kernel/keys/root_maxkeys': '1000000',
  'kernel/keys/root_maxbytes': '25000000',
} as const;

/**
 * The first process of the room. It must reap what others leave. When it ends, the kernel ends all processes inside, and
 * with them mounts, network and rules.
 */
const firstProcess = `set -e
room=$1
for name in ${Object.keys(sysctls).join(' ')}; do mount --bind "$room/sys/$name" "/proc/sys/$name"; done
mount -t overlay overlay -o "lowerdir=/var,upperdir=$room/var,workdir=$room/var-work" /var
mount --bind "$room/resolv.conf" /etc/resolv.conf
mount -t tmpfs tmpfs /run
mount --make-rshared /
ip link set lo up
echo 1 >/proc/sys/net/ipv4/ip_forward
touch "$room/ready"
sleep infinity &
while :; do wait || :; done`;

/** Opens a room in an empty part of a run's folder. It dies with this process, whatever happens to it. Needs root. */
export async function openNodeRoom(runFolder: string): Promise<NodeRoom> {
  const folder = join(runFolder, 'room');
  await writeRoomFiles(folder);
  const controlGroup = await makeControlGroup((await processIdentity()) ?? '');
  const room = await startWatched({
    name: 'room',
    program: 'unshare',
    arguments: [
      ...['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private'],
      ...['sh', '-c', firstProcess, 'first', folder],
    ],
    logFile: join(runFolder, 'room.log'),
    folder: runFolder,
  });
  const close = async () => {
    await room.kill();
    await removeControlGroup(controlGroup);
  };
  try {
    await whenReady(room, 'the room of the node is furnished', async () => {
      return access(join(folder, 'ready')).then(() => true);
    });
    const first = await firstInside(room);
    const enter = ['nsenter', '-t', String(first), '-m', '-n', '-p', '--'];
    return { addresses: await connectNode(first), controlGroup, enter, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function writeRoomFiles(folder: string): Promise<void> {
  for (const name of ['var', 'var-work', 'sys/vm', 'sys/kernel/keys']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  for (const [name, value] of Object.entries(sysctls)) {
    await writeFile(join(folder, 'sys', name), `${value}\n`);
  }
  // Nobody answers there, at once. With the machine's own, lookups would hang: the room has no way out.
  await writeFile(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\n');
}

/** Of the children of `unshare` the one that counts processes anew; the other is our watchdog. */
async function firstInside(room: WatchedProcess): Promise<number> {
  const here = await readlink('/proc/self/ns/pid');
  const children = await readFile(`/proc/${room.pid}/task/${room.pid}/children`, 'utf8');
  for (const child of children.trim().split(' ')) {
    if ((await readlink(`/proc/${child}/ns/pid`)) !== here) return Number(child);
  }
  throw new Error('the room has no first process');
}
