import { managedBy, managedByLabel, serviceLabel } from '../../api/labels.ts';
import type { Source } from '../../api/openstack-deployment.ts';
import type { Digest } from '../../base/digest.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { packageDigest } from '../../package/package-digest.ts';
import type { HelmRelease } from '../../package/release/read-release.ts';
import { releaseChart } from '../../package/release/release-chart.ts';
import type { PackageFiles } from '../../package/source.ts';

/** A release as a service of a record. */
export interface AdoptedService {
  /** That of the release: charts name objects by it. */
  readonly name: string;
  readonly version: string;
  readonly release: HelmRelease;
  readonly files: PackageFiles;
  readonly digest: Digest;
  /** The Secret that keeps what a person gave beside the chart's own values, for the next version of the chart. */
  readonly values?: ClusterObject;
}

/** What a release is as a service. Its version is that of the software where the chart says one that can be a version. */
export function adoptedService(release: HelmRelease): AdoptedService {
  const { chart, name } = release;
  const files = releaseChart(release);
  const app = chart.appVersion;
  const version = app !== undefined && /^[A-Za-z0-9][A-Za-z0-9.+:~_-]*$/.test(app) ? app : chart.version;
  const hasValues = Object.keys(release.values).length > 0;
  return {
    ...{ name, version, release, files, digest: packageDigest(files) },
    ...(hasValues ? { values: valuesSecret(release) } : {}),
  };
}

/** Where the package of an adopted service is: in the cluster alone, for what was rendered may hold secrets. */
export function adoptedSource(service: string, version: string): Source {
  return { type: 'local', location: `adopted/${service}/${version}` };
}

/** What the record says of an adopted service. */
export function recordEntry({ name, version, values }: AdoptedService): object {
  return {
    ...{ name, version, source: adoptedSource(name, version) },
    ...(values ? { valuesFrom: [{ kind: 'Secret', name: values.metadata.name }] } : {}),
  };
}

function valuesSecret({ name, namespace, values }: HelmRelease): ClusterObject {
  return {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque' },
    metadata: {
      ...{ name: `${name}-values`, namespace },
      labels: { [managedByLabel]: managedBy, [serviceLabel]: name },
    },
    stringData: { 'values.yaml': `${JSON.stringify(values, undefined, 2)}\n` },
  } as unknown as ClusterObject;
}
