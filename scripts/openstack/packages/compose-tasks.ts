import { parse, stringify } from 'yaml';
import type { JsonObject } from '../../../src/base/json.ts';

/** The tasks of a service: `tasks.yaml` of its folder. */
interface ServiceTasks {
  /** The Pod that all of them run in, with one container. */
  readonly pod: JsonObject & {
    readonly containers: readonly [JsonObject & { readonly volumeMounts?: readonly JsonObject[] }];
    readonly volumes?: readonly JsonObject[];
  };
  /** Secrets that tasks may name, by the name of the folder they lie in under `/run/secrets`. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** By file and name: what goes over the container, and which secrets it sees. It sees no other. */
  readonly jobs: Readonly<Record<string, Readonly<Record<string, Task>>>>;
}

type Task = JsonObject & { readonly secrets?: readonly string[] };

/** The Jobs of the tasks of a service, by file: the Pod that all share, with each task's own words over its container. */
export function composeTasks(text: string | undefined): ReadonlyMap<string, string> {
  if (text === undefined) return new Map();
  const tasks = parse(text) as ServiceTasks;
  const files = Object.entries(tasks.jobs).map(([file, jobs]): [string, string] => {
    const written = Object.entries(jobs).map(([name, task]) => stringify(jobOf(name, task, tasks)));
    return [file, written.join('---\n')];
  });
  return new Map(files);
}

function jobOf(
  name: string,
  { secrets = [], ...own }: Task,
  { pod, secrets: known = {} }: ServiceTasks,
): JsonObject {
  const [shared] = pod.containers;
  const volumes = secrets.map(folder => {
    const secretName = known[folder];
    if (secretName === undefined)
      throw new Error(`${name} names a secret ${folder} that the tasks do not know`);
    return { name: folder, secret: { secretName } };
  });
  const mounts = secrets.map(folder => ({ name: folder, mountPath: `/run/secrets/${folder}` }));
  const container = {
    ...shared,
    ...(mounts.length > 0 ? { volumeMounts: [...(shared.volumeMounts ?? []), ...mounts] } : {}),
    ...own,
  };
  const spec = {
    ...pod,
    containers: [container],
    ...(volumes.length > 0 ? { volumes: [...(pod.volumes ?? []), ...volumes] } : {}),
  };
  return {
    ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name } },
    spec: { backoffLimit: 0, template: { spec } },
  };
}
