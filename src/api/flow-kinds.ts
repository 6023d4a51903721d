/**
 * The walks a plan can ask for. `contract` is the second half of a split migration and always a plan of
 * its own; the others are the flows of the two charts.
 */
export const flowKinds = ['install', 'upgrade', 'reconfigure', 'rollback', 'uninstall', 'contract'] as const;
export type FlowKind = (typeof flowKinds)[number];

/**
 * What a flow does to one database. `create` makes it unless it is there, `keep` leaves it alone, `expand` and
 * `contract` are the halves of a split migration, `migrate` is one that is not split, `restore` brings a backup back,
 * `purge` removes it for good.
 */
export const dataActions = ['create', 'keep', 'expand', 'migrate', 'contract', 'restore', 'purge'] as const;
export type DataAction = (typeof dataActions)[number];
