import { expect, it } from 'vitest';
import { checkPlaceholders } from './check-placeholders.ts';
import { aPackage } from './memory-source.contract.ts';

const withText = (text: string) =>
  aPackage({
    'values.yaml': 'replicas: 2\n',
    'a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  key: "${text}"\n`,
  });
const shown = ({
  code,
  file = '',
  line,
  field,
}: {
  code: string;
  file?: string;
  line?: number;
  field?: string;
}) => `${code} ${file.replace(/^.*\//, '')}:${line} ${field}`;

it.each([
  ['is known', '${service} ${version} ${slice} ${values.replicas}', [], []],
  ['is of the record', '${shared.region}', [], []],
  ['is literal', '$${HOME}', [], []],
  ['is misspelt', '${vrsion}', ['ValueMissing a.yaml:5 data.key'], []],
  ['is not closed', '${version', ['ValueMissing a.yaml:5 data.key'], []],
  ['is a value that only a record can give', '${values.region}', [], ['ValueMissing a.yaml:5 data.key']],
] as const)('a placeholder that %s', (_, text, findings, warnings) => {
  const found = checkPlaceholders(withText(text));
  expect({ findings: found.findings.map(shown), warnings: found.warnings.map(shown) }).toEqual({
    findings,
    warnings,
  });
});
