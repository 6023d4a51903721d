import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '../../../base/coded-error.ts';
import {
  identityLine,
  isAlive,
  type ProcessIdentity,
  parseIdentity,
  signalProcess,
} from '../../process/process-identity.ts';
import { systemPath } from '../program-lead.ts';

/**
 * A process that does nothing but have a mount namespace, in which the network namespaces of Pods are kept. In the machine's own they
 * would be there for everybody to see and to copy: each container's mount namespace would keep those of all other Pods alive.
 *
 * Of two that are started at the same time, one finds the other's file and ends.
 */
const keeperScript = `
read -r stat </proc/self/stat && read -r boot </proc/sys/kernel/random/boot_id || exit 1
pid=\${stat%% *}
set -- \${stat##*) }
echo "$pid \${20} $boot" >"$KEEPER.$pid.\${20}.$boot" && ln "$KEEPER.$pid.\${20}.$boot" "$KEEPER" || exit 0
exec sleep 2147483647 >/dev/null
`;

/** The keeper of a state folder, started if there is none. It outlives this process. */
export async function keeperOf(stateFolder: string): Promise<ProcessIdentity> {
  const file = join(stateFolder, 'network-keeper');
  const known = findKeeper(stateFolder);
  if (known) return known;
  rmSync(file, { force: true });
  const child = spawn('unshare', ['--mount', '--propagation', 'slave', 'sh', '-c', keeperScript], {
    cwd: '/',
    detached: true,
    env: { PATH: systemPath, KEEPER: file },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.unref();
  child.on('error', () => {});
  // It lets go of its output when it has written down who it is, or when it ends.
  await once(child.stdout.resume(), 'close');
  const keeper = findKeeper(stateFolder);
  if (!keeper)
    throw new CodedError('PodNetworkFailed', 'the process that keeps the networks of Pods cannot be started');
  return keeper;
}

/** The keeper that runs; undefined when none does. */
export function findKeeper(stateFolder: string): ProcessIdentity | undefined {
  try {
    const keeper = parseIdentity(readFileSync(join(stateFolder, 'network-keeper'), 'utf8'));
    return keeper && isAlive(keeper) ? keeper : undefined;
  } catch {
    return undefined;
  }
}

/** Ends the keeper, and with it every network namespace in which no process is. */
export function endKeeper(stateFolder: string): void {
  const keeper = findKeeper(stateFolder);
  if (keeper) signalProcess(keeper, 'SIGKILL');
  rmSync(join(stateFolder, 'network-keeper'), { force: true });
  if (keeper) {
    const [pid, started, boot] = identityLine(keeper).trim().split(' ');
    rmSync(join(stateFolder, `network-keeper.${pid}.${started}.${boot}`), { force: true });
  }
}
