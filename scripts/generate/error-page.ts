import { errorCatalog } from '../../src/api/error-catalog.ts';
import { type GeneratedFile, pageHeader } from './generated-file.ts';
import { table } from './markdown.ts';

const intro = `Every error has a code. Codes are API: programs decide by them, and a code is never given a new meaning. The class
says what may be done about it:

- \`retry\`: tried again by itself, with back-off;
- \`wait\`: goes on when something that is named has happened;
- \`terminal\`: stays until a person changes something;
- \`bug\`: Afloat itself is wrong.

The reason is what a condition on an object says.`;

/** The page of all errors, from the catalogue. */
export function errorPage(): GeneratedFile {
  const rows = Object.entries(errorCatalog).map(([code, entry]) => [
    `\`${code}\``,
    entry.class,
    `\`${entry.reason}\``,
    entry.means,
    entry.advice,
  ]);
  return {
    path: 'docs/reference/errors.md',
    content: `${[
      pageHeader,
      '# Errors',
      intro,
      table(['code', 'class', 'reason', 'what it means', 'what to do'], rows),
    ].join('\n\n')}\n`,
  };
}
