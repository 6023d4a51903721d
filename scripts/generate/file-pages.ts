import { packageLifecycle } from '../../src/api/package-lifecycle.ts';
import { routersFile } from '../../src/api/routers-file.ts';
import { observedStateSchema } from '../../src/plan/observed-state.ts';
import { type GeneratedFile, pageHeader } from './generated-file.ts';
import { type LinkedSchemas, schemaSections } from './schema-sections.ts';

const linked: LinkedSchemas = new Map([
  [packageLifecycle.json, { title: 'lifecycle.yaml', page: 'lifecycle-yaml.md' }],
]);

/** The reference pages of files that are no Kubernetes objects. */
export function filePages(): GeneratedFile[] {
  return [
    {
      path: 'docs/reference/lifecycle-yaml.md',
      content: page(
        'lifecycle.yaml',
        'The file at the root of a package that says what the service needs to live. Only `service` and `version` are required.',
        schemaSections('lifecycle', packageLifecycle.json),
      ),
    },
    {
      path: 'docs/reference/routers-file.md',
      content: page(
        'The file of routers',
        'What `--routers` names: where the HAProxy and nginx are that packages route by. [How to set them up](../traffic.md).',
        schemaSections('routers', routersFile.json),
      ),
    },
    {
      path: 'docs/reference/observed-state.md',
      content: page(
        'Observed state',
        'What planning knows of the world, and all it knows of it. `afloat plan --from <file>` reads it; without a file nothing runs yet.',
        schemaSections('state', observedStateSchema.json, linked),
      ),
    },
  ];
}

function page(title: string, intro: string, sections: readonly string[]): string {
  return `${[pageHeader, `# ${title}`, intro, ...sections].join('\n\n')}\n`;
}
