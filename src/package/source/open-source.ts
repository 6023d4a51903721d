import type { Source } from '../../api/openstack-deployment.ts';
import type { PackageSource } from '../source.ts';
import { FolderSource } from './folder-source.ts';
import { TarSource } from './tar-source.ts';

/** Every type of source in one, chosen by the `type` of what is asked for. Locations are taken from `base`. */
export function openSource(base: string): PackageSource {
  const sources: Record<Source['type'], PackageSource> = {
    local: new FolderSource(base),
    tar: new TarSource(base),
  };
  return { read: source => sources[source.type].read(source) };
}
