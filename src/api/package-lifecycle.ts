import { label, sentence, strategies, tiers, versionLimit, versionText } from './fields.ts';
import type { phaseNames } from './phase-names.ts';
import {
  choice,
  defaulted,
  flag,
  integer,
  list,
  map,
  object,
  optional,
  rule,
  text,
  type ValueOf,
  type WrittenAs,
} from './schema/schema.ts';

const requirement = object('A service that must be there, and at which versions.', {
  service: label('Name of the service.'),
  version: defaulted(versionLimit('Limit on its version, for example `>=10.6 <11`.'), '*'),
});

/** A task of the package: `kind/name` of one of its manifests. */
const taskReference = (description: string) =>
  text(`${description} As \`kind/name\` of a manifest of the package, for example \`job/db-expand\`.`, {
    max: 253,
    min: 3,
    pattern: '^[a-z]+/[a-z0-9]([-a-z0-9.]*[a-z0-9])?$',
    says: '`kind/name`, such as `job/db-expand`',
  });

const file = text('A manifest file, from the root of the package.', { max: 1024, min: 1 });
const fileList = (description: string) => optional(list(description, file, { max: 256, set: true }));

/** One list of files a phase. Written out so that a misspelt phase is found. */
const phaseFiles = object('Which manifests belong to which phase.', {
  planning: fileList('Checks before anything is touched.'),
  install: fileList('Data and software.'),
  test: fileList('Proof that the version works.'),
  trafficrollout: fileList('What exposes the service.'),
  operational: fileList('Cron jobs, budgets, scheduled tests.'),
  trafficdrain: fileList('What withdraws the service.'),
  upgrade: fileList('What only an upgrade runs.'),
  rollback: fileList('What only a rollback runs.'),
  delete: fileList('What a removal runs.'),
} satisfies Record<(typeof phaseNames)[number], unknown>);

const traffic = object('How clients reach the component.', {
  service: text('Name of the Service that clients use.', { max: 63, min: 1 }),
  port: optional(integer('Its port.', { min: 1, max: 65535 })),
  router: optional(
    choice(
      'Who brings requests to the slices. Without it the Service itself does; `haproxy` and `nginx` are those that the operator was told of (`--routers`), and the Service only says which Pods and ports.',
      ['service', 'haproxy', 'nginx'],
    ),
  ),
  drainSeconds: defaulted(integer('How long requests in flight may take.', { min: 0, max: 86400 }), 30),
  settleSeconds: defaulted(
    integer('How long an endpoint may still get requests after it was taken out.', { min: 0, max: 3600 }),
    5,
  ),
  cutsAtDeadline: defaulted(
    flag(
      'Whether requests that still go on after `drainSeconds` may be cut. Otherwise the old slice stays until they end.',
    ),
    false,
  ),
  weights: defaulted(
    list(
      'Shares of traffic, in percent, that a new slice gets before all of it, where the router can weigh.',
      integer('A share.', { min: 1, max: 99 }),
      { max: 16 },
    ),
    [10, 50],
  ),
  stepSeconds: defaulted(integer('How long each share is watched.', { min: 0, max: 86400 }), 10),
  maxErrorPercent: defaulted(
    integer(
      'How many requests in a hundred may fail more on the new slice than on the old one before traffic returns.',
      { min: 0, max: 100 },
    ),
    5,
  ),
  warmUp: optional(text('A path that is asked for before a slice takes traffic.', { max: 1024, min: 1 })),
});

const component = object('A part of the service with a life of its own.', {
  name: label('Name of the component.'),
  tier: optional(choice('Its tier; without it the tier of the package.', tiers)),
  strategy: optional(choice('Its strategy; without it the strategy of the package.', strategies)),
  slices: defaulted(integer('How many slices a rolling change walks through.', { min: 1, max: 64 }), 2),
  traffic: optional(traffic),
  workloadImpact: defaulted(
    choice("What users' workloads notice while the component is changed.", ['none', 'degraded', 'outage']),
    'none',
  ),
  phases: optional(phaseFiles),
});

const migrate = object(
  'How the schema moves to this version. Either split, or one task that does it all.',
  {
    expand: optional(taskReference('Adds what the new code needs; old code goes on working.')),
    migrate: optional(taskReference('Moves rows while both run.')),
    contract: optional(taskReference('Takes away what only old code needs: the point of no return.')),
    sync: optional(taskReference('The whole migration at once; old code may stop working.')),
  },
  {
    rules: [
      rule<{ expand?: string; contract?: string; migrate?: string; sync?: string }>(
        'has(self.sync) != (has(self.expand) || has(self.migrate) || has(self.contract))',
        self => (self.sync !== undefined) !== ((self.expand ?? self.migrate ?? self.contract) !== undefined),
        'give either `sync`, or `expand` with `migrate` and `contract` as needed',
      ),
      rule<{ expand?: string; contract?: string; sync?: string }>(
        'has(self.sync) || has(self.expand)',
        self => self.sync !== undefined || self.expand !== undefined,
        'a split migration needs `expand`',
      ),
    ],
  },
);

const database = object('A database of the service.', {
  name: label('Name of the database.'),
  driver: defaulted(
    choice('`tasks`: the package brings the tasks below. `mariadb`: built in.', ['tasks', 'mariadb']),
    'tasks',
  ),
  task: optional(
    taskReference(
      'With `driver: mariadb`: the task that runs our program for databases; `job/<name>-data` without it.',
    ),
  ),
  head: optional(
    text(
      'Mark of the newest schema this version knows. Two versions with one head need no migration between them; without it every version counts as a new schema.',
      {
        max: 128,
        min: 1,
      },
    ),
  ),
  migrate: optional(migrate),
  init: optional(taskReference('Creates the database.')),
  backup: optional(taskReference('Takes a backup.')),
  verify: optional(taskReference('Proves that the backup can be restored.')),
  restore: optional(taskReference('Brings the backup back.')),
  loss: optional(
    taskReference(
      'Says what a restore would drop: writes `{"tables": [{"table": "...", "says": "3 inserted"}]}` as its termination message. The driver `mariadb` knows by itself.',
    ),
  ),
  drop: optional(taskReference('Removes the database.')),
  state: optional(
    taskReference(
      'Says which schema the database has: writes `{"expandedTo": "...", "contractedTo": "..."}` as its termination message.',
    ),
  ),
  servedHere: optional(
    flag(
      'Whether the server of this database is among the workloads of this package: then it runs until its backup is taken and proved, and what is written meanwhile counts as at stake. Otherwise the service is stopped before a backup that a rollback may bring back.',
    ),
  ),
  goesOnUncontracted: defaulted(
    flag('Whether the next upgrade may start while an older contract is still pending.'),
    false,
  ),
});

const upgrade = object('What an upgrade to this version needs.', {
  from: defaulted(versionLimit('Versions an upgrade may start from.'), '*'),
  after: defaulted(
    list('Services that must have reached a version first, where they are in the cloud.', requirement, {
      max: 64,
      keys: ['service'],
    }),
    [],
  ),
  skew: defaulted(
    map(
      'How many releases a component may stay behind the newest one of the service.',
      integer('Releases.', { min: 0, max: 20 }),
      {
        max: 64,
      },
    ),
    {},
  ),
});

const image = object(
  'What an image is where there is no container engine: the embedded runtime starts this program for it.',
  {
    name: text('The image as the manifests name it; `${version}` and the like are filled in.', {
      max: 512,
      min: 1,
    }),
    command: optional(
      list(
        'What runs where a manifest gives no command; `${package}` is the folder of the package.',
        text('A word.', { max: 4096 }),
        { max: 256 },
      ),
    ),
    root: optional(
      text('A folder that is the root of the container: in the package, or an absolute path.', {
        max: 1024,
        min: 1,
      }),
    ),
    env: defaulted(map('Its environment.', text('A value.', { max: 4096 }), { max: 256 }), {}),
    isolation: defaulted(
      choice(
        '`namespaces`: it listens on every address and finds its files where the manifests mount them, which only root can give it. `none`: it listens on `$POD_IP` and looks for its files under `$POD_ROOT`.',
        ['namespaces', 'none'],
      ),
      'namespaces',
    ),
  },
  {
    rules: [
      rule<{ command?: readonly string[]; root?: string }>(
        'has(self.command) || has(self.root)',
        self => self.command !== undefined || self.root !== undefined,
        'give a `command`, a `root`, or both',
      ),
      rule<{ root?: string; isolation?: string }>(
        "!has(self.root) || self.isolation != 'none'",
        self => self.root === undefined || self.isolation !== 'none',
        'an image with a `root` of its own needs `isolation: namespaces`',
      ),
    ],
  },
);

const estimate = (what: string) =>
  optional(integer(`Seconds ${what} takes, as long as there is no history.`, { min: 0, max: 604800 }));

/** The schema of `lifecycle.yaml`, the page at the root of a package that says what the service needs to live. */
export const packageLifecycle = object('What a service needs to live, at one version.', {
  service: label('Name of the service.'),
  version: versionText('The version of the service in this package.'),
  series: optional(text('The OpenStack release it belongs to, for example `2025.1`.', { max: 32, min: 3 })),
  versionScheme: optional(
    choice('How versions of this service are ordered, where their form does not tell.', [
      'series',
      'number',
      'debian',
    ]),
  ),
  description: optional(sentence('What the service is, in a sentence.')),
  tier: defaulted(choice('Its tier.', tiers), 'controlplane'),
  strategy: defaulted(choice('How versions change places.', strategies), 'recreate'),
  requires: defaulted(
    list('Services that must be there, at which versions.', requirement, { max: 64, keys: ['service'] }),
    [],
  ),
  upgrade: defaulted(upgrade, {}),
  components: defaulted(
    list(
      'Parts with a life of their own, in the order they are changed; without any, the service is one part.',
      component,
      {
        max: 64,
        keys: ['name'],
      },
    ),
    [],
  ),
  traffic: optional(traffic),
  data: defaulted(list('Its databases.', database, { max: 32, keys: ['name'] }), []),
  stateOutside: defaulted(
    flag(
      'Whether the service has state outside its databases (servers, volumes, ports). Once traffic is back, its data is then not restored.',
    ),
    false,
  ),
  reconcile: optional(taskReference('Brings outside state and restored data together again.')),
  phases: defaulted(phaseFiles, {}),
  support: fileList(
    'Manifests that are there in every phase that runs something. Secrets, ConfigMaps and accounts always are.',
  ),
  images: defaulted(
    list('What its images are where there is no container engine.', image, { max: 64, keys: ['name'] }),
    [],
  ),
  preflight: defaulted(
    list('Checks of the planning phase.', taskReference('A check.'), { max: 64, set: true }),
    [],
  ),
  pre: defaulted(
    list('Tasks before the software changes.', taskReference('A task.'), { max: 64, set: true }),
    [],
  ),
  post: defaulted(
    list('Tasks after the software changed.', taskReference('A task.'), { max: 64, set: true }),
    [],
  ),
  generated: defaulted(
    list(
      'Values that are made once at random and kept in a Secret.',
      text('Name of a value.', { max: 253, min: 1 }),
      {
        max: 64,
        set: true,
      },
    ),
    [],
  ),
  keep: defaulted(
    list(
      'Objects that somebody else writes: created once, then never touched.',
      taskReference('An object.'),
      {
        max: 64,
        set: true,
      },
    ),
    [],
  ),
  schedule: optional(
    object('What is repeated while the service is operational.', {
      test: optional(text('When its test phase is repeated, as in a crontab.', { max: 128, min: 1 })),
      backup: optional(text('When its databases are backed up, as in a crontab.', { max: 128, min: 1 })),
    }),
  ),
  estimates: defaulted(
    object('How long the flows take.', {
      install: estimate('an install'),
      upgrade: estimate('an upgrade'),
      reconfigure: estimate('a reconfigure'),
      rollback: estimate('a rollback'),
      uninstall: estimate('an uninstall'),
      contract: estimate('a contract'),
    }),
    {},
  ),
});

export type PackageLifecycle = ValueOf<typeof packageLifecycle>;
export type LifecycleWritten = WrittenAs<typeof packageLifecycle>;
export type LifecycleImage = PackageLifecycle['images'][number];
export type LifecycleDatabase = PackageLifecycle['data'][number];
export type LifecycleComponent = PackageLifecycle['components'][number];
export type PhaseFiles = PackageLifecycle['phases'];
