/** The database of the service, as this version knows it. */
export const database = 'compute';
export const head = '1a';
export const tables = {
  servers: { columns: ['id', 'name', 'image', 'state', 'host'], required: ['id', 'name', 'state'] },
  agents: { columns: ['id', 'hostGroup', 'slice', 'version', 'seen'], required: ['id', 'seen'] },
};
/** The first schema: there is nothing to migrate from. */
export const migrations = {};
