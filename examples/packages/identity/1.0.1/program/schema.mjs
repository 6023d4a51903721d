/** The database of the service, as this version knows it. */
export const database = 'identity';
export const head = '1a';
export const tables = {
  users: { columns: ['id', 'name'], required: ['id', 'name'] },
  tokens: { columns: ['id', 'user'], required: ['id', 'user'] },
};
/** The first schema: there is nothing to migrate from. */
export const migrations = {};
