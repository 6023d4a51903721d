import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadProgramImages } from '../node/load-images.ts';
import type { TestNode } from '../test-node.ts';

/** One version of one of the example services. */
export interface ExamplePackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

const packages = join(import.meta.dirname, '../../../examples/packages');

/** All that are there. */
export function examplePackages(): readonly ExamplePackage[] {
  return readdirSync(packages).flatMap(name =>
    readdirSync(join(packages, name)).map(version => ({
      ...{ name, version },
      folder: join(packages, name, version),
    })),
  );
}

/** Brings the programs of all of them onto a node, by the names that their manifests use. */
export async function loadExampleImages(node: TestNode): Promise<void> {
  await loadProgramImages(
    node,
    examplePackages().map(({ name, version, folder }) => ({
      name: `example/${name}:${version}`,
      folders: [join(folder, 'program')],
    })),
  );
}
