import { apiVersion } from '../../api/group.ts';
import { openstackDeployment, type Source } from '../../api/openstack-deployment.ts';
import type { JsonObject } from '../../base/json.ts';
import { type Resolution, resolveRecord } from '../../record/resolve-record.ts';
import type { FlowObject, PhaseObject } from '../our-objects.ts';

/** Flows that a person can write by hand, and what planning calls them. */
export const handMadeKinds: Readonly<Record<string, readonly string[]>> = {
  install: ['install'],
  upgrade: ['upgrade', 'reconfigure'], // the same version with another content is an upgrade to who writes it
  rollback: ['rollback'],
  uninstall: ['uninstall'],
};

/** What stands for the name of a record where there is none: no object can be called so, and so it is never taken for one. */
export function handMadeDeployment(service: string): string {
  return `by hand/${service}`.slice(0, 253);
}

/** Where existing manifests mean a package to be: a folder, or an archive by the end of its name. */
export function packageAt(location: string): Source {
  return { type: /\.(tar|tgz|tar\.gz)$/.test(location) ? 'tar' : 'local', location };
}

/**
 * A record of the one service that a hand-written flow or phase is about, at the version its package has: everything that is planned from a record
 * can be planned from it. `${cloud}` in a package is then the service. Findings name the object where they would name a file.
 */
export function handMadeRecord(
  { kind: of, metadata, spec }: FlowObject | PhaseObject,
  version: string | undefined,
): Resolution {
  const isFlow = 'serviceName' in spec;
  const name = isFlow ? spec.serviceName : spec.openstackServiceName;
  const endpoint = isFlow ? spec.serviceEndPoint : spec.openstackServiceEndPoint;
  const service = {
    ...{ name, version, source: packageAt(spec.source.location) },
    ...(endpoint ? { endpoint } : {}),
  };
  const wish = version === undefined ? { services: [], removed: [{ name }] } : { services: [service] };
  const { kind } = openstackDeployment;
  const { namespace, generation } = metadata;
  return resolveRecord([
    {
      file: `${of}/${metadata.name}`,
      index: 0,
      object: {
        ...{ apiVersion, kind, metadata: { name, namespace, generation } },
        // Whoever waits for a hand-written flow waits for its end: nothing is kept beside afterwards.
        spec: { ...wish, approval: 'automatic', soakSeconds: 0 },
      } as unknown as JsonObject,
      locate: () => ({ line: 1, column: 1 }),
    },
  ]);
}
