/** The database of the service, as this version knows it. */
export const database = 'image';
export const head = '1a';
const columns = ['id', 'name', 'content', 'checksum'];
export const tables = { images: { columns, required: columns } };
/** The first schema: there is nothing to migrate from. */
export const migrations = {};
