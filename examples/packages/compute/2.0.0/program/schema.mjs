/** The database of the service, as this version knows it: a server has a zone, the host group it runs in. */
export const database = 'compute';
export const head = '2a';
const columns = ['id', 'name', 'image', 'state', 'host', 'zone'];
const first = ['id', 'name', 'state'];
export const tables = {
  servers: { columns, required: [...first, 'zone'] },
  agents: { columns: ['id', 'hostGroup', 'slice', 'version', 'seen'], required: ['id', 'seen'] },
};

/** Makes room for zones. Versions 1 and 2 both work with that. */
async function expand(store) {
  const { marks } = await store.summary();
  if (marks.expandedTo === head) return say(`already expanded to ${head}`);
  await store.shape('servers', columns, first);
  await store.mark({ expandedTo: head });
  say(`expanded to ${head}`);
}

/** Gives a zone to servers that have none, while both versions run. */
async function migrate(store) {
  const without = (await store.list('servers')).filter(({ zone }) => zone === undefined);
  for (const { id } of without) await store.merge('servers', id, { zone: 'default' });
  say(`${without.length} servers got a zone`);
}

/** Asks for a zone from now on: version 1 can write no server any more. */
async function contract(store) {
  const { marks } = await store.summary();
  if (marks.contractedTo === head) return say(`already contracted to ${head}`);
  if (marks.expandedTo !== head) throw new TypeError(`not expanded to ${head}`);
  await migrate(store);
  await store.shape('servers', columns, [...first, 'zone']);
  await store.mark({ contractedTo: head });
  say(`contracted to ${head}`);
}

const say = text => process.stdout.write(`${text}\n`);

export const migrations = { expand, migrate, contract };
