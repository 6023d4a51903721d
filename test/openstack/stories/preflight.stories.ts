import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serviceLabel } from '../../../src/api/labels.ts';
import type { JourneyWorld } from '../../journeys/engine/journey-world.ts';
import { keystoneRows } from '../keystone-rows.ts';
import {
  applyKeystone,
  type KeystoneWish,
  keystoneSql,
  keystoneVersions,
  patience,
  servedVersion,
  storyMs,
  takeVariant,
} from '../keystone-world.ts';

const { first, next } = keystoneVersions;
const kinds = [
  ...['Deployment', 'StatefulSet'].map(kind => ({ apiVersion: 'apps/v1', kind })),
  ...['Service', 'ConfigMap', 'Secret', 'PersistentVolumeClaim', 'Pod'].map(kind => ({
    apiVersion: 'v1',
    kind,
  })),
];

/** Something that stands in the way, how it comes and goes, and what is said of it. */
interface Obstacle {
  readonly name: string;
  readonly come?: (world: JourneyWorld) => Promise<unknown>;
  readonly go?: (world: JourneyWorld) => Promise<unknown>;
  readonly wish?: KeystoneWish;
  readonly says: readonly RegExp[];
}

const bySql = (statement: string) => (world: JourneyWorld) => keystoneSql(world, statement);
const trust = (id: string) =>
  `INSERT INTO trust (id, trustor_user_id, trustee_user_id, project_id, impersonation, expires_at, expires_at_int) VALUES ('${id}', 'a', 'b', 'c', 1, '2030-01-01', ${id.length});`;
const immutable = (word: boolean) =>
  `UPDATE role_option SET option_value = '${word}' WHERE option_id = 'IMMU' AND role_id IN (SELECT id FROM role WHERE name = 'member');`;
const unheardOf = 'UPDATE alembic_version SET version_num = REVERSE(version_num)';

const obstacles: readonly Obstacle[] = [
  {
    name: 'an option that is gone, rows that break the new schema, a role that can be changed, and threads without connections',
    come: bySql(`${trust('one')}${trust('three')}${immutable(false)}`),
    go: bySql(`DELETE FROM trust WHERE id IN ('one', 'three');${immutable(true)}`),
    wish: { values: { config: '[catalog]\ntemplate_file = /etc/keystone/catalog', threads: 400 } },
    says: [
      /oslo-config-validator.*template_file/s,
      /trusts one three/,
      /keystone-status upgrade check.*not immutable: member/s,
      /this version may open 1600/,
    ],
  },
  {
    name: 'a schema that the release has never heard of',
    come: bySql(unheardOf),
    go: bySql(unheardOf),
    says: [/a schema that this version knows nothing of/],
  },
  {
    name: 'an account that its database refuses',
    come: bySql("ALTER USER 'keystone'@'%' ACCOUNT LOCK"),
    go: bySql("ALTER USER 'keystone'@'%' ACCOUNT UNLOCK"),
    says: [/the account of Keystone cannot use its database/],
  },
];

/** The folder of the claim that backups lie in. */
const backupFolder = (world: JourneyWorld) =>
  join(world.folder, 'state', 'runtime', 'volumes', world.namespace, 'keystone-backups');
const run = promisify(execFile);

const moreObstacles: readonly Obstacle[] = [
  {
    name: 'a disk without room for the backup',
    come: world => run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'afloat-test', backupFolder(world)]),
    go: world => run('umount', ['-l', backupFolder(world)]),
    says: [/free, and .* are needed/],
  },
];

/** What must be so before the next release may come. Begins and ends with the first version, whose schema nobody has expanded yet. */
export function preflightStories(at: () => JourneyWorld): void {
  /** All that a check could have touched: objects by what a write changes, pods by who they are and how often they began anew, rows. */
  async function picture() {
    const lines: string[] = [];
    for (const kind of kinds)
      for (const object of (await at().cluster.list(kind, { namespace: at().namespace })).items) {
        const { name, uid, labels, generation, resourceVersion, ownerReferences } = object.metadata;
        const isTask = ownerReferences?.some(owner => owner.kind === 'Job');
        // What is known of a target that was rendered to be checked is no part of the service.
        const isKept = /^afloat-(manifests|images)-/.test(name);
        if (labels?.[serviceLabel] === undefined || isTask || isKept) continue;
        const { containerStatuses = [] } = (object['status'] ?? {}) as {
          containerStatuses?: { restartCount: number }[];
        };
        const restarts = containerStatuses.map(({ restartCount }) => restartCount).join();
        // What is told of pods changes by itself; what was asked for does not.
        const written = kind.apiVersion === 'apps/v1' ? generation : resourceVersion;
        lines.push(`${kind.kind} ${name} ${uid} ${kind.kind === 'Pod' ? restarts : written}`);
      }
    return { objects: lines.sort(), rows: await keystoneRows(at()) };
  }

  test(
    'a jump that nobody supports is refused until somebody says that it shall be made, and a package whose image nobody has',
    async () => {
      const world = at();
      await applyKeystone(world, next);
      const record = await world.untilCondition('Stalled', 'True', 'UnsupportedJump', patience);
      expect(JSON.stringify(record.status?.conditions)).toContain('zed');
      const foreign = `${next}-foreign`;
      await takeVariant(world, foreign, {
        of: next,
        changes: {
          'api.yaml': text => text.replace('image: afloat/keystone:', 'image: elsewhere/keystone:'),
        },
      });
      await applyKeystone(world, foreign, { allowUnsupportedJump: true });
      await world.untilCondition('Stalled', 'True', 'ImageUnknown', patience);
      expect(await servedVersion(world)).toBe(first);
      await applyKeystone(world, first);
      await world.untilReady(patience);
    },
    storyMs,
  );

  test.each(
    [...obstacles, ...moreObstacles].map((obstacle, index) => [obstacle.name, obstacle, index] as const),
  )(
    'a release is refused before anything is touched: %s',
    async (_, { come, go, wish, says }, index) => {
      const world = at();
      await come?.(world);
      try {
        const before = await picture();
        expect(before.objects.length).toBeGreaterThan(10);
        // Another content for each: what was refused is held until the record says something else.
        const values = { testCalls: 60 + index, ...wish?.values };
        await applyKeystone(world, next, { allowUnsupportedJump: true, ...wish, values });
        const flow = await world.untilFlowEnds('keystone', 'refused', patience);
        for (const words of says) expect(flow.status?.because).toMatch(words);
        expect(await picture()).toEqual(before);
      } finally {
        await go?.(world);
      }
      await applyKeystone(world, first);
      await world.untilReady(patience);
    },
    storyMs,
  );
}
