/** What MariaDB's own programs write, and how it is read. */
import { describe, expect, it } from 'vitest';
import { headPosition } from './consistent-dump.ts';
import { differences } from './database-facts.ts';
import { LossCounter } from './list-loss.ts';
import { optionFileText, toolFailed } from './mariadb-access.ts';
import { fieldsOf, identifier, literal } from './mariadb-session.ts';
import { progressText } from './progress.ts';

const counted = (by: 'heads' | 'rows', ...lines: string[]) => {
  const counter = new LossCounter('shop', by);
  for (const line of lines) counter.line(line);
  return counter;
};
const lossOf = (...lines: string[]) => counted('rows', ...lines).loss();
const none = { inserted: 0, updated: 0, deleted: 0, statements: 0 };

describe('the binary log as text', () => {
  const at = '#261116 11:40:47 server id 1  end_log_pos 902 CRC32 0x5b2c7d6c \t';
  const map = (table: string, id: number, schema = 'shop') =>
    `${at}Table_map: \`${schema}\`.\`${table}\` mapped to number ${id}`;
  const rows = (verb: string, id: number) => `${at}${verb}_rows: table id ${id} flags: STMT_END_F`;
  const number = (count: number) => `# Number of rows: ${count}`;

  it('counts rows by the heads of events, without the rows', () => {
    const counter = counted(
      'heads',
      ...[map('a', 7), map('x', 8, 'other'), rows('Write', 7), number(3), rows('Write', 8), number(5)],
      ...[rows('Update', 7), number(2), map('b', 8), rows('Delete', 8), number(1), 'TRUNCATE TABLE shop.c'],
      ...[`#Q> insert into t values ('${map('y', 7, 'other')}')`, rows('Write', 7), number(1)],
    );
    expect(counter.isUnsure).toBe(false);
    expect(counter.loss()).toEqual({
      tables: [
        { ...none, table: 'a', inserted: 4, updated: 2 },
        { ...none, table: 'b', deleted: 1 },
        { ...none, table: 'c', statements: 1 },
      ],
      schemaChanges: 0,
    });
  });

  it('is not sure where a head does not say how many rows there are', () => {
    expect(counted('heads', map('a', 7), rows('Write', 7)).isUnsure).toBe(true);
    expect(counted('heads', map('a', 7), rows('Write', 7), rows('Write', 7), number(1)).isUnsure).toBe(true);
    expect(counted('heads', map('a', 7, 'other'), rows('Write', 7)).isUnsure).toBe(false);
  });

  it('counts rows of the database that is meant, table by table', () => {
    const loss = lossOf(
      ...[
        '### INSERT INTO `shop`.`b`',
        '### SET',
        "###   @1='### INSERT INTO `shop`.`x`'",
        '### INSERT INTO `shop`.`b`',
      ],
      ...[
        '### UPDATE `shop`.`a b`',
        '### WHERE',
        '### DELETE FROM `shop`.`a b`',
        '### INSERT INTO `other`.`b`',
      ],
    );
    expect(loss).toEqual({
      tables: [
        { ...none, table: 'a b', updated: 1, deleted: 1 },
        { ...none, table: 'b', inserted: 2 },
      ],
      schemaChanges: 0,
    });
  });

  it('counts statements where rows are not logged, and tells changes of the schema apart', () => {
    const loss = lossOf(
      ...[
        'use `shop`/*!*/;',
        'INSERT INTO a VALUES (1)',
        '/*!*/;',
        'UPDATE `a` SET x = 1',
        'ALTER TABLE a ADD y INT',
      ],
      ...['DELETE FROM other.a', 'use `other`/*!*/;', 'INSERT INTO a VALUES (2)', 'TRUNCATE TABLE shop.a'],
    );
    expect(loss).toEqual({ tables: [{ ...none, table: 'a', statements: 3 }], schemaChanges: 1 });
  });
});

describe('what programs of MariaDB say', () => {
  it.each([
    ['ERROR 2002 (HY000): cannot connect', 'DatabaseUnreachable'],
    ['ERROR 1205 (HY000) at line 3: Lock wait timeout exceeded', 'DatabaseBusy'],
    ['mariadb-dump: Got error: 2013: "Lost connection to server" when dumping', 'DatabaseUnreachable'],
    ['ERROR 1064 (42000) at line 1: syntax', 'DatabaseRefused'],
    ['', 'DatabaseRefused'],
  ])('%s is %s', (said, code) => {
    expect(toolFailed('mariadb', said, 'exit code 1').code).toBe(code);
  });

  it('the head of a dump has its place in the log', () => {
    const head = "-- a\n-- CHANGE MASTER TO MASTER_LOG_FILE='bin.000002', MASTER_LOG_POS=2047;\n";
    expect(headPosition(Buffer.from(head))).toEqual({ file: 'bin.000002', position: 2047 });
    expect(headPosition(Buffer.from('-- nothing'))).toBeUndefined();
  });

  it('a line is fields, with what was escaped', () => {
    expect(fieldsOf('a\tb\\tc\\n\\\\n\t')).toEqual(['a', 'b\tc\n\\n', '']);
  });
});

describe('what they are told', () => {
  it('names and texts cannot end early', () => {
    expect(identifier('a`b')).toBe('`a``b`');
    expect(literal("a'\\b")).toBe("'a''\\\\b'");
  });

  it('a password stands quoted in a file, and has no line break', () => {
    expect(optionFileText({ user: 'u', password: 'a"\\#', host: 'db', port: 3307 })).toBe(
      '[client]\nuser="u"\npassword="a\\"\\\\#"\nhost="db"\nport="3307"\nprotocol="tcp"\n',
    );
    expect(() => optionFileText({ user: 'u', password: 'a\nuser=root', socket: 's' })).toThrow(
      expect.objectContaining({ code: 'DataTaskInvalid' }),
    );
  });
});

describe('tables that are held to what they were', () => {
  const table = { name: 'a', rows: 2, checksum: '1' };
  it.each([
    ['the same', [table], []],
    ['one that is missing', [], ['a is missing']],
    ['other rows', [{ ...table, checksum: '2' }], ['a has other rows']],
    ['more rows', [{ ...table, rows: 3 }], ['a has 3 rows instead of 2']],
    ['one more table', [table, { ...table, name: 'b' }], ['b is not of the backup']],
  ])('%s', (_, have, want) => {
    expect(differences([table], have)).toEqual(want);
  });
});

it('progress says how much is done and how long it takes', () => {
  expect(progressText('backup', 12e6, 40e6, 4)).toBe('backup: 12.0 MB of about 40.0 MB, about 10 s left');
  expect(progressText('backup', 0, 40e6, 4)).toBe('backup: 0.0 MB of about 40.0 MB');
});
