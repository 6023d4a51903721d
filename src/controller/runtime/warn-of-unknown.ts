import { formatPath } from '../../api/finding.ts';
import { findKind } from '../../api/kinds.ts';
import { unknownFields } from '../../api/schema/unknown-fields.ts';
import type { Json } from '../../base/json.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import type { EngineWorld } from '../engine-world.ts';
import { tellEvent } from './events.ts';

/**
 * Existing manifests carry fields that no schema ever had: they are accepted, and whoever wrote them is told, once, that they have no
 * effect.
 */
export async function warnOfUnknown(
  world: Pick<EngineWorld, 'reconciling' | 'clock'>,
  object: StoredObject,
): Promise<void> {
  const kind = findKind(object.kind);
  if (!kind) return;
  const fields = unknownFields(kind.spec.json, (object['spec'] ?? {}) as Json, ['spec']);
  if (fields.length === 0) return;
  const named = fields.map(path => formatPath(path));
  const message = `Not known, and without effect: ${named.join(', ')}.`;
  const what = { type: 'Warning', reason: 'UnknownFields', message, key: named.join() } as const;
  await tellEvent(world.reconciling, object, what, world.clock.wall());
}
