import type { Source } from '../../api/openstack-deployment.ts';
import type { PackageSource } from '../source.ts';
import { FolderSource } from './folder-source.ts';
import { GitSource } from './git-source.ts';
import { RootedSource } from './rooted-source.ts';
import { TarSource } from './tar-source.ts';

/** Every type of source in one, chosen by the `type` of what is asked for. Locations are taken from `base`. */
export function openSource(base: string): PackageSource {
  const sources: Record<Source['type'], PackageSource> = {
    local: new FolderSource(base),
    tar: new TarSource(base),
    git: new GitSource({ base, protocols: ['https', 'ssh', 'file'] }),
  };
  return { read: source => sources[source.type].read(source) };
}

/** The same for what lies below one folder: no location leads out of it. Repositories are not read from there. */
export function openRootedSource(root: string): PackageSource {
  return new RootedSource(root, openSource);
}

/** Repositories alone, over the network: for who must not be led to files of its own machine. */
export function openRemoteGit(): PackageSource {
  return new GitSource({ base: '/', protocols: ['https', 'ssh'] });
}
