/**
 * Services: what the endpoint slice controller, the allocator of addresses and kube-proxy do on a cluster.
 *
 * In: Services, EndpointSlices and Pods. Out: addresses, EndpointSlices, the table of the forwarder, and word of which Pods get no
 * requests any more. Never: forwards a byte itself, or ends a forwarder with the manager.
 */
import type { Clock } from '../../cluster/clock.ts';
import type { Controller, Reconciling } from '../../reconcile/reconcile.ts';
import { forwarderFiles, readReports } from '../forwarder/forwarder-files.ts';
import type { ForwarderReport } from '../forwarder/forwarder-report.ts';
import type { ForwarderProgram } from '../forwarder/forwarding-table.ts';
import type { TrafficGate } from '../pod/end/traffic-gate.ts';
import { EventRecorder } from '../workload/run/record-events.ts';
import { addressController } from './address/address-controller.ts';
import type { ServiceAddresses } from './address/choose-address.ts';
import { ForwarderKeeper } from './forwarder-keeper.ts';
import { ownForwarderProgram } from './forwarder-program.ts';
import { podType, type Service, serviceType } from './service-objects.ts';
import { endpointsController } from './slices/endpoints-controller.ts';
import { sliceController } from './slices/slice-controller.ts';
import type { ServiceProblem } from './table/make-listeners.ts';
import { tableController, tableOnDisk } from './table/table-controller.ts';
import { type SliceTraffic, Traffic } from './traffic.ts';

export interface ServicesOptions {
  readonly reconciling: Reconciling;
  /** The state folder. */
  readonly folder: string;
  /** The addresses that Services get: this machine may listen on each of them. */
  readonly range: ServiceAddresses;
  readonly clock: Clock;
  readonly onTrouble: (doing: string, error: unknown, waitSeconds: number) => void;
  /** Another forwarder than the one of this Afloat. */
  readonly program?: ForwarderProgram;
}

export interface Services {
  readonly gate: TrafficGate;
  /** To be handed to `reconciling.run` once its informers know what is there. */
  readonly controllers: readonly Controller[];
  /** What the forwarders that run say now. */
  report(): readonly ForwarderReport[];
  /** Requests, errors and what is in flight of a Service, by slice. */
  sliceCounts(namespace: string, service: string): ReadonlyMap<string, SliceTraffic>;
  /** Lets go. The forwarder goes on. */
  close(): Promise<void>;
}

/** Takes up the forwarder of a folder, or starts one as soon as it is needed. Call it before `reconciling.start()`. */
export function startServices(options: ServicesOptions): Services {
  const { reconciling, folder, range, clock, onTrouble } = options;
  const files = forwarderFiles(folder);
  const program = options.program ?? ownForwarderProgram(folder);
  const traffic = new Traffic();
  let table = tableOnDisk(files);
  traffic.onTable(table);
  const events = new EventRecorder(reconciling, clock, 'afloat-forwarding');
  const tellPorts = tellProblems(events);
  const keeper = new ForwarderKeeper({
    files,
    program,
    clock,
    onTrouble,
    isNeeded: () => (table?.listeners.length ?? 0) > 0,
    onReports(reports) {
      traffic.onReports(reports);
      tellPorts(portProblems(reports ?? [], reconciling));
    },
  });
  const tables = tableController({
    reconciling,
    files,
    program,
    range,
    onProblems: tellProblems(events),
    onTable(written) {
      table = written;
      traffic.onTable(written);
      keeper.look();
    },
  });
  reconciling.informer(podType).onChange(({ object, before }) => {
    if (!object && before) traffic.forget(before.metadata.uid);
  });
  keeper.start();
  return {
    gate: traffic,
    controllers: [
      addressController(reconciling, range),
      sliceController(reconciling),
      endpointsController(reconciling),
      tables,
    ],
    report: () => readReports(files),
    sliceCounts: (namespace, service) => traffic.sliceCounts(namespace, service),
    close: () => keeper.close(),
  };
}

/** Ports that the forwarder cannot listen on: held by somebody else, or not allowed to us. */
function portProblems(reports: readonly ForwarderReport[], reconciling: Reconciling): ServiceProblem[] {
  const services = reconciling.informer(serviceType);
  return reports
    .flatMap(({ listeners }) => listeners)
    .flatMap(({ id, problem }) => {
      const [, namespace, name = ''] = /^([^/]+)\/([^:]+):/.exec(id) ?? [];
      const service = problem === undefined ? undefined : services.get(namespace, name);
      const message = `port ${id.slice(id.indexOf(':') + 1)} cannot be listened on: ${problem}`;
      return service ? [{ service: service as Service, reason: 'PortNotListened', message }] : [];
    });
}

/** Writes each problem down as an Event, once for as long as it lasts. */
function tellProblems(events: EventRecorder): (problems: readonly ServiceProblem[]) => void {
  let told = new Set<string>();
  return problems => {
    const now = new Set<string>();
    for (const { service, reason, message } of problems) {
      const key = `${service.metadata.uid} ${reason} ${message}`;
      if (!told.has(key) && !now.has(key)) events.tell(service, { type: 'Warning', reason, message });
      now.add(key);
    }
    told = now;
  };
}
