import type { Finding } from '../api/finding.ts';
import type { Paint } from '../base/paint.ts';
import { printable } from './printable.ts';

/** Findings as people read them: place, what is wrong, what to do; then how many there are. */
export function sayFindings(findings: readonly Finding[], paint: Paint): string {
  const blocks = findings.map(found => {
    const place = placeText(found);
    const head = place === '' ? '' : `${paint.strong(place)}: `;
    return `${head}${paint.bad(printable(found.message))} ${paint.faint(`(${found.code})`)}\n    ${printable(found.advice)}\n`;
  });
  return `${blocks.join('')}${findings.length === 1 ? '1 problem' : `${findings.length} problems`}\n`;
}

/** Warnings look the same, but they stop nobody. */
export function sayWarnings(warnings: readonly Finding[], paint: Paint): string {
  return warnings
    .map(
      ({ message, advice, ...at }) =>
        `${paint.warn('warning')} ${placeText(at)}: ${printable(message)}. ${printable(advice)}\n`,
    )
    .join('');
}

function placeText({ file, line, column }: Pick<Finding, 'file' | 'line' | 'column'>): string {
  if (file === undefined) return '';
  return printable(line === undefined ? file : `${file}:${line}:${column ?? 1}`);
}
