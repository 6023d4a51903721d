import { expect, test } from 'vitest';
import { withSession } from '../../../src/data/mariadb/program/mariadb-session.ts';
import type { JourneyWorld } from '../../journeys/engine/journey-world.ts';
import { expandsInSteps } from '../faulty-releases.ts';
import { keystoneRows } from '../keystone-rows.ts';
import { keystoneSql, movesOf, patience, storyMs, withDatabase } from '../keystone-world.ts';
import { unnoticed } from '../unnoticed.ts';
import { expectFirst, untilMove, wishForNext, wishForVariant } from '../upgrade-with-fault.ts';

const trust = (id: string) =>
  `INSERT INTO trust (id, trustor_user_id, trustee_user_id, project_id, impersonation, expires_at, expires_at_int) VALUES ('${id}', 'a', 'b', 'c', 1, '2030-01-01', ${id.length});`;

/** A change of the schema that does not come to its end. Each story begins and ends with the first version, whose schema nobody has expanded yet. */
export function halfSchemaStories(at: () => JourneyWorld): void {
  const marks = () => keystoneSql(at(), 'SELECT version_num FROM alembic_version ORDER BY 1');

  test(
    'a transaction that holds the table to be altered stops the release, and no client waits long behind it',
    async () => {
      const world = at();
      const [before, marked] = [await keystoneRows(world), await marks()];
      const flow = await unnoticed(world, () =>
        withDatabase(world, access =>
          // In another database, so that nothing tells which tables it holds: only who alters one finds out.
          withSession(access, 'mysql', async session => {
            await session.query('START TRANSACTION');
            await session.query('SELECT COUNT(*) FROM keystone.trust');
            await wishForNext(world, 11);
            const ended = await world.untilFlowEnds('keystone', 'rolledback', patience);
            await session.query('COMMIT');
            return ended;
          }),
        ),
      );
      expect(flow.status?.because).toMatch(/lock wait timeout/i);
      expect((await movesOf(world, flow)).slice(-2)).toEqual(['expand:new', 'discard/test:old']);
      expect(await marks()).toBe(marked);
      await expectFirst(world, before);
    },
    storyMs,
  );

  test(
    'an expand that fails half way, at rows that came after its copy was tried, leaves the old release serving on what is there',
    async () => {
      const world = at();
      const [before, marked] = [await keystoneRows(world), await marks()];
      const former = await world.flowOf('keystone');
      try {
        const flow = await unnoticed(world, async () => {
          await wishForVariant(world, 'in-steps', expandsInSteps);
          await untilMove(world, former, 'main/back-up:new', 'done');
          await keystoneSql(world, `${trust('one')}${trust('three')}`);
          return world.untilFlowEnds('keystone', 'rolledback', patience);
        });
        expect(flow.status?.because).toMatch(/duplicate_trust_constraint/);
        const phases = await world.phases(flow.metadata.name);
        const expand = phases.find(({ spec }) => spec.move?.task === 'expand');
        expect(JSON.stringify(expand?.status)).toContain('SchemaHalfExpanded');
        expect(await movesOf(world, flow)).not.toContain('apply:new');
        expect(await keystoneSql(world, "SHOW TABLES LIKE 'first_step'")).toContain('first_step');
        expect(await marks()).toBe(marked);
      } finally {
        await keystoneSql(world, "DELETE FROM trust WHERE id IN ('one', 'three')");
      }
      await expectFirst(world, before);
    },
    storyMs,
  );
}
