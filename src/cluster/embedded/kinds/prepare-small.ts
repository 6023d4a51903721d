import { isObject, type JsonObject } from '../../../base/json.ts';
import type { Unversioned } from '../store/transaction.ts';

/** A namespace is named by a label too, and goes only when what is in it is gone. */
export function prepareNamespace(namespace: Unversioned, before: Unversioned | undefined): Unversioned {
  const { metadata } = namespace;
  const labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
  const labelled = { ...namespace, metadata: { ...metadata, labels } };
  if (before) return { ...labelled, spec: before['spec'] };
  return { ...labelled, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } };
}

/** What is written as plain text is kept encoded. */
export function prepareSecret(secret: Unversioned): Unversioned {
  const { stringData, ...rest } = secret;
  if (!isObject(stringData)) return rest as Unversioned;
  const encoded = Object.entries(stringData).map(([key, text]) => [
    key,
    Buffer.from(String(text)).toString('base64'),
  ]);
  const data = isObject(secret['data']) ? secret['data'] : {};
  return { ...rest, data: { ...data, ...Object.fromEntries(encoded) } } as Unversioned;
}

/** A port leads to the port of the same number unless it says otherwise. */
export function prepareService(service: Unversioned, before: Unversioned | undefined): Unversioned {
  const spec = isObject(service['spec']) ? service['spec'] : {};
  const kept: JsonObject = isObject(before?.['spec']) ? before['spec'] : {};
  const address = spec['clusterIP'] ?? kept['clusterIP'];
  const addresses = spec['clusterIPs'] ?? kept['clusterIPs'];
  const ports = Array.isArray(spec['ports'])
    ? spec['ports'].map(port =>
        isObject(port) && port['targetPort'] === undefined && port['port'] !== undefined
          ? { ...port, targetPort: port['port'] }
          : port,
      )
    : undefined;
  return {
    ...service,
    spec: {
      ...spec,
      ...(address === undefined ? {} : { clusterIP: address }),
      ...(addresses === undefined ? {} : { clusterIPs: addresses }),
      ...(ports ? { ports } : {}),
    },
    ...(before ? {} : { status: { loadBalancer: {} } }),
  };
}

export function preparePvc(claim: Unversioned, before: Unversioned | undefined): Unversioned {
  return before ? claim : { ...claim, status: { phase: 'Pending' } };
}
