import { sameJson } from '../base/json.ts';
import {
  conditions,
  digestText,
  label,
  moment,
  objectName,
  observedGeneration,
  versionText,
} from './fields.ts';
import { flowKinds } from './flow-kinds.ts';
import { ageColumn, type Kind, type ObjectOf } from './kind.ts';
import { phaseNames } from './phase-names.ts';
import {
  choice,
  defaulted,
  flag,
  integer,
  list,
  object,
  optional,
  rule,
  text,
  type ValueOf,
} from './schema/schema.ts';

/** One object of a service, as it was rendered. What a drift check, a diff and a removal go by. */
export const inventoryItem = object('One object, as it was rendered.', {
  apiVersion: text('Its API version.', { max: 253, min: 1 }),
  kind: text('Its kind.', { max: 63, min: 1 }),
  name: text('Its name.', { max: 253, min: 1 }),
  namespace: optional(text('Its namespace, where it is not the one of the record.', { max: 63 })),
  role: choice(
    '`workload` serves; `support` is what tasks need; `task` runs once; `kept` belongs to no revision.',
    ['workload', 'support', 'task', 'kept'],
  ),
  phases: list('The phases it belongs to.', choice('A phase.', phaseNames), { max: 9, set: true }),
  digest: digestText('Digest over the object, without its replica count and images.'),
  replicas: optional(integer('Its replica count.', { min: 0, max: 1000000 })),
  images: optional(list('Its images.', text('An image.', { max: 512 }), { max: 64 })),
  unrouted: optional(
    flag('Whether it runs Pods that no route of the service leads to, such as a worker on a queue.'),
  ),
});

/** The schema a database has. */
export const schemaState = object('The schema of one database.', {
  database: label('The database.'),
  expandedTo: optional(text('The schema it was expanded to.', { max: 128 })),
  contractedTo: optional(text('The schema it was contracted to.', { max: 128 })),
});

const part = object('One component or host group.', {
  component: label('The component.'),
  hostGroup: optional(label('The host group.')),
  version: versionText('Its version.'),
  packageDigest: digestText('Its package, by content.'),
  inventory: list('Its objects.', inventoryItem, { max: 512 }),
  slices: defaulted(
    list('The slices it runs in; none where its objects have no slice in their names.', label('A slice.'), {
      max: 64,
    }),
    [],
  ),
  manifests: defaulted(
    list('Secrets that hold its rendered manifests.', objectName('A Secret.'), { max: 64 }),
    [],
  ),
});

export const backup = object('A backup that was taken and verified.', {
  database: label('The database.'),
  location: text('Where it is.', { max: 4096 }),
  checksum: text('Its checksum.', { max: 128 }),
  bytes: optional(integer('Its size.', { min: 0, max: 9007199254740991 })),
  seconds: optional(
    integer('How long it took, with its proof where it was proved.', { min: 0, max: 31536000 }),
  ),
  takenAt: moment('When it was taken.'),
  expandedTo: optional(
    text('The schema that the database in it was expanded to, where that was sure.', { max: 128 }),
  ),
  contractedTo: optional(text('The schema that it was contracted to.', { max: 128 })),
  unsure: optional(
    flag('Whether a change of its schema had stopped half way when it was taken: no version works on that.'),
  ),
  verifiedAt: optional(moment('When it was proved to be good.')),
});

/** A Secret or ConfigMap whose content went in. */
export const secretDigest = object('One of them.', {
  kind: choice('Its kind.', ['Secret', 'ConfigMap']),
  name: objectName('Its name.'),
  digest: text('Keyed digest of its content.', { max: 128 }),
});

const spec = object(
  'What was running after one finished change.',
  {
    deployment: text('The record.', { max: 253, min: 1 }),
    service: label('The service.'),
    number: integer('Counts up by one with every change of the service.', { min: 1, max: 2147483647 }),
    version: versionText('The version of the service.'),
    series: optional(text('The OpenStack release.', { max: 32 })),
    flow: choice('The flow that led here; `adopt` where it was found running.', [...flowKinds, 'adopt']),
    parts: list('Its components and host groups.', part, { max: 512 }),
    secretDigests: defaulted(
      list('Secrets and ConfigMaps whose content went in, by keyed digest.', secretDigest, {
        max: 256,
        keys: ['kind', 'name'],
      }),
      [],
    ),
    schemas: defaulted(
      list('The schemas of its databases.', schemaState, { max: 32, keys: ['database'] }),
      [],
    ),
    heads: optional(
      list(
        'The schemas that its code knows, as its package says. A database may have been expanded beyond that.',
        object('One database.', {
          database: label('The database.'),
          head: text('The newest schema that the code knows.', { max: 128 }),
        }),
        { max: 32, keys: ['database'] },
      ),
    ),
    backups: defaulted(list('Backups taken on the way here.', backup, { max: 32, keys: ['database'] }), []),
    phaseTimes: defaulted(
      list(
        'How long the phases took.',
        object('One phase.', {
          phase: choice('The phase.', phaseNames),
          startedAt: moment('When it started.'),
          seconds: integer('How long it took.', { min: 0, max: 31536000 }),
        }),
        { max: 256 },
      ),
      [],
    ),
    oslc: optional(objectName('The flow that led here.')),
    plan: optional(objectName('The plan that asked for it.')),
    by: optional(text('Who approved it.', { max: 256 })),
  },
  {
    rules: [rule<unknown>('self == oldSelf', sameJson, 'a revision is never changed')],
  },
);

const status = object('What became of the revision.', {
  observedGeneration: optional(observedGeneration),
  conditions: optional(conditions),
});

/** What was running after one finished change of one service. */
export const serviceRevision = {
  kind: 'ServiceRevision',
  plural: 'servicerevisions',
  shortName: 'osrev',
  description:
    'What was running after one finished change, down to the rendered bytes. What a rollback returns to.',
  columns: [
    { name: 'Service', type: 'string', jsonPath: '.spec.service', description: 'The service' },
    { name: 'Revision', type: 'integer', jsonPath: '.spec.number', description: 'Its number' },
    { name: 'Version', type: 'string', jsonPath: '.spec.version', description: 'The version' },
    { name: 'Flow', type: 'string', jsonPath: '.spec.flow', description: 'The flow that led here' },
    { name: 'By', type: 'string', jsonPath: '.spec.by', description: 'Who approved it', priority: 1 },
    ageColumn,
  ],
  spec,
  status,
} satisfies Kind;

export type ServiceRevision = ObjectOf<typeof serviceRevision>;
export type RevisionSpec = ValueOf<typeof spec>;
export type RevisionPart = ValueOf<typeof part>;
export type Backup = ValueOf<typeof backup>;
export type SchemaState = ValueOf<typeof schemaState>;
export type SecretDigest = ValueOf<typeof secretDigest>;
export type InventoryItem = ValueOf<typeof inventoryItem>;
