import { expect, it } from 'vitest';
import { sayLosses } from './say-losses.ts';

const loss = { database: 'keystone', toldAt: '2026-03-14T02:20:00Z', known: true, tables: [] };
const now = '2026-03-14T02:21:00Z';

it('what is lost is told with the backup that would be restored, where that is known', () => {
  const since = '2026-03-13T23:05:00Z';
  const tables = [{ table: 'user', says: '3 inserted' }];
  expect(sayLosses([{ ...loss, since, tables }], now)).toEqual([
    'keystone: written since the backup of 2026-03-13 23:05 UTC, as of 02:20 UTC',
    '    user: 3 inserted',
  ]);
  expect(sayLosses([loss], now)).toEqual(['keystone: nothing was written since the backup, as of 02:20 UTC']);
});
