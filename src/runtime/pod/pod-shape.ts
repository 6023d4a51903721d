import type { StoredObject } from '../../cluster/cluster.ts';
import type { PodStatus } from './pod-status-shape.ts';

/** What is read of a Pod. The store has checked the shape; what is not read here is left out. */
export interface Pod extends StoredObject {
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly restartPolicy?: RestartPolicy;
  readonly nodeName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly schedulerName?: string;
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly readinessGates?: readonly { readonly conditionType: string }[];
  readonly activeDeadlineSeconds?: number;
  readonly terminationGracePeriodSeconds?: number;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly hostNetwork?: boolean;
  readonly hostAliases?: readonly { readonly ip: string; readonly hostnames?: readonly string[] }[];
  readonly enableServiceLinks?: boolean;
  readonly serviceAccountName?: string;
  readonly securityContext?: { readonly runAsUser?: number; readonly runAsGroup?: number };
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFrom[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly resources?: Resources;
  readonly volumeMounts?: readonly VolumeMount[];
  readonly restartPolicy?: RestartPolicy;
  readonly restartPolicyRules?: readonly RestartRule[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: { readonly postStart?: Hook; readonly preStop?: Hook };
  readonly securityContext?: { readonly runAsUser?: number; readonly runAsGroup?: number };
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
}

/** An exit code that has this container started again, whatever its policy says. */
export interface RestartRule {
  readonly action: string;
  readonly exitCodes?: { readonly operator: 'In' | 'NotIn'; readonly values?: readonly number[] };
}

export interface Resources {
  readonly limits?: Readonly<Record<string, string | number>>;
  readonly requests?: Readonly<Record<string, string | number>>;
}

interface KeyRef {
  readonly name?: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface FieldRef {
  readonly fieldPath: string;
}

export interface ResourceFieldRef {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor?: string | number;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly configMapKeyRef?: KeyRef;
    readonly secretKeyRef?: KeyRef;
    readonly fieldRef?: FieldRef;
    readonly resourceFieldRef?: ResourceFieldRef;
  };
}

export interface EnvFrom {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name?: string; readonly optional?: boolean };
  readonly secretRef?: { readonly name?: string; readonly optional?: boolean };
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
  readonly readOnly?: boolean;
}

/** A key, and the file of a volume that it becomes. */
export interface KeyToPath {
  readonly key: string;
  readonly path: string;
  readonly mode?: number;
}

export interface DownwardItem {
  readonly path: string;
  readonly mode?: number;
  readonly fieldRef?: FieldRef;
  readonly resourceFieldRef?: ResourceFieldRef;
}

/** What may be projected into one folder. */
export interface ProjectedSource {
  readonly configMap?: NamedSource;
  readonly secret?: NamedSource;
  readonly downwardAPI?: { readonly items?: readonly DownwardItem[] };
  readonly serviceAccountToken?: { readonly path: string };
}

interface NamedSource {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
}

export interface Volume {
  readonly name: string;
  readonly configMap?: NamedSource & { readonly defaultMode?: number };
  readonly secret?: Omit<NamedSource, 'name'> & {
    readonly secretName?: string;
    readonly defaultMode?: number;
  };
  readonly emptyDir?: object;
  readonly hostPath?: { readonly path: string; readonly type?: string };
  readonly downwardAPI?: { readonly items?: readonly DownwardItem[]; readonly defaultMode?: number };
  readonly projected?: { readonly sources?: readonly ProjectedSource[]; readonly defaultMode?: number };
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean };
}

export interface HttpGet {
  readonly path?: string;
  readonly port: number | string;
  readonly host?: string;
  readonly scheme?: string;
  readonly httpHeaders?: readonly { readonly name: string; readonly value: string }[];
}

/** What a hook or a probe may do. */
export interface Hook {
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: HttpGet;
  readonly tcpSocket?: { readonly port: number | string; readonly host?: string };
  readonly sleep?: { readonly seconds: number };
}

export interface Probe extends Hook {
  readonly grpc?: object;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number;
}

/** What the node runs beside the main containers, from before they start until after they end. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

/** All containers of a Pod, those that prepare it first. */
export function containersOf({ initContainers = [], containers }: PodSpec): readonly Container[] {
  return [...initContainers, ...containers];
}

/** As messages of a kubelet name a Pod: `web_default(uid)`. */
export function podTitle({ metadata }: Pod): string {
  return `${metadata.name}_${metadata.namespace ?? ''}(${metadata.uid})`;
}
