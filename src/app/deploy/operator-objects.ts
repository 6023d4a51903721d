import type { ClusterObject } from '../../cluster/cluster.ts';
import { deployLabels, imageUser, metricsPort, operatorName } from './deploy-names.ts';

/** How the operator runs in a cluster. Texts may be placeholders of a chart. */
export interface OperatorDeployment {
  readonly namespace: string;
  readonly image: string;
  readonly pullPolicy?: string;
  readonly replicas: number | string;
  /** Further words of `afloat operator`. */
  readonly words?: readonly string[];
  /** A volume with packages, as the spec of a Pod has it but for its name: mounted to be read. */
  readonly packageRoot?: Readonly<Record<string, unknown>>;
  /** Further entries of these lists. */
  readonly volumes?: readonly unknown[];
  readonly volumeMounts?: readonly unknown[];
  /** Annotations of its Pods. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** More of the spec of the Deployment. */
  readonly deploymentSpec?: Readonly<Record<string, unknown>>;
  /** More of the spec of its Pods. */
  readonly podSpec?: Readonly<Record<string, unknown>>;
  readonly resources?: unknown;
}

/** Where a volume with packages is mounted. */
export const packageRootFolder = '/packages';

const packagesVolume = 'packages';

/** The words with which the operator reads packages of a volume. */
export const packageRootWords: readonly string[] = [`--package-root=${packageRootFolder}`];

/** The mount of a volume with packages. */
export const packageRootMount = {
  name: packagesVolume,
  mountPath: packageRootFolder,
  readOnly: true,
} as const;

const selector = { 'app.kubernetes.io/name': operatorName };

/** What it is given where nobody says otherwise. */
export const operatorResources = {
  requests: { cpu: '100m', memory: '192Mi' },
  limits: { memory: '1Gi' },
} as const;

/** A namespace in which nothing runs that needs more than a normal user has, unless told. */
export function namespaceObject(
  name: string,
  level: 'restricted' | 'privileged' = 'restricted',
): ClusterObject {
  const labels = { ...deployLabels, 'pod-security.kubernetes.io/enforce': level };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

/** The Deployment of the operator. */
export function deploymentObject(options: OperatorDeployment): ClusterObject {
  const { namespace, replicas, podSpec = {}, packageRoot, volumes = [], deploymentSpec = {} } = options;
  const { annotations } = options;
  const template = {
    metadata: {
      labels: { ...deployLabels, ...selector },
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: {
      serviceAccountName: operatorName,
      // More than a pass takes: who is killed in one leaves the lead vacant for the time of a lease.
      terminationGracePeriodSeconds: 45,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: imageUser,
        runAsGroup: imageUser,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [containerOf(options)],
      volumes: [
        { name: 'tmp', emptyDir: {} },
        ...(packageRoot ? [{ name: packagesVolume, ...packageRoot }] : []),
        ...volumes,
      ],
      ...podSpec,
    },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: operatorName, namespace, labels: { ...deployLabels, ...selector } },
    spec: { replicas, selector: { matchLabels: selector }, ...deploymentSpec, template },
  };
}

function containerOf(options: OperatorDeployment) {
  const { image, pullPolicy, words = [], resources = operatorResources, packageRoot } = options;
  const probe = (path: string) => ({ httpGet: { path, port: 'metrics' } });
  return {
    name: 'operator',
    image,
    ...(pullPolicy === undefined ? {} : { imagePullPolicy: pullPolicy }),
    command: ['node', '/app/bin/afloat.js', 'operator'],
    args: [`--metrics-address=:${metricsPort}`, ...(packageRoot ? packageRootWords : []), ...words],
    env: [{ name: 'HOME', value: '/tmp' }],
    ports: [{ name: 'metrics', containerPort: metricsPort, protocol: 'TCP' }],
    livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 10, periodSeconds: 10 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 5 },
    resources,
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [
      { name: 'tmp', mountPath: '/tmp' },
      ...(packageRoot ? [packageRootMount] : []),
      ...(options.volumeMounts ?? []),
    ],
  };
}

/** Where Prometheus finds the metrics of every replica. */
export function metricsService(namespace: string): ClusterObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `${operatorName}-metrics`, namespace, labels: { ...deployLabels, ...selector } },
    spec: {
      selector,
      ports: [{ name: 'metrics', port: metricsPort, targetPort: 'metrics', protocol: 'TCP' }],
    },
  };
}

/** One operator stays while nodes are emptied; only where there are two. */
export function disruptionBudget(namespace: string): ClusterObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: operatorName, namespace, labels: deployLabels },
    spec: { minAvailable: 1, selector: { matchLabels: selector } },
  };
}
