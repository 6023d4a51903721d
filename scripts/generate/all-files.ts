import { chartFiles } from './chart.ts';
import { cliPage } from './cli-page.ts';
import { crdFiles } from './crds.ts';
import { errorPage } from './error-page.ts';
import { filePages } from './file-pages.ts';
import type { GeneratedFile } from './generated-file.ts';
import { kindPages } from './kind-pages.ts';
import { manifestFiles } from './manifests.ts';
import { referenceIndex } from './reference-index.ts';

/** Folders that hold generated files and nothing else: what is in them and not in the list below is stale. */
export const generatedFolders = ['deploy', 'docs/reference'] as const;

/** Everything `make generate` writes. A new generator is a pure function in this folder and a line here. */
export function allFiles(): GeneratedFile[] {
  return [
    ...crdFiles(),
    ...manifestFiles(),
    ...chartFiles(),
    ...kindPages(),
    ...filePages(),
    cliPage(),
    errorPage(),
    referenceIndex(),
  ];
}
