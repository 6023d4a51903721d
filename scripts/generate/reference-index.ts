import { kinds } from '../../src/api/kinds.ts';
import { type GeneratedFile, pageHeader } from './generated-file.ts';
import { kebab, table } from './markdown.ts';

/** The first page of the reference. */
export function referenceIndex(): GeneratedFile {
  const rows = kinds.map(kind => [
    `[${kind.kind}](${kebab(kind.kind)}.md)`,
    `\`${kind.shortName}\``,
    kind.description,
  ]);
  return {
    path: 'docs/reference/README.md',
    content: `${[
      pageHeader,
      '# Reference',
      'These pages are made from the schemas and lists the program itself works with.',
      '## Kinds',
      table(['kind', 'short name', 'what it is'], rows),
      '## Files',
      [
        '- [lifecycle.yaml](lifecycle-yaml.md): what a package says of its service',
        '- [Observed state](observed-state.md): what runs now, as planning sees it',
        '- [The file of routers](routers-file.md): where HAProxy and nginx are',
      ].join('\n'),
      '## Command line',
      '- [afloat](cli.md): every command, option and exit code',
      '## Errors',
      '- [Errors](errors.md): every code, what it means, what to do',
    ].join('\n\n')}\n`,
  };
}
