import { digestJson } from '../../base/digest.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { identityOf } from '../object-kinds.ts';
import { containersOf, listOf, podSpecOf } from './pod-template.ts';

/**
 * The mark of the schema that a migration leads to, by what it runs: images, commands, and the scripts of the chart that it mounts. Where two
 * versions of a chart run the same migration, their schema is one. Settings, passwords and addresses do not count.
 */
export function schemaMark(migration: JsonObject, objects: readonly JsonObject[]): string {
  const spec = podSpecOf(migration) ?? {};
  const volumes = listOf(spec['volumes']).filter(isObject);
  // What runs first only waits, or prepares the pod.
  const containers = listOf(spec['containers']).filter(isObject);
  const runs = containers.map(({ image, command, args, volumeMounts }) => {
    const words = [...listOf(command ?? null), ...listOf(args ?? null)].join(' ');
    const mounts = listOf(volumeMounts ?? null).filter(isObject);
    return {
      image,
      command,
      args,
      scripts: mounts.flatMap(mount => scriptsOf(mount, { words, volumes, objects })),
    };
  });
  return `sync-${digestJson(runs).slice(7, 39)}`;
}

interface ScriptPlace {
  /** What is run. */
  readonly words: string;
  readonly volumes: readonly JsonObject[];
  readonly objects: readonly JsonObject[];
}

/** The text behind a mount of a ConfigMap: of the file that is mounted, of those that are run, or else of all. */
function scriptsOf(mount: JsonObject, { words, volumes, objects }: ScriptPlace): readonly JsonObject[] {
  const volume = volumes.find(({ name }) => name === mount['name']);
  const source = volume && isObject(volume['configMap']) ? volume['configMap'] : undefined;
  const config = objects.find(one => {
    const { kind, name } = identityOf(one);
    return kind === 'ConfigMap' && name === source?.['name'];
  });
  const files = Object.entries(config && isObject(config['data']) ? config['data'] : {});
  const { subPath } = mount;
  const run = files.filter(([file]) =>
    typeof subPath === 'string' ? file === subPath : words.includes(file),
  );
  const isAll = typeof subPath !== 'string' && run.length === 0;
  return [Object.fromEntries(isAll ? files : run)];
}

/** Whether an image may be another one tomorrow under the same name. */
export function hasFloatingImage(migration: JsonObject): boolean {
  const images = containersOf(podSpecOf(migration) ?? {}).map(({ image }) => `${image}`);
  return images.some(image => !image.includes('@') && !/:(?!latest$|master$)[^/]+$/.test(image));
}
