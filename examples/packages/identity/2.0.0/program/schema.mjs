/** The database of the service, as this version knows it: users have a domain. */
export const database = 'identity';
export const head = '2b';
const columns = ['id', 'name', 'domain'];
export const tables = {
  users: { columns, required: columns },
  tokens: { columns: ['id', 'user'], required: ['id', 'user'] },
};

/** Makes room for domains. Versions 1 and 2 both work with that. */
async function expand(store) {
  const { marks } = await store.summary();
  if (marks.expandedTo === head) return say(`already expanded to ${head}`);
  await store.shape('users', columns, ['id', 'name']);
  await store.mark({ expandedTo: head });
  say(`expanded to ${head}`);
}

/** Gives every user a domain and asks for one from now on: version 1 can write no user any more. */
async function contract(store) {
  const { marks } = await store.summary();
  if (marks.contractedTo === head) return say(`already contracted to ${head}`);
  if (marks.expandedTo !== head) throw new TypeError(`not expanded to ${head}`);
  // Somebody may write a user without a domain between the last look and the new shape.
  for (let rounds = 0, isDone = false; !isDone; rounds += 1) {
    const without = (await store.list('users')).filter(({ domain }) => domain === undefined);
    for (const user of without) await store.merge('users', user.id, { domain: 'default' });
    say(`${without.length} users got a domain`);
    isDone = await store.shape('users', columns, columns).then(
      () => true,
      error => {
        if (error.said !== 409 || rounds === 20) throw error;
        return false;
      },
    );
  }
  await store.mark({ contractedTo: head });
  say(`contracted to ${head}`);
}

const say = text => process.stdout.write(`${text}\n`);

export const migrations = { expand, contract };
