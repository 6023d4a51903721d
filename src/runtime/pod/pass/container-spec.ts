import type { ContainerSpec, Mount, OpenPod } from '../../container/containers.ts';
import type { Images } from '../../image/images.ts';
import type { Waiting } from '../decide/next-steps.ts';
import { containerEnv, type EnvSources } from '../env/container-env.ts';
import { expand } from '../env/expand.ts';
import { hostnameOf, hostsPath } from '../host/hosts-file.ts';
import type { Container } from '../pod-shape.ts';
import { containerMounts } from '../volume/container-mounts.ts';
import { lastWordsFile, makeLastWordsFile } from './last-words.ts';

/** What one run is made from. */
export interface SpecSources extends EnvSources {
  readonly images: Images;
  readonly room: OpenPod;
  /** Volumes by name. */
  readonly volumes: ReadonlyMap<string, string>;
  readonly attempt: number;
  /** The waiting reason that was reported before. */
  readonly reported: string | undefined;
}

/** The run as it can be started, or why the container waits. */
export type MadeSpec = { readonly spec: ContainerSpec } | { readonly waiting: Waiting };

const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Works out how a container is run: its image, its variables, its command and what is mounted where. */
export async function makeSpec(container: Container, sources: SpecSources): Promise<MadeSpec> {
  const { pod, images, attempt } = sources;
  const name = container.image ?? '';
  const image = images.find(pod.metadata.namespace ?? '', name);
  if (!image) return { waiting: withoutImage(container, sources.reported) };
  const made = containerEnv(container, sources);
  if ('problem' in made) return configError(made.problem);
  const user = container.securityContext?.runAsUser ?? pod.spec.securityContext?.runAsUser;
  const group = container.securityContext?.runAsGroup ?? pod.spec.securityContext?.runAsGroup;
  // Programs of the machine are found where this one was.
  const path = (image.root === undefined && process.env['PATH']) || usualPath;
  const usual = { PATH: path, HOSTNAME: hostnameOf(pod), HOME: (user ?? 0) === 0 ? '/root' : '/' };
  const env = { ...usual, ...image.env, ...made.env };
  const fill = (text: string) => expand(text, variable => made.env[variable]);
  const command = [...(container.command ?? image.entrypoint), ...(container.args ?? [])].map(fill);
  if (command.length === 0)
    return { waiting: { reason: 'CreateContainerError', message: 'no command specified' } };
  const mounted = await containerMounts(container, sources.volumes, made.env);
  if ('problem' in mounted) return configError(mounted.problem);
  const given = await givenFiles(container, sources, image.root !== undefined);
  const taken = new Set(mounted.mounts.map(({ target }) => target));
  const workingDir = container.workingDir || image.workingDir;
  return {
    spec: {
      podUid: pod.metadata.uid,
      name: container.name,
      attempt,
      command,
      env,
      mounts: [...given.filter(({ target }) => !taken.has(target)), ...mounted.mounts],
      ...(workingDir ? { workingDir } : {}),
      ...(image.root ? { root: image.root } : {}),
      ...(user === undefined ? {} : { user }),
      ...(group === undefined ? {} : { group }),
    },
  };
}

/** What every container is given: the hosts file of its Pod, and a file for its last words. */
async function givenFiles(
  container: Container,
  { room, attempt }: SpecSources,
  hasOwnRoot: boolean,
): Promise<readonly Mount[]> {
  const hosts = { source: hostsPath(room.folder), target: '/etc/hosts', readOnly: false };
  const { terminationMessagePath: target = usualWordsPath } = container;
  // A file more in the machine's own /dev cannot be had: where last words are wanted, the manifest names another place.
  if (target === usualWordsPath && !hasOwnRoot) return [hosts];
  const source = lastWordsFile(room.folder, container.name, attempt);
  await makeLastWordsFile(source);
  return [hosts, { source, target, readOnly: false }];
}

const usualWordsPath = '/dev/termination-log';

function configError(message: string): MadeSpec {
  return { waiting: { reason: 'CreateContainerConfigError', message } };
}

/** A name that nobody gave a meaning cannot be pulled from anywhere: it is said once, and then waited for. */
function withoutImage({ image = '', imagePullPolicy }: Container, reported: string | undefined): Waiting {
  if (imagePullPolicy === 'Never') {
    const message = `Container image "${image}" is not present with pull policy of Never`;
    return { reason: 'ErrImageNeverPull', message };
  }
  const unknown = `"${image}" is in no images map of the namespace`;
  const wasTold = reported === 'ErrImagePull' || reported === 'ImagePullBackOff';
  return wasTold
    ? { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}": ErrImagePull: ${unknown}` }
    : { reason: 'ErrImagePull', message: unknown };
}
