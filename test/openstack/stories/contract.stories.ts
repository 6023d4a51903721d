import { expect, test } from 'vitest';
import type { Variant } from '../../../scripts/openstack/packages/compose-package.ts';
import { backupsOf } from '../../../src/controller/observe/observe-cloud.ts';
import type { JourneyWorld } from '../../journeys/engine/journey-world.ts';
import { adminToken } from '../keystone-person.ts';
import { backupRows, keystoneRows, type Rows } from '../keystone-rows.ts';
import {
  applyKeystone,
  keystoneSql,
  keystoneVersions,
  patience,
  servedVersion,
  storyMs,
  takeVariant,
} from '../keystone-world.ts';
import { unnoticed } from '../unnoticed.ts';

const { first, next } = keystoneVersions;
const dropping = `${next}-dropping`;

/** What makes a Keystone forget a column, before it is loaded. */
const forget = `import importlib.util
import sys

spec = importlib.util.find_spec('keystone.catalog.backends.sql')
with open(spec.origin, encoding='utf-8') as file:
    source = file.read()
for text in ("        'legacy_endpoint_id',\\n", '    legacy_endpoint_id = sql.Column(sql.String(64))\\n'):
    source = source.replace(text, '')
source = source.replace("del endpoint['legacy_endpoint_id']", 'pass')
assert 'legacy' not in source
module = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = module
exec(compile(source, spec.origin, 'exec'), module.__dict__)
`;

/** A column that the old release reads with every catalogue, and that this one has forgotten: its contract takes it away. */
const forgetful: Variant = {
  of: next,
  changes: {
    'program/schema.py': text =>
      text.replace(
        "    code, said = database.run('keystone-manage'",
        `    if verb == 'contract':
        with database.connect(database=database.name()) as connection:
            database.ask(connection, 'ALTER TABLE endpoint DROP COLUMN IF EXISTS legacy_endpoint_id')
    code, said = database.run('keystone-manage'`,
      ),
    'program/wsgi.py': text => `${forget}${text}`,
  },
};

/** What was said to be lost of a table, as a change of its number of rows. */
function fewerRows(says: string): number {
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(says)?.[1] ?? 0);
  return count('inserted') - count('deleted');
}

/** The test of the version that is back deletes users, and each leaves a row here: there may be more than before. */
const revocations = 'revocation_event';

const rowCounts = (rows: Rows) =>
  Object.fromEntries(Object.entries(rows).map(([table, lines]) => [table, lines.length]));

/** The point of no return, and what it takes to come back from behind it. Begins and ends with the first version. */
export function contractStories(at: () => JourneyWorld): void {
  /** The column that only the old release needs; nothing where it is gone. */
  const column = () => keystoneSql(at(), "SHOW COLUMNS FROM endpoint LIKE 'legacy_endpoint_id'");

  /** Lets the contract of the release be planned, and carries it out. */
  async function contract(): Promise<void> {
    const plan = await at().ask({ contract: 'keystone' });
    expect(plan.spec.plan).toMatchObject({ approval: 'manual', steps: [{ consents: ['contract'] }] });
    await at().approvePlan(plan);
    await at().untilFlowEnds('keystone', 'operational', patience);
  }

  test(
    'a contract that takes away what the old release reads waits until that is gone, and for the word of a person',
    async () => {
      const world = at();
      await takeVariant(world, dropping, forgetful);
      await unnoticed(world, async () => {
        await applyKeystone(world, dropping, { allowUnsupportedJump: true, soakSeconds: 86_400 });
        const flow = await world.untilSettled('keystone', patience);
        await expect(world.ask({ contract: 'keystone' })).rejects.toMatchObject({ codes: ['StateInvalid'] });
        await world.patchSpec(flow, { endSoak: true });
        await world.untilFlowEnds('keystone', 'operational', patience);
        expect(await column()).not.toBe('');
        await contract();
      });
      expect(await column()).toBe('');
      expect(await servedVersion(world)).toBe(dropping);
    },
    storyMs,
  );

  test(
    'a rollback from behind it says what would be lost and waits; with consent every row is as in the backup',
    async () => {
      const world = at();
      const there = await keystoneRows(world);
      await world.approvePlan(await world.ask({ rollback: 'keystone' }), { consents: [] });
      const asking = await world.until(
        'the question',
        async () => {
          const flow = await world.flowOf('keystone');
          return flow?.status?.question?.question === 'restore' && flow;
        },
        patience,
      );
      const [loss] = asking.status?.losses ?? [];
      expect(loss).toMatchObject({ database: 'keystone', known: true });
      // Clients wrote while it was contracted: users among others.
      expect(loss?.tables.map(({ table }) => table)).toContain('user');
      await world.engine.idle();
      expect(asking.status?.moves?.map(({ id }) => id)).toEqual(['main/list-loss:old']);
      expect(await keystoneRows(world)).toEqual(there);
      expect(await adminToken(world)).toBeDefined();

      expect(asking.status?.question?.of).toBeDefined();
      await world.answer(asking, 'yes');
      const flow = await world.untilFlowEnds('keystone', 'operational', patience);
      expect(await servedVersion(world)).toBe(first);
      expect(await column()).not.toBe('');
      expect(await adminToken(world)).toBeDefined();
      const [backup] = backupsOf(
        flow.spec.planned?.step.to?.revision ?? 0,
        await world.revisions('keystone'),
      );
      if (!backup) throw new TypeError('there is no proved backup of the revision that it went back to');
      const { [revocations]: revokedNow = [], ...restored } = await keystoneRows(world);
      const { [revocations]: revokedThen = [], ...backedUp } = await backupRows(world, backup);
      expect(restored).toEqual(backedUp);
      expect(revokedNow).toEqual(expect.arrayContaining([...revokedThen]));
      // The list is what the restore dropped: table by table, and no table beside.
      const lost = Object.fromEntries(
        (loss?.tables ?? []).map(({ table, says }) => [table, fewerRows(says)]),
      );
      const [now, then] = [rowCounts(restored), rowCounts(there)];
      const compared = Object.keys(then).filter(table => table !== revocations);
      const dropped = compared.map(table => [table, (then[table] ?? 0) - (now[table] ?? 0)]);
      const listed = compared.map(table => [table, lost[table] ?? 0]);
      expect(Object.fromEntries(dropped)).toEqual(Object.fromEntries(listed));
      expect(flow.status?.losses?.[0]?.tables).toEqual(loss?.tables);
      await applyKeystone(world, first);
      await world.untilReady(patience);
    },
    storyMs,
  );
}
