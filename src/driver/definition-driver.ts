import { isObject } from '../base/json.ts';
import type { Cluster, StoredObject } from '../cluster/cluster.ts';
import { isReason } from '../cluster/cluster-error.ts';
import { findObject, refOf } from '../cluster/find-object.ts';
import type { Driver } from './driver.ts';
import type { DriverParts } from './driver-parts.ts';
import { applyObject } from './object/apply-object.ts';
import { removeObject } from './object/remove-object.ts';
import { absent, judged } from './observe/judgement.ts';
import { observeConditions } from './observe/observe-conditions.ts';
import { parseExpectation } from './observe/ready-when.ts';
import { partOf, specOf } from './observe/rollout.ts';

const ready = parseExpectation('condition=Established');
const failed = [parseExpectation('condition=NamesAccepted=False')].flatMap(one => one ?? []);

/**
 * CustomResourceDefinitions: done when objects of the kind can be written. A server says `Established` a moment before that, and whoever
 * writes one in between is told that there is no such kind.
 */
export function definitionDriver({ cluster }: DriverParts): Driver {
  return {
    async observe(object) {
      const live = await findObject(cluster, refOf(object));
      if (!live) return absent(object);
      const report = observeConditions(live, { ready, failed });
      if (report.state !== 'done' || (await isServed(cluster, live))) return report;
      return judged('progressing', 'NotServed', `${live.kind} ${live.metadata.name} is not served yet`);
    },
    apply: async object => void (await applyObject(cluster, object)),
    remove: object => removeObject(cluster, object),
  };
}

async function isServed(cluster: Cluster, definition: StoredObject): Promise<boolean> {
  const spec = specOf(definition);
  const versions = Array.isArray(spec['versions']) ? spec['versions'].filter(isObject) : [];
  for (const version of versions.filter(one => one['served'] === true)) {
    const apiVersion = `${spec['group']}/${version['name']}`;
    const kind = String(partOf(spec, 'names')['kind']);
    try {
      await cluster.list({ apiVersion, kind }, { limit: 1 });
    } catch (error) {
      if (isReason(error, 'NotFound')) return false;
      // Who may not read objects of the kind learns all the same that there is one.
      if (!isReason(error, 'Forbidden')) throw error;
    }
  }
  return true;
}
