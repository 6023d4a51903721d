import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { ClusterObject } from '../cluster.ts';
import type { ClusterError } from '../cluster-error.ts';
import { type CaseWorld, fieldsOf, refusal } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'test', 'bad-inputs', 'testdata', 'records');

/** What a server says of a bad record of `test/bad-inputs`. */
export interface Judgement {
  /** Every field that is named when it is refused as `Invalid`. */
  readonly fields?: readonly string[];
  /** Every field that is named when it is refused as unknown, which a server does only when it is asked to be strict. */
  readonly unknown?: readonly string[];
  /** Nothing of that kind is served. */
  readonly isNoKind?: true;
}

/** The bad records that a server can judge, by the name of their file. */
export const judgedRecords: Readonly<Record<string, Judgement>> = {
  'field that is not known': { unknown: ['spec.colour'] },
  'field that is misspelt': {
    fields: ['spec.services[0].version'],
    unknown: ['spec.services[0].verison'],
  },
  'version without quotes': { fields: ['spec.services[0].version'] },
  'list where a map is wanted': { fields: ['spec'] },
  'service without a version': { fields: ['spec.services[0].version'] },
  'word that is not allowed': { fields: ['spec.services[0].strategy'] },
  'number that is too large': { fields: ['spec.maxParallel'] },
  'name with capitals': { fields: ['metadata.name'] },
  'service twice': { fields: ['spec.services[1]'] },
  'stage of nobody': { fields: ['spec.stages[0]'] },
  'service kept and removed': { fields: ['spec.removed'] },
  'dependency on itself': { fields: ['spec.services[0].dependsOn'] },
  'version with blanks': { fields: ['spec.services[0].version'] },
  'location that leaves by its version': { fields: ['spec.services[0].version'] },
  'kind that is misspelt': { isNoKind: true },
  'version of the API that is not there': { isNoKind: true },
};

/** The other bad records, by why no server can judge them: it sees one object at a time, and neither files nor packages. */
export const unjudgedRecords: readonly { readonly because: string; readonly names: readonly string[] }[] = [
  {
    because: 'the text never becomes an object',
    names: [
      'key twice',
      'secret in a line that is no YAML',
      'empty',
      'only comments',
      'list at the top',
      'text and no YAML',
      'bracket that is not closed',
      'tabs',
      'alias of nothing',
      'tag that is not known',
    ],
  },
  {
    because: 'each object by itself is fine; what is wrong is which of them are in the file',
    names: ['no record among the documents', 'two records'],
  },
  {
    because: 'a secret in free values is text like any other; it is looked for before anything is sent',
    names: ['password in plain text', 'password in a URL', 'private key'],
  },
  {
    because: 'it is about several parts of the spec together, and the schema has no rule for it',
    names: ['dependency that is not there', 'no source'],
  },
  {
    because: 'which time zones there are is in the data of a machine, which a schema cannot ask',
    names: ['time zone that is none'],
  },
  {
    because: 'it is the package that says what is right',
    names: [
      'version that is none',
      'package that is not there',
      'package of another version',
      'package with another digest',
      'package that is none',
      'value that nobody gives',
      'component that is not there',
      'circle',
      'requirement that is not there',
      'requirement in the wrong version',
      'component too far behind',
    ],
  },
  {
    because: 'it depends on what runs',
    names: ['jump over releases', 'removal of what is needed', 'lower version that never ran'],
  },
];

async function check(world: CaseWorld, name: string, judgement: Judgement): Promise<void> {
  const { fields, unknown, isNoKind } = judgement;
  const content: ClusterObject = parse(await readFile(join(folder, `${name}.yaml`), 'utf8'));
  const object = { ...content, metadata: { ...content.metadata, namespace: world.namespace } };
  if (isNoKind) await refusal('NotFound', world.create(object));
  if (fields) expect(fieldsOf(await refusal('Invalid', world.create(object)))).toEqual(fields);
  if (unknown) {
    const asked = world.cluster.create(object, { fieldValidation: 'Strict' });
    expect(unknownFieldsOf(await refusal('BadRequest', asked))).toEqual(unknown);
  }
}

/** A server names unknown fields in its message and nowhere else. */
function unknownFieldsOf({ message }: ClusterError): string[] {
  return [...message.matchAll(/unknown field "([^"]*)"/g)].map(([, field = '']) => field);
}

export const badRecordCases: ContractTopic = {
  topic: 'bad records of the program’s own tests',
  cases: Object.fromEntries(
    Object.entries(judgedRecords).map(([name, judgement]) => [
      `${name}: refused${judgement.isNoKind ? '' : ', with the fields named'}`,
      (world: CaseWorld) => check(world, name, judgement),
    ]),
  ),
};
