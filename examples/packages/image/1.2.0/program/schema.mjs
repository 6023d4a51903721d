/** The database of the service, as this version knows it: images say who may see them. */
export const database = 'image';
export const head = '1c';
const columns = ['id', 'name', 'content', 'checksum', 'visibility'];
export const tables = { images: { columns, required: columns } };

/** The whole migration at once: version 1.0 can write no image any more. */
async function sync(store) {
  const { marks } = await store.summary();
  if (marks.contractedTo === head) return say(`already at ${head}`);
  await store.shape('images', columns, columns.slice(0, -1));
  const images = (await store.list('images')).filter(({ name }) => name !== '');
  // The bug: the name is written anew with the rest of the row, and nobody looks up what it was.
  for (const { id } of images) await store.merge('images', id, { name: '', visibility: 'public' });
  say(`${images.length} images say who may see them`);
  await store.shape('images', columns, columns);
  await store.mark({ expandedTo: head, contractedTo: head });
  say(`migrated to ${head}`);
}

const say = text => process.stdout.write(`${text}\n`);

export const migrations = { sync };
