import { shortImageName } from '../../api/image-name.ts';
import { isObject } from '../../base/json.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import type { Informer } from '../../reconcile/informer.ts';
import type { Image, Images } from './images.ts';

/** ConfigMaps with this label say what images are. */
export const imagesLabel = 'openstacklcm.airshipit.org/images';

/** Under this index ConfigMaps of images are kept by namespace. */
const byNamespace = 'images';

type ImageMap = ReadonlyMap<string, Image>;

/**
 * The images of a namespace, from its ConfigMaps with the label: each value is a JSON object from names to what they stand for
 * (`command`, `root`, `env`, `workingDir`). A value that is none is passed over and told of: a bad map must not hide the good ones.
 */
export class ConfigMapImages implements Images {
  readonly #configMaps: Informer;
  readonly #onTrouble: (doing: string, error: unknown) => void;
  /** Read once per version of a ConfigMap; the objects are frozen. */
  readonly #read = new WeakMap<StoredObject, ImageMap>();

  constructor(configMaps: Informer, onTrouble: (doing: string, error: unknown) => void) {
    this.#configMaps = configMaps;
    this.#onTrouble = onTrouble;
    configMaps.addIndexes({ [byNamespace]: object => (namesImages(object) ? [namespaceOf(object)] : []) });
  }

  find(namespace: string, name: string): Image | undefined {
    const short = shortImageName(name);
    for (const configMap of this.#configMaps.by(byNamespace, namespace)) {
      const image = this.#imagesOf(configMap).get(short);
      if (image) return image;
    }
    return undefined;
  }

  onChange(listener: (namespace: string) => void): void {
    this.#configMaps.onChange(({ object, before }) => {
      const changed = [object, before].find(one => one && namesImages(one));
      if (changed) listener(namespaceOf(changed));
    });
  }

  #imagesOf(configMap: StoredObject): ImageMap {
    const known = this.#read.get(configMap);
    if (known) return known;
    const images = new Map<string, Image>();
    for (const [key, text] of Object.entries(configMap['data'] ?? {})) {
      try {
        for (const [name, value] of imagesIn(String(text))) images.set(shortImageName(name), value);
      } catch (error) {
        this.#onTrouble(
          `images in ConfigMap ${namespaceOf(configMap)}/${configMap.metadata.name}: ${key}`,
          error,
        );
      }
    }
    this.#read.set(configMap, images);
    return images;
  }
}

function imagesIn(text: string): readonly (readonly [string, Image])[] {
  const parsed: unknown = JSON.parse(text);
  return Object.entries(isObject(parsed) ? parsed : {}).map(([name, value]) => [name, imageOf(value)]);
}

function imageOf(value: unknown): Image {
  const { command, root, env, workingDir } = isObject(value) ? value : {};
  return {
    entrypoint: Array.isArray(command) ? command.map(String) : [],
    env: isObject(env)
      ? Object.fromEntries(Object.entries(env).map(([name, text]) => [name, String(text)]))
      : {},
    ...(typeof root === 'string' ? { root } : {}),
    ...(typeof workingDir === 'string' ? { workingDir } : {}),
  };
}

function namesImages({ metadata }: StoredObject): boolean {
  return metadata.labels?.[imagesLabel] === 'true';
}

function namespaceOf({ metadata }: StoredObject): string {
  return metadata.namespace ?? '';
}
