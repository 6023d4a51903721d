import type { Cluster, ObjectList, ObjectType, Selection, StoredObject } from '../cluster.ts';
import { isReason } from '../cluster-error.ts';

const defaultPageSize = 500;

/**
 * The whole list, read in pages of one moment. Where the server forgets that moment between two pages, which happens to big
 * lists on busy servers, the list is read in one piece.
 */
export async function listAll(
  cluster: Cluster,
  type: ObjectType,
  selection: Selection,
  pageSize: number = defaultPageSize,
): Promise<ObjectList> {
  const items: StoredObject[] = [];
  let page = await cluster.list(type, { ...selection, limit: pageSize });
  const { resourceVersion } = page;
  for (;;) {
    for (const item of page.items) items.push(item); // not push(...): a page may be as long as the list
    if (page.continue === undefined) return { items, resourceVersion };
    try {
      page = await cluster.list(type, { ...selection, limit: pageSize, continue: page.continue });
    } catch (error) {
      if (isReason(error, 'Expired')) return cluster.list(type, selection);
      throw error;
    }
  }
}
