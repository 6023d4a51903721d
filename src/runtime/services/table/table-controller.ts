import { sameJson } from '../../../base/json.ts';
import type { StoredObject } from '../../../cluster/cluster.ts';
import type { Controller, Reconciling } from '../../../reconcile/reconcile.ts';
import { type ForwarderFiles, readReports, replaceFile, textOf } from '../../forwarder/forwarder-files.ts';
import {
  type ForwarderProgram,
  type ForwardingTable,
  parseTable,
  tableVersion,
} from '../../forwarder/forwarding-table.ts';
import { addressHolders } from '../address/address-controller.ts';
import type { ServiceAddresses } from '../address/choose-address.ts';
import {
  type EndpointSlice,
  podType,
  type Service,
  type ServingPod,
  serviceNameLabel,
  serviceType,
  sliceType,
} from '../service-objects.ts';
import { makeListeners, type ServiceProblem } from './make-listeners.ts';

export interface TableOptions {
  readonly reconciling: Reconciling;
  readonly files: ForwarderFiles;
  readonly program: ForwarderProgram;
  readonly range: ServiceAddresses;
  /** Told of each table that was written. */
  onTable(table: ForwardingTable): void;
  onProblems(problems: readonly ServiceProblem[]): void;
}

/** All is one table, so there is one key. */
const key = 'table';

/** The table that an earlier manager left. */
export function tableOnDisk(files: ForwarderFiles): ForwardingTable | undefined {
  const table = parseTable(textOf(files.table) ?? '');
  return typeof table === 'string' ? undefined : table;
}

/** Writes the table of the forwarder whenever Services, their slices or the Pods behind them say something else. */
export function tableController(options: TableOptions): Controller {
  const { reconciling, files, program, range } = options;
  const services = reconciling.informer(serviceType);
  const pods = reconciling.informer(podType);
  const slices = reconciling.informer(sliceType);
  let last = tableOnDisk(files);
  let listed = podsIn(last);

  const observe = () => {
    const all = services.all() as Service[];
    const holders = addressHolders(range, all);
    const slicesByService = grouped(slices.all() as EndpointSlice[]);
    return makeListeners({
      services: all,
      slicesOf: ({ metadata }) => slicesByService.get(`${metadata.namespace}/${metadata.name}`) ?? [],
      pod: (namespace, name) => pods.get(namespace, name) as ServingPod | undefined,
      hasAddress: service => holders.get(service.spec.clusterIP ?? '') === service,
    });
  };

  return {
    name: 'forwarding',
    workers: 1,
    watches: [
      { type: serviceType, keysOf: () => [key] },
      { type: sliceType, keysOf: () => [key] },
      { type: podType, keysOf: ({ metadata }) => (listed.has(metadata.uid) ? [key] : []) },
    ],
    async pass() {
      const { listeners, problems } = observe();
      options.onProblems(problems);
      if (last && sameJson([last.listeners, last.program], [listeners, program])) return undefined;
      // Forwarders may know a later table than the one on disk, where that was lost.
      const known = Math.max(
        last?.generation ?? 0,
        ...readReports(files).map(({ generation }) => generation),
      );
      const table = { version: tableVersion, generation: known + 1, program, listeners } as const;
      replaceFile(files.table, JSON.stringify(table));
      last = table;
      listed = podsIn(table);
      options.onTable(table);
      return undefined;
    },
  };
}

function podsIn(table: ForwardingTable | undefined): ReadonlySet<string> {
  return new Set(table?.listeners.flatMap(({ endpoints }) => endpoints.map(({ id }) => id)));
}

function grouped(slices: readonly EndpointSlice[]): ReadonlyMap<string, EndpointSlice[]> {
  const groups = new Map<string, EndpointSlice[]>();
  for (const slice of slices) {
    const place = serviceOf(slice);
    const group = groups.get(place);
    if (group) group.push(slice);
    else groups.set(place, [slice]);
  }
  return groups;
}

function serviceOf({ metadata }: StoredObject): string {
  return `${metadata.namespace}/${metadata.labels?.[serviceNameLabel] ?? ''}`;
}
