import { digestText, label, moment, versionText } from '../api/fields.ts';
import { packageLifecycle } from '../api/package-lifecycle.ts';
import {
  choice,
  defaulted,
  flag,
  integer,
  list,
  object,
  optional,
  text,
  type ValueOf,
} from '../api/schema/schema.ts';
import { inventoryItem } from '../api/service-revision.ts';

const part = object('One component or host group that runs.', {
  component: label('The component; the name of the service where it has none.'),
  hostGroup: optional(label('The host group.')),
  version: versionText('Its version.'),
  packageDigest: digestText('Its package, by content.'),
  inventory: list('Its objects, as they were rendered.', inventoryItem, { max: 1024 }),
  found: optional(flag('Whether it runs as it was found, in no slice.')),
});

const secretDigest = object('A Secret or ConfigMap whose content went in.', {
  kind: choice('Its kind.', ['Secret', 'ConfigMap']),
  name: text('Its name.', { max: 253 }),
  digest: text('Keyed digest of its content.', { max: 128 }),
});

const database = object('One database, as it was read from the database itself.', {
  name: label('The database.'),
  expandedTo: optional(text('The schema it was expanded to.', { max: 128 })),
  contractedTo: optional(text('The schema it was contracted to.', { max: 128 })),
  rowsToMove: defaulted(flag('Whether rows are still to be moved to the schema it was expanded to.'), false),
  oldProcesses: defaulted(
    integer('Processes and connections of an older version that still use it.', { min: 0, max: 1000000 }),
    0,
  ),
  lastBackup: optional(
    object('What its last backup came to.', {
      bytes: integer('Its size.', { min: 0, max: 9007199254740991 }),
      seconds: integer('How long it and its proof took.', { min: 0, max: 31536000 }),
    }),
  ),
});

const revision = object('A finished change that can be returned to.', {
  number: integer('Its number.', { min: 1, max: 2147483647 }),
  version: versionText('Its version.'),
  packageDigest: digestText('Its package, by content.'),
  schemas: defaulted(
    list(
      'The schema each database had.',
      object('One database.', { database: label('The database.'), head: text('Its schema.', { max: 128 }) }),
      { max: 32 },
    ),
    [],
  ),
  backups: defaulted(
    list('Databases with a verified backup that it works on.', label('A database.'), { max: 32 }),
    [],
  ),
  takenAt: defaulted(
    list(
      'When those backups were taken, where that is known.',
      object('One database.', { database: label('The database.'), takenAt: moment('When.') }),
      { max: 32 },
    ),
    [],
  ),
});

const hold = object('A target that is not tried again by itself.', {
  target: digestText('The target that failed, as targetDigest tells it.'),
  by: choice('Whose doing it is.', ['rollback', 'person']),
  message: defaulted(text('What happened.', { max: 1024 }), ''),
});

const service = object('One service as it is.', {
  name: label('The service.'),
  state: choice(
    '`Operational`; `Absent` data may still be there; `InFlow` something runs; `Irreconcilable` a person is needed.',
    ['Operational', 'Absent', 'InFlow', 'Irreconcilable'],
  ),
  left: optional(
    choice(
      'Where the flow stopped that needs a person: `before`: what ran before it serves, and nothing else; `withdrawn`: an install that had passed its test was taken from traffic; `between`: anything else.',
      ['before', 'withdrawn', 'between'],
    ),
  ),
  version: optional(versionText('The version of the service as a whole.')),
  revision: optional(integer('Number of the revision that serves.', { min: 1, max: 2147483647 })),
  lifecycle: optional(packageLifecycle),
  parts: defaulted(list('What runs of it.', part, { max: 1024 }), []),
  secretDigests: defaulted(list('Contents that went in.', secretDigest, { max: 256 }), []),
  databases: defaulted(list('Its databases.', database, { max: 32, keys: ['name'] }), []),
  revisions: defaulted(
    list('Revisions that can be returned to, the newest first.', revision, { max: 1000 }),
    [],
  ),
  hold: optional(hold),
  soaking: defaulted(flag('Whether the soak time of the last change is still running.'), false),
  durations: defaulted(
    list(
      'How long earlier flows took.',
      object('One flow.', {
        flow: text('The flow.', { max: 32 }),
        component: optional(label('The component.')),
        seconds: integer('How long it took.', { min: 0, max: 31536000 }),
      }),
      { max: 1000 },
    ),
    [],
  ),
});

/** The schema of an observed state, as `afloat plan --from` reads it. */
export const observedStateSchema = object('What runs now.', {
  services: defaulted(
    list('The services that are there, or were.', service, { max: 4096, keys: ['name'] }),
    [],
  ),
  contents: defaulted(
    list(
      'Secrets and ConfigMaps that records refer to, by the keyed digest of their content now.',
      secretDigest,
      {
        max: 4096,
      },
    ),
    [],
  ),
});

/**
 * What planning needs to know of the world, and all it knows of it. Filled in by the controller from the cluster and
 * the databases, or read from a file.
 */
export type ObservedState = ValueOf<typeof observedStateSchema>;
export type ObservedService = ObservedState['services'][number];
export type ObservedPart = ObservedService['parts'][number];
export type ObservedDatabase = ObservedService['databases'][number];
export type ObservedRevision = ObservedService['revisions'][number];
