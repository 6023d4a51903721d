import { apiVersion } from '../../api/group.ts';
import { CodedError } from '../../base/coded-error.ts';
import { isObject } from '../../base/json.ts';
import type { Cluster, ClusterObject } from '../../cluster/cluster.ts';
import { adoptCloud } from '../../controller/adopt/adopt-cloud.ts';
import { type AdoptedService, adoptedService, recordEntry } from '../../controller/adopt/adopted-service.ts';
import { findReleases } from '../../controller/adopt/find-releases.ts';
import { foundObjects } from '../../controller/adopt/found-objects.ts';
import { ClusterPackages } from '../../controller/store/cluster-packages.ts';
import type { ChartRenderer } from '../../package/chart/chart-renderer.ts';
import type { Adoption, AdoptRequest } from '../operator-verbs.ts';

/** What adopting needs beside the cluster. */
export interface AdoptPlace {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly user: string;
  readonly charts: ChartRenderer;
}

/** Reads the Helm releases that run in a namespace, and makes a record and first revisions of them when that is agreed to. */
export async function adopt(
  { cluster, namespace, user, charts }: AdoptPlace,
  { releases, cloud, serviceAccount }: AdoptRequest,
): Promise<Adoption> {
  const found = await findReleases(cluster, namespace, releases);
  if (found.findings.length > 0) return { findings: found.findings };
  const services = found.releases.map(adoptedService);
  const before = await recordThere(cluster, namespace);
  const taken = services.find(({ name }) => entriesOf(before).some(one => one['name'] === name));
  if (taken)
    throw new CodedError('AlreadyAdopted', `${taken.name} is in the record ${before?.metadata.name} already`);
  const record = recordWith(before, services, { namespace, cloud, serviceAccount });
  const { name } = record.metadata;
  return {
    record,
    asks: true,
    says: [
      `${before ? 'Adds to' : 'Writes'} the record ${name} in namespace ${namespace}, with what runs there. Nothing that runs is touched.`,
      ...services.map(sayService),
      'From then on Afloat changes these services, and Helm must not: remove them from what runs `helm upgrade`.',
    ],
    carryOut: async () => {
      const packages = new ClusterPackages(cluster, namespace);
      const { findings } = await adoptCloud(record, services, {
        cluster,
        packages: { read: source => packages.read(source), charts },
        by: user,
      });
      const [first] = findings;
      if (first) throw new CodedError(first.code, `${first.message}. ${first.advice}`);
      return [
        `${services.length === 1 ? '1 service is' : `${services.length} services are`} adopted into the record ${name}.`,
        `To change one, put its chart under \`source\` and a new \`version\` into the record, and apply it: afloat plan shows what would happen.`,
      ];
    },
  };
}

/** `keystone 22.0.0, chart keystone 2026.1.0, Helm's revision 4: 12 objects, of them 2 workloads` */
function sayService({ name, version, release }: AdoptedService): string {
  const { chart, revision } = release;
  const objects = foundObjects(release, { service: name, component: name });
  const running = objects.filter(
    ({ object, role }) =>
      role === 'workload' && ['Deployment', 'StatefulSet', 'DaemonSet'].includes(`${object['kind']}`),
  );
  const workloads = running.map(({ object }) => `${object['kind']} ${nameOf(object)}`);
  const says = workloads.length === 0 ? 'no workloads' : workloads.join(', ');
  return `${name} ${version}, chart ${chart.name} ${chart.version}, Helm's revision ${revision}: ${objects.length} objects, ${says}`;
}

function nameOf(object: Readonly<Record<string, unknown>>): string {
  const metadata = object['metadata'];
  return isObject(metadata) ? `${metadata['name']}` : '';
}

async function recordThere(cluster: Cluster, namespace: string): Promise<ClusterObject | undefined> {
  const { items } = await cluster.list({ apiVersion, kind: 'OpenstackDeployment' }, { namespace });
  return items[0];
}

function entriesOf(record: ClusterObject | undefined): readonly Readonly<Record<string, unknown>>[] {
  const { services = [] } = (record?.['spec'] ?? {}) as {
    readonly services?: readonly Readonly<Record<string, unknown>>[];
  };
  return services;
}

/** The record as it shall be: what it says already, and the services that were found. */
function recordWith(
  before: ClusterObject | undefined,
  services: readonly AdoptedService[],
  to: {
    readonly namespace: string;
    readonly cloud: string | undefined;
    readonly serviceAccount: string | undefined;
  },
): ClusterObject {
  const spec = (before?.['spec'] ?? {}) as Readonly<Record<string, unknown>>;
  const account = to.serviceAccount === undefined ? {} : { serviceAccountName: to.serviceAccount };
  return {
    ...{ apiVersion, kind: 'OpenstackDeployment' },
    metadata: { name: before?.metadata.name ?? to.cloud ?? to.namespace, namespace: to.namespace },
    spec: { ...spec, ...account, services: [...entriesOf(before), ...services.map(recordEntry)] },
  } as unknown as ClusterObject;
}
