import { type Digest, digestJson } from '../base/digest.ts';
import type { ServiceTarget } from '../package/package.ts';

/**
 * What tells one target of a service from another: versions, packages and every rendered object. A hold names it, so
 * that a target that failed is not tried again until the content of the record changes, however often it is applied.
 */
export function targetDigest(
  target: ServiceTarget,
  contents: readonly { name: string; digest: string }[],
): Digest {
  return digestJson({
    service: target.service,
    parts: target.parts.map(part => [
      part.component,
      part.hostGroup,
      part.version,
      part.packageDigest,
      part.inventory.map(item => [item.kind, item.name, item.digest, item.replicas, item.images]),
    ]),
    contents: contents.map(content => [content.name, content.digest]),
  });
}
