import { join } from 'node:path';
import { serviceVersions } from '../packages/compose-package.ts';
import { composedServices } from '../packages/compose-packages.ts';

/** An image that packages of real services name, and the root that it is made of. */
export interface ServiceImage {
  readonly name: string;
  readonly root: string;
}

/** All images that packages of real services name, each once. */
export async function serviceImages(): Promise<readonly ServiceImage[]> {
  const images = new Map<string, string>();
  for (const service of composedServices) {
    const { versions } = await serviceVersions(join(import.meta.dirname, '../../../packages', service));
    for (const version of Object.values(versions))
      for (const [name, root] of Object.entries(version.images)) images.set(`afloat/${name}`, root);
  }
  return [...images].map(([name, root]) => ({ name, root }));
}
