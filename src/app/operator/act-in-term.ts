import type { Clock } from '../../cluster/clock.ts';
import type { KubernetesCluster } from '../../cluster/kubernetes/kubernetes-cluster.ts';
import type { Term } from '../../cluster/leader-election.ts';
import { startEngine } from '../../controller/engine.ts';
import { openDrivers } from '../../driver/open-drivers.ts';
import type { EndedPass } from '../../reconcile/reconcile.ts';
import { openServiceTraffic } from '../../traffic/kubernetes-service/kubernetes-service-traffic.ts';
import { podLogsOf, sharedPorts } from '../engine-ports.ts';
import { keepRoutes, openRouters, routedTraffic } from '../routed-traffic.ts';
import type { OperatorLog } from './operator-log.ts';
import type { OperatorMetrics } from './operator-metrics.ts';
import type { OperatorRequest } from './operator-request.ts';
import type { OperatorState } from './operator-state.ts';
import type { Redactor } from './redactor.ts';
import { TermCluster } from './term-cluster.ts';
import { untilDefinitionsFit } from './until-definitions-fit.ts';

/** What a process in the lead works with. */
export interface Acting {
  readonly cluster: KubernetesCluster;
  readonly log: OperatorLog;
  readonly metrics: OperatorMetrics;
  readonly state: OperatorState;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly request: OperatorRequest;
  /** Says that the whole process is to stop. */
  readonly stop: AbortSignal;
}

/** After a lost lead passes get so long to come to their end; they can write nothing in that time, and the process ends then. */
const windDownMilliseconds = 2000;

/**
 * Carries out records for one time in the lead. Returns when nothing is done any more: told to stop, after the last pass has come to
 * its end; with the lead lost, soon. Where a newer manager is there although this one leads, it stops too.
 */
export async function actInTerm(acting: Acting, term: Term): Promise<void> {
  const { cluster, log, metrics, state, redactor, clock, request, stop } = acting;
  // The cluster may have got other definitions while this process stood by.
  if (!(await untilDefinitionsFit({ ...acting, signal: term.signal }))) return;
  state.beginToLead();
  const relieved = new AbortController();
  const signal = AbortSignal.any([term.signal, relieved.signal]);
  const mayAct = () => term.mayAct() && !state.isRelieved;
  const own = new TermCluster(cluster, { mayAct, redactor });
  const logs = podLogsOf((of, query) => cluster.podLogs(of, query));
  const routers = await openRouters(request.routers, { cluster: own, mayAct });
  keepRoutes(routers, { signal, clock, onTrouble: tellTrouble(log) });
  const engine = await startEngine({
    cluster: own,
    signal,
    clock,
    ...(request.namespace === undefined ? {} : { namespace: request.namespace }),
    followsSecrets: false,
    checksRights: true,
    ...(request.follows === undefined ? {} : { follows: request.follows }),
    onTrouble: tellTrouble(log),
    onPass: pass => {
      metrics.passed(pass);
      tellPass(log, pass);
    },
    onRelieved: () => {
      log.error('a newer manager is at work in this cluster: only one may be installed');
      state.isRelieved = true;
      relieved.abort();
    },
    ports: {
      ...sharedPorts(own, request.packageRoot),
      drivers: as => openDrivers({ cluster: as, logs }),
      traffic: as => routedTraffic(openServiceTraffic({ cluster: as }), routers),
      routers: Object.keys(routers),
      // Images are the cluster's business: its nodes pull them.
      prepareImages: async () => [],
    },
  });
  state.led(engine);
  log.info('leading', { epoch: engine.epoch });
  if (!signal.aborted)
    await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
  log.info('no pass begins any more', { because: stop.aborted ? 'told to stop' : 'the lead is lost' });
  if (stop.aborted) await engine.ended;
  else await Promise.race([engine.ended, clock.sleep(windDownMilliseconds)]);
}

/** What followers of objects run into; passes tell for themselves. */
function tellTrouble(log: OperatorLog) {
  return (doing: string, error: unknown, waitSeconds?: number) => {
    if (/^(following|keeping) /.test(doing)) log.warn(doing, { error, againSeconds: waitSeconds });
  };
}

function tellPass(log: OperatorLog, { controller, key, seconds, error }: EndedPass): void {
  const fields = { controller, key, seconds: Number(seconds.toFixed(3)) };
  if (error === undefined) log.debug('pass', fields);
  else log.warn('pass failed and is repeated', { ...fields, error });
}
