import type { Cluster } from '../cluster/cluster.ts';
import { isReason } from '../cluster/cluster-error.ts';
import type { LogQuery, LogSource, ReadPodLog } from '../cluster/pod-log.ts';
import type { EnginePorts } from '../controller/engine-world.ts';
import { ClusterPackages } from '../controller/store/cluster-packages.ts';
import { pushPackages } from '../controller/store/push-packages.ts';
import type { DataDriver } from '../data/data.ts';
import { mariadbData } from '../data/mariadb/mariadb-data.ts';
import { tasksData } from '../data/tasks/tasks-data.ts';
import type { PodLogs } from '../driver/driver.ts';
import { openRemoteGit, openRootedSource } from '../package/source/open-source.ts';
import { charts } from './open-packages.ts';
import { OperatorPackages } from './operator-packages.ts';
import { takesConnection } from './takes-connection.ts';

/** A slice is asked for no longer than this before it takes traffic. */
const warmUpMilliseconds = 5000;

/** The end of a log is waited for no longer than this. */
const logMilliseconds = 10_000;

/** Kinds of databases, by the word for them in a package. */
const dataDrivers: Readonly<Record<string, DataDriver>> = { tasks: tasksData, mariadb: mariadbData };

/** What the engine acts through wherever it runs: packages as the cluster keeps them, data by tasks, and a first request to a slice. */
export function sharedPorts(
  cluster: Cluster,
  /** A folder on this machine that packages may lie in too. */
  packageRoot?: string,
): Pick<EnginePorts, 'data' | 'warmUp' | 'answers'> & {
  readonly packages: (namespace: string) => OperatorPackages;
} {
  const root = packageRoot === undefined ? undefined : openRootedSource(packageRoot);
  const known = new Map<string, OperatorPackages>();
  return {
    data: driver => dataDrivers[driver],
    packages: namespace => {
      const found =
        known.get(namespace) ??
        new OperatorPackages(new ClusterPackages(cluster, namespace), {
          ...(root ? { root } : {}),
          git: openRemoteGit(),
          charts,
          keep: fetched => pushPackages(cluster, namespace, [fetched]),
        });
      known.set(namespace, found);
      return found;
    },
    warmUp,
    answers: takesConnection,
  };
}

/** An answer of whatever kind warms it up; none, or one that says the server is not well, does not. */
async function warmUp(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(warmUpMilliseconds) });
    await answer.arrayBuffer();
    return answer.status < 500;
  } catch {
    // Nobody answers yet: that is what is asked here.
    return false;
  }
}

/** The end of what a container wrote, from whoever has it; nothing where the container is gone or never began. */
export function podLogsOf(read: ReadPodLog): PodLogs {
  const tailOf = async (of: LogSource, query: LogQuery): Promise<string | undefined> => {
    const pieces: Buffer[] = [];
    // A kubelet that does not answer must not hold up a pass: what came until then is all there is.
    const signal = AbortSignal.timeout(logMilliseconds);
    try {
      for await (const piece of read(of, { ...query, signal })) pieces.push(piece);
    } catch (error) {
      if (isReason(error, 'NotFound', 'BadRequest')) return undefined;
      throw error;
    }
    return Buffer.concat(pieces).toString('utf8');
  };
  return {
    async tail({ namespace, pod, container }, tailLines) {
      const of = { namespace, pod, container };
      const now = await tailOf(of, { tailLines });
      // One that crashed and was just started again has said nothing yet: what it said before its end is asked for.
      return now || ((await tailOf(of, { tailLines, previous: true })) ?? now);
    },
  };
}
