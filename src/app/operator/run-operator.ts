import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { apiVersion, group } from '../../api/group.ts';
import { openstackDeployment } from '../../api/openstack-deployment.ts';
import { CodedError } from '../../base/coded-error.ts';
import { type Clock, systemClock } from '../../cluster/clock.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { findObject } from '../../cluster/find-object.ts';
import { findAccess } from '../../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../cluster/kubernetes/kubernetes-cluster.ts';
import { type LeaderElectionOptions, lead, type Term } from '../../cluster/leader-election.ts';
import type { LeaseRef } from '../../cluster/lease-record.ts';
import { actInTerm } from './act-in-term.ts';
import { startHealthServer } from './health-server.ts';
import { leaseIsHeld, leaseSpecOf, leaseType } from './lease-held.ts';
import { leaseName } from './lease-name.ts';
import { type OperatorLog, openLog } from './operator-log.ts';
import { OperatorMetrics } from './operator-metrics.ts';
import type { OperatorRequest } from './operator-request.ts';
import { OperatorState } from './operator-state.ts';
import { Redactor } from './redactor.ts';
import { untilDefinitionsFit } from './until-definitions-fit.ts';

/** What the operator is run with. */
export interface OperatorWorld {
  /** Stops it: passes end, the lease is handed over. */
  readonly signal: AbortSignal;
  /** Gets the log, whole lines. */
  readonly write: (line: string) => void;
  readonly clock?: Clock;
  /** For tests: another identity and shorter times. */
  readonly election?: Partial<
    Pick<LeaderElectionOptions, 'identity' | 'leaseSeconds' | 'renewDeadlineSeconds' | 'retrySeconds'>
  >;
  /** Told where probes and metrics are once they answer. */
  readonly onListening?: (port: number) => void;
}

/**
 * Runs the operator until it is told to stop (`stopped`) or another took the lead (`lost`). Then it does nothing more and the process must
 * end: one that stood for election again would carry over what it believed of the cluster, while one that is started anew
 * begins with nothing, and its restart is seen. Throws what makes starting impossible.
 */
export async function runOperator(
  request: OperatorRequest,
  world: OperatorWorld,
): Promise<'stopped' | 'lost'> {
  const { signal, clock = systemClock } = world;
  const redactor = new Redactor();
  const log = openLog({
    level: request.logLevel,
    format: request.logFormat,
    redactor,
    write: world.write,
    clock,
  });
  const metrics = new OperatorMetrics();
  const state = new OperatorState(metrics);
  const access = await findAccess({
    ...(request.kubeconfig === undefined ? {} : { kubeconfig: request.kubeconfig }),
    ...(request.context === undefined ? {} : { context: request.context }),
  });
  const cluster = KubernetesCluster.to(access, { clock, onAnswer: answer => metrics.answered(answer) });
  const health = await startHealthServer(request.metricsAddress, {
    says: () => state.says,
    isReady: () => state.isReady,
    metrics: () => metrics.text(),
  });
  world.onListening?.(health.port);
  const identity = world.election?.identity ?? `${hostname()}_${randomUUID()}`;
  log.info('operator started', {
    server: access.server,
    identity,
    namespace: request.namespace ?? 'all',
    port: health.port,
  });
  try {
    if (!(await untilServed({ cluster, log, clock, signal }, request.namespace))) return 'stopped';
    // Before it stands by, too: as long as it is not ready, a rollout leaves the operator that can act where it is.
    if (!(await untilDefinitionsFit({ cluster, log, clock, state, signal }))) return 'stopped';
    const act = (term: Term) =>
      actInTerm({ cluster, log, metrics, state, redactor, clock, request, stop: signal }, term);
    const lease = { namespace: request.namespace ?? access.namespace, name: leaseName };
    if (!request.leaderElect) await refuseBesideLeader(cluster, lease, clock.wall());
    state.standBy();
    log.info('standing by for the lead', { lease: `${lease.namespace}/${lease.name}` });
    const onTrouble = (error: unknown) => log.warn('the lease cannot be held or seen', { error });
    const end = await lead(cluster, { lease, ...world.election, identity, clock, onTrouble }, act, signal);
    if (end === 'stopped') return 'stopped';
    log.error('the lead is lost; this process ends', { identity });
    return 'lost';
  } finally {
    state.end();
    await health.close();
    await cluster.close();
    log.info('operator ended', { identity });
  }
}

/** Who does not wait for the lead must be alone: two would take the place of each other for ever. */
async function refuseBesideLeader(cluster: Cluster, lease: LeaseRef, now: number): Promise<void> {
  const found = await findObject(cluster, { ...leaseType, ...lease });
  if (!found || !leaseIsHeld(found, now)) return;
  const { holderIdentity } = leaseSpecOf(found);
  throw new CodedError(
    'OperatorAtWork',
    `${holderIdentity} has the lead (Lease ${lease.namespace}/${lease.name}), and with --leader-elect=false nobody is waited for`,
  );
}

/** How long until it is looked again whether our kinds are there. */
const lookAgainMilliseconds = 2000;

/** Waits until the cluster answers and has our kinds: without them nothing can be followed. False when told to stop before. */
async function untilServed(
  { cluster, log, clock, signal }: { cluster: Cluster; log: OperatorLog; clock: Clock; signal: AbortSignal },
  namespace: string | undefined,
): Promise<boolean> {
  const type = { apiVersion, kind: openstackDeployment.kind };
  while (!signal.aborted) {
    try {
      await cluster.list(type, { limit: 1, ...(namespace === undefined ? {} : { namespace }) });
      return true;
    } catch (error) {
      log.warn(
        `records cannot be read yet: is the cluster up, are the CRDs of ${group} there, and the rights?`,
        { error },
      );
    }
    await clock.sleep(lookAgainMilliseconds, signal);
  }
  return false;
}
