import type { LifecycleImage, PackageLifecycle } from '../../api/package-lifecycle.ts';
import type { InventoryItem, SecretDigest } from '../../api/service-revision.ts';
import type { Digest } from '../../base/digest.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RenderedObject } from '../../package/package.ts';

/** One rendered object and its place in the life of the service. */
export type BundledObject = Pick<RenderedObject, 'role' | 'phases' | 'file' | 'moment'> & {
  readonly object: JsonObject;
};

/** What one part of a service was rendered to, down to the byte: what a flow applies, and what a rollback returns to. */
export interface Bundle {
  readonly service: string;
  readonly version: string;
  /** The component; the name of the service where the package has none. */
  readonly component: string;
  readonly hostGroup?: string;
  readonly packageDigest: Digest;
  readonly lifecycle: PackageLifecycle;
  readonly objects: readonly BundledObject[];
  /** The same objects as they were found, of a service that was running before Afloat knew of it. */
  readonly found?: readonly BundledObject[];
  /** What its images are on a machine without a container engine. */
  readonly images: readonly LifecycleImage[];
  readonly inventory: readonly InventoryItem[];
  /** Secrets and ConfigMaps whose content went in, as it was when this was rendered. */
  readonly secretDigests: readonly SecretDigest[];
}
