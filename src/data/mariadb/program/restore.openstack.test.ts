import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ServingMariadb, startServingMariadb } from '../../../../scripts/openstack/serving-mariadb.ts';
import { backUp, type TakenBackup } from './back-up.ts';
import { MariadbSession } from './mariadb-session.ts';
import { type Restored, restoreBackup } from './restore-backup.ts';

const key = randomBytes(32);
let world: ServingMariadb;
beforeAll(async () => {
  world = await startServingMariadb();
});
afterAll(() => world.remove());

const take = () =>
  backUp({ access: world.access, database: 'shop', folder: world.folder, key, say: () => {} });
const restore = ({ file }: TakenBackup, mayLose: boolean): Promise<Restored> =>
  restoreBackup({ access: world.access, file, key, mayLose, environment: world.environment, say: () => {} });

const allBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join('');

/** A database with all that makes a restore hard. */
const shop = `
  DROP DATABASE IF EXISTS shop; CREATE DATABASE shop CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci; USE shop;
  SET SESSION sql_mode = '';
  CREATE TABLE parent (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(100), odd BLOB, seen DATETIME, day DATE,
    whole INT AS (CHAR_LENGTH(name)) PERSISTENT, virtual_one INT AS (id * 2) VIRTUAL) ENGINE=InnoDB;
  CREATE TABLE child (id INT PRIMARY KEY AUTO_INCREMENT, parent_id INT, price DECIMAL(12,4), at TIMESTAMP(6) NULL,
    ratio DOUBLE, set_of SET('a','b'), flags BIT(9), doc JSON,
    CONSTRAINT to_parent FOREIGN KEY (parent_id) REFERENCES parent (id) ON DELETE CASCADE) ENGINE=InnoDB;
  CREATE TABLE \`odd name\` (\`key\` VARCHAR(20) PRIMARY KEY) ENGINE=InnoDB;
  CREATE TABLE audit (what VARCHAR(100)) ENGINE=InnoDB;
  INSERT INTO parent (name, odd, seen, day) VALUES ('grün 🚢\\n\\t\\\\', x'${allBytes}', '0000-00-00', '0000-00-00'), (NULL, NULL, NULL, NULL), ('', '', '2026-01-01 00:00:00', '2026-02-00');
  INSERT INTO child (parent_id, price, at, ratio, set_of, flags, doc) VALUES (1, 1.5, '2026-01-01 00:00:00.123456', 0.1, 'a,b', b'101010101', '{"a": [1, "ü"]}'), (3, NULL, NULL, 1e-300, '', NULL, NULL);
  INSERT INTO \`odd name\` VALUES ('x');
  CREATE VIEW a_view AS SELECT b_view.id FROM b_view;
  CREATE OR REPLACE VIEW a_view AS SELECT id, name FROM parent WHERE name IS NOT NULL;
  CREATE VIEW b_view AS SELECT COUNT(*) AS many FROM a_view;
  CREATE TRIGGER noted AFTER INSERT ON child FOR EACH ROW INSERT INTO audit VALUES (CONCAT('child ', NEW.id));
  CREATE PROCEDURE double_price(IN factor INT) UPDATE child SET price = price * factor;
  CREATE FUNCTION half(x INT) RETURNS INT DETERMINISTIC RETURN x / 2;
  CREATE EVENT sweep ON SCHEDULE EVERY 1 DAY DISABLE DO DELETE FROM audit;
`.replace('CREATE VIEW a_view AS SELECT b_view.id FROM b_view;', '');

/** All of the database, row by row and word by word. */
async function everything(schema = 'shop'): Promise<string> {
  const tables = ['parent', 'child', '`odd name`', 'audit', 'a_view', 'b_view'];
  const rows = tables.map(
    table => `SELECT '${table.replaceAll('`', '')}'; SELECT * FROM ${table} ORDER BY 1;`,
  );
  const made = [
    ...tables.map(table => `SHOW CREATE TABLE ${table};`),
    'SHOW CREATE TRIGGER noted; SHOW CREATE PROCEDURE double_price; SHOW CREATE FUNCTION half; SHOW CREATE EVENT sweep;',
    'SELECT HEX(odd) FROM parent;',
    `SELECT constraint_name, unique_constraint_schema, table_name, referenced_table_name FROM information_schema.referential_constraints WHERE constraint_schema = '${schema}';`,
  ];
  const text = await world.sql([...rows, ...made].join('\n'), schema);
  // When a trigger was made is not what it is.
  return text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d\d\b/g, 'when');
}

describe('a restore', () => {
  beforeEach(() => world.sql(shop));

  it('brings back every row, view, trigger, key, routine and event as it was, and keeps what was there', async () => {
    const before = await everything();
    const backup = await take();
    await world.sql(
      `INSERT INTO child (parent_id) VALUES (1), (2); DELETE FROM parent WHERE id = 3; UPDATE parent SET name = 'changed' WHERE id = 2;
       ALTER TABLE child ADD COLUMN extra INT; DROP VIEW b_view; CREATE VIEW c_view AS SELECT 1 AS one; DROP TRIGGER noted;
       DROP FUNCTION half; CREATE TABLE later (id INT PRIMARY KEY); INSERT INTO later VALUES (1);
       CREATE TRIGGER other BEFORE INSERT ON parent FOR EACH ROW SET NEW.name = 'x';`,
      'shop',
    );
    const { kept } = await restore(backup, true);
    expect(await everything()).toBe(before);
    expect(await world.sql('SHOW TABLES', 'shop')).not.toMatch(/later|c_view/);
    expect(await world.sql('SELECT COUNT(*) FROM later', kept)).toBe('1\n');
    // Keys and triggers hold again.
    await expect(world.sql('INSERT INTO child (parent_id) VALUES (99)', 'shop')).rejects.toMatchObject({
      details: { number: 1452 },
    });
    await world.sql('INSERT INTO child (id, parent_id) VALUES (50, 1)', 'shop');
    expect(await world.sql('SELECT * FROM audit', 'shop')).toContain('child 50');
  });

  it('needs no consent where nothing was written since, and none a second time', async () => {
    const backup = await take();
    expect((await restore(backup, false)).lost).toEqual({ tables: [], schemaChanges: 0 });
    expect((await restore(backup, false)).lost?.tables).toEqual([]);
  });

  it('does nothing without consent where clients wrote, and says per table what it would drop: what it drops with consent', async () => {
    const backup = await take();
    await world.sql(
      `INSERT INTO \`odd name\` VALUES ('y'), ('z'); UPDATE parent SET name = 'n' WHERE id IN (1, 2); DELETE FROM child WHERE id = 2;
       START TRANSACTION; INSERT INTO audit VALUES ('never'); ROLLBACK; CREATE DATABASE IF NOT EXISTS other; CREATE TABLE IF NOT EXISTS other.parent (id INT); INSERT INTO other.parent VALUES (1);`,
      'shop',
    );
    const before = await everything();
    const none = { inserted: 0, updated: 0, deleted: 0, statements: 0 };
    const tables = [
      { ...none, table: 'child', deleted: 1 },
      { ...none, table: 'odd name', inserted: 2 },
      { ...none, table: 'parent', updated: 2 },
    ];
    await expect(restore(backup, false)).rejects.toMatchObject({
      code: 'LossNotAccepted',
      details: { loss: { tables } },
    });
    expect(await everything()).toBe(before);
    expect((await restore(backup, true)).lost?.tables).toEqual(tables);
    // What is in the schema that was kept, and no longer in the database, is what was listed.
    expect(await world.sql('SELECT `key` FROM `odd name` ORDER BY 1', 'shop__afloat_old')).toBe('x\ny\nz\n');
    expect(await world.sql('SELECT `key` FROM `odd name` ORDER BY 1', 'shop')).toBe('x\n');
  });

  it('is refused while somebody works in the database, who is named', async () => {
    const backup = await take();
    const holder = new MariadbSession(world.access, 'shop');
    await holder.query('START TRANSACTION');
    await holder.query('SELECT * FROM parent');
    const id = await holder.value('SELECT CONNECTION_ID()');
    const before = await everything();
    await expect(restore(backup, true)).rejects.toMatchObject({
      code: 'DatabaseInUse',
      details: { who: [expect.stringContaining(`connection ${id} of root`)] },
    });
    expect(await everything()).toBe(before);
    await holder.close();
    await restore(backup, true);
  });

  it('that is cut off by the death of the server is done when it is asked for again', async () => {
    await world.sql(
      "CREATE TABLE big (id INT PRIMARY KEY AUTO_INCREMENT, text VARCHAR(200)); INSERT INTO big (text) SELECT REPEAT('x', 200) FROM seq_1_to_100000;",
      'shop',
    );
    const before = await everything();
    const backup = await take();
    await world.sql("UPDATE big SET text = 'new' WHERE id < 100", 'shop');
    const cut = restore(backup, true).then(
      () => 'done',
      (error: unknown) => (error as { code: string }).code,
    );
    await until(
      async () => (await world.sql("SHOW TABLES FROM shop__afloat_new LIKE 'big'").catch(() => '')) !== '',
    );
    await world.server.kill();
    expect(await cut).toMatch(/^Database(Unreachable|Refused)$/);
    await world.server.start();
    expect(await world.sql("SELECT COUNT(*) FROM big WHERE text = 'new'", 'shop')).toBe('99\n');
    const { lost } = await restore(backup, true);
    expect(lost?.tables).toMatchObject([{ table: 'big', updated: 99 }]);
    expect(await everything()).toBe(before);
    expect(await world.sql("SELECT COUNT(*), SUM(text = 'new') FROM big", 'shop')).toBe('100000\t0\n');
  });

  it('that was cut off after the tables changed places goes on from there', async () => {
    const before = await everything();
    const backup = await take();
    await world.sql("INSERT INTO `odd name` VALUES ('lost')", 'shop');
    await restore(backup, true);
    // As a cut leaves it: the mark is still there, the programs are not.
    await world.sql('CREATE TABLE afloat_restoring (programs LONGBLOB)', 'shop__afloat_old');
    await world.sql('DROP VIEW a_view; DROP TRIGGER noted', 'shop');
    await restore(backup, true);
    expect(await everything()).toBe(before);
    expect(await world.sql('SELECT `key` FROM `odd name` ORDER BY 1', 'shop__afloat_old')).toBe('lost\nx\n');
  });

  it('removes no schema that it did not make', async () => {
    const backup = await take();
    await world.sql(
      'DROP DATABASE IF EXISTS shop__afloat_new; CREATE DATABASE shop__afloat_new; CREATE TABLE shop__afloat_new.mine (id INT)',
    );
    await expect(restore(backup, true)).rejects.toMatchObject({ code: 'DatabaseUnsupported' });
    expect(await world.sql('SHOW TABLES', 'shop__afloat_new')).toBe('mine\n');
    await world.sql('DROP DATABASE shop__afloat_new');
  });
});

async function until(ask: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000;
  while (!(await ask())) if (performance.now() > end) expect.fail('not within 120 s');
}
