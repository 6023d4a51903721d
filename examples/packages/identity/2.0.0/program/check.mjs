/** The check before an upgrade: whether this version knows what it would find. Reads, and changes nothing. */
const known = ['1a', '2b'];

export async function check(store) {
  const found = await store.summary();
  if (!found) return say('no database yet: nothing to check');
  const { contractedTo, expandedTo } = found.marks;
  if (!known.includes(contractedTo) || !known.includes(expandedTo)) {
    throw new TypeError(
      `the schema is ${contractedTo} expanded to ${expandedTo}, which this version does not know`,
    );
  }
  const blank = (await store.list('users')).filter(({ name }) => name.trim() === '').length;
  if (blank > 0) say(`${blank} users have a name of blanks: they can be read, and no more are made`);
  say(`schema ${contractedTo} with ${found.tables.users.rows} users can be upgraded`);
}

const say = text => process.stdout.write(`${text}\n`);
