import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document, isScalar, parse, visit } from 'yaml';
import { decide } from '../../src/app/decide.ts';
import type { ObservedService, ObservedState } from '../../src/plan/observed-state.ts';
import { carryOut } from '../../src/testing/carry-out.ts';

const head = `# What runs once cloud.yaml was carried out: a file for \`afloat plan --from\`. On a real cloud it is observed, not written.
# Made by test/cli-examples.test.ts; when the example packages change: npx vitest run test/cli-examples.test.ts -u
`;

/** The state of the example cloud after a record was carried out, as a person would write it: defaults left out. */
export async function exampleState(record: string): Promise<string> {
  const { services } = await stateAfter(record);
  const document = new Document({ services: services.map(asWritten) }, { aliasDuplicateObjects: false });
  visit(document, {
    Seq: (_, list) => {
      list.flow = list.items.every(isScalar); // as the formatter of this repository leaves it
    },
  });
  return head + document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** What runs after a record was carried out, beginning from nothing or from what a file says. */
export async function stateAfter(record: string, from?: string): Promise<ObservedState> {
  const decided = await decide([record], {
    folder: process.cwd(),
    stdin: '',
    ...(from === undefined ? {} : { from }),
  });
  if ('findings' in decided) throw new TypeError(JSON.stringify(decided.findings));
  return carryOut(decided);
}

function asWritten(service: ObservedService): unknown {
  const folder = join('examples', 'packages', service.name, service.version ?? '');
  const lifecycle: unknown = parse(readFileSync(join(folder, 'lifecycle.yaml'), 'utf8'));
  const { name, state, version, revision, ...rest } = service;
  return withoutDefaults({ name, state, version, revision, ...rest, lifecycle });
}

/** Lists of a state may be left out when they are empty, flags when they are false, counts when they are none. */
function withoutDefaults(fields: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
