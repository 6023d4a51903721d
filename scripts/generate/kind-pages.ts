import { apiVersion } from '../../src/api/group.ts';
import type { Kind } from '../../src/api/kind.ts';
import { kinds } from '../../src/api/kinds.ts';
import { type GeneratedFile, pageHeader } from './generated-file.ts';
import { kebab, table } from './markdown.ts';
import { schemaSections } from './schema-sections.ts';

/** The reference page of each kind. */
export function kindPages(): GeneratedFile[] {
  return kinds.map(kind => ({ path: kindPagePath(kind), content: kindPage(kind) }));
}

/** Where the reference page of a kind is. */
export function kindPagePath(kind: Kind): string {
  return `docs/reference/${kebab(kind.kind)}.md`;
}

function kindPage(kind: Kind): string {
  const columns = kind.columns.map(({ name, jsonPath, description, priority }) => [
    name,
    `\`${jsonPath}\``,
    priority === 1 ? `${description} (\`-o wide\`)` : description,
  ]);
  return `${[
    pageHeader,
    `# ${kind.kind}`,
    kind.description,
    table(
      ['apiVersion', 'kind', 'plural', 'short name', 'scope'],
      [
        [
          `\`${apiVersion}\``,
          `\`${kind.kind}\``,
          `\`${kind.plural}\``,
          `\`${kind.shortName}\``,
          'namespaced',
        ],
      ],
    ),
    '## Columns',
    table(['column', 'from', 'what it shows'], columns),
    ...schemaSections('spec', kind.spec.json),
    ...schemaSections('status', kind.status.json),
  ].join('\n\n')}\n`;
}
