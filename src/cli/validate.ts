import { validatePaths } from '../app/validate-paths.ts';
import type { RunCommand } from './command.ts';
import { sayFindings, sayWarnings } from './say-findings.ts';
import { isStructured, structured } from './structured.ts';

/** Checks what the paths hold and prints every finding. */
export const run: RunCommand = async ({ words, options }, terminal) => {
  const stdin = words.includes('-') ? await terminal.readStdin() : '';
  const { findings, warnings, checked } = await validatePaths(words, { folder: terminal.folder, stdin });
  const { output } = options;
  if (isStructured(output))
    terminal.print(structured({ valid: findings.length === 0, findings, warnings }, output));
  else {
    terminal.tell(sayWarnings(warnings, terminal.paint));
    terminal.print(
      findings.length > 0
        ? sayFindings(findings, terminal.paint)
        : `${terminal.paint.good('valid')}: ${checked.join(', ')}\n`,
    );
  }
  return findings.length > 0 ? 'invalid' : 'ok';
};
