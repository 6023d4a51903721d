/**
 * Package: what a service is made of at one version.
 *
 * In: a source (folder or archive) and a `ResolvedRecord`. Out: `ServiceTarget`, what each service shall be, down to the
 * digest of every object. Never: talks to a cluster, trusts a path or a link of a package.
 */
import type { Place } from '../api/finding.ts';
import type { PackageLifecycle } from '../api/package-lifecycle.ts';
import type { PhaseName } from '../api/phase-names.ts';
import type { FieldPath } from '../api/schema/problem.ts';
import type { InventoryItem } from '../api/service-revision.ts';
import type { Digest } from '../base/digest.ts';
import type { JsonObject } from '../base/json.ts';
import type { Chart } from './chart/chart.ts';

/** A package that was read and found right. */
export interface ServicePackage {
  readonly lifecycle: PackageLifecycle;
  /** Digest over the content: paths, bytes and the executable bit, nothing of the machine it lies on. */
  readonly digest: Digest;
  /** Its default values (values.yaml), or nothing. */
  readonly values: JsonObject;
  /** Its manifests before substitution, by file. */
  readonly manifests: readonly PackageManifest[];
  /** Where it was read from, for messages. */
  readonly location: string;
  /** The chart that it is still to be rendered from: until then it has no manifests, and what its lifecycle says may be little. */
  readonly chart?: Chart;
  /** What a person should know of a chart, and what stops nothing. */
  readonly notes?: readonly PackageNote[];
}

/** Something about a package that a person should know, and where it is. */
export interface PackageNote extends Place {
  readonly message: string;
}

/** One object of a package, before substitution. */
export interface PackageManifest {
  readonly file: string;
  /** Line in the file at which the document starts. */
  readonly line: number;
  readonly object: JsonObject;
  /** Line and column of a field in the file, for findings. */
  readonly locate: (path: FieldPath) => { readonly line: number; readonly column: number } | undefined;
  /** Its place in the life of the service, where that was decided before: for an object of a chart. */
  readonly placed?: PlacedManifest;
}

/** The place of an object of a chart. */
export interface PlacedManifest
  extends Pick<RenderedObject, 'role' | 'phases' | 'because' | 'order' | 'moment'> {
  /** The component it goes with; absent for what belongs to the package as a whole. */
  readonly component?: string;
}

/** One rendered object and its place in the life of the service. */
export interface RenderedObject {
  readonly object: JsonObject;
  readonly role: InventoryItem['role'];
  readonly phases: readonly PhaseName[];
  /** Why it has this role and these phases, for people. */
  readonly because: string;
  readonly file: string;
  /** Its place among those of the package, where the package says it: what is made, or run, first has the lowest. */
  readonly order?: number;
  /** Of tasks of a phase that changes software: whether they run before it, as most, or when it is ready. */
  readonly moment?: 'before' | 'after';
}

/** What one service shall be. */
export interface ServiceTarget {
  readonly service: string;
  readonly version: string;
  readonly packageDigest: Digest;
  readonly lifecycle: PackageLifecycle;
  /** Its components and host groups, in the order they are changed. At least one. */
  readonly parts: readonly PartTarget[];
}

/** What one component, or one host group of it, shall be. */
export interface PartTarget {
  /** The component; the name of the service where the package has none. */
  readonly component: string;
  readonly hostGroup?: string;
  readonly version: string;
  readonly packageDigest: Digest;
  /** The lifecycle of that very version, which may be older than the service's. */
  readonly lifecycle: PackageLifecycle;
  readonly inventory: readonly InventoryItem[];
  /** What its containers need of a machine without a container engine. */
  readonly needs: readonly MachineNeed[];
  /** What a person should know before the chart it comes from is used, for the plan. */
  readonly notes?: readonly string[];
}

/** What a container or a Service needs where there is no container engine: that its image is known, namespaces, or the rights of root. */
export interface MachineNeed {
  readonly what: 'image' | 'namespaces' | 'root';
  /** `Deployment keystone-api` */
  readonly object: string;
  /** Left out, with its image, where the object has no containers. */
  readonly container?: string;
  readonly image?: string;
  /** Who need not be root for it: they are this user, or this group, already. */
  readonly user?: number;
  readonly group?: number;
  /** What of the manifest needs it, for people: what comes after "it". */
  readonly because: string;
}
